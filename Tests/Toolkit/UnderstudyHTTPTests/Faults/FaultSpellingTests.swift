import Foundation
import Testing
import UnderstudyTesting
@testable import Understudy
@testable import UnderstudyHTTP

@Suite(.stallLimit()) struct FaultSpellingTests {
  /// Each fault in Swift, as its generated Swift, and as its text form.
  static let table: [(fault: Fault, swift: String, typed: String)] = [
    (.unauthorized, ".unauthorized", "unauthorized"),
    (.forbidden, ".forbidden", "forbidden"),
    (.notFound, ".notFound", "not-found"),
    (.notAcceptable, ".notAcceptable", "not-acceptable"),
    (.conflict, ".conflict", "conflict"),
    (.unprocessable, ".unprocessable", "unprocessable"),
    (.rateLimited(retryAfter: .seconds(30)), ".rateLimited(retryAfter: .seconds(30))", "rate-limited:30s"),
    (.rateLimited(retryAfter: nil), ".rateLimited(retryAfter: nil)", "rate-limited"),
    (.serverError, ".serverError", "server-error"),
    (.unavailable, ".unavailable", "unavailable"),
    (.gatewayTimeout, ".gatewayTimeout", "gateway-timeout"),
    (.timeout, ".timeout", "timeout"),
    (.offline, ".offline", "offline"),
    (.hostNotFound, ".hostNotFound", "host-not-found"),
    (.connectionRefused, ".connectionRefused", "connection-refused"),
    (.connectionLost, ".connectionLost", "connection-lost"),
    (.answerLost, ".answerLost", "answer-lost"),
    (.emptyReply, ".emptyReply", "empty-reply"),
    (.timeoutInBody(afterBytes: 1), ".timeoutInBody(afterBytes: 1)", "timeout-in-body:1"),
    (.truncatedBody(afterBytes: 20), ".truncatedBody(afterBytes: 20)", "truncated-body:20"),
    (.truncatedBody(afterBytes: 1), ".truncatedBody(afterBytes: 1)", "truncated-body:1"),
    (.truncatedChunk(afterBytes: 1), ".truncatedChunk(afterBytes: 1)", "truncated-chunk:1"),
    (.resetInBody(afterBytes: 1), ".resetInBody(afterBytes: 1)", "reset-in-body:1"),
    (.unreadableAnswer, ".unreadableAnswer", "unreadable-answer"),
    (.garbage, ".garbage", "garbage"),
    (.malformedChunk(afterBytes: 1), ".malformedChunk(afterBytes: 1)", "malformed-chunk:1"),
    (.brokenGzip, ".brokenGzip", "broken-gzip"),
    (.redirectLoop, ".redirectLoop", "redirect-loop"),
    (.dropStream(afterEvents: 1), ".dropStream(afterEvents: 1)", "drop-stream:1"),
    (.endStream(afterEvents: 1), ".endStream(afterEvents: 1)", "end-stream:1"),
    (.stallStream(afterEvents: 1), ".stallStream(afterEvents: 1)", "stall-stream:1"),
    (.stallStream(afterEvents: 0), ".stallStream(afterEvents: 0)", "stall-stream:0"),
    (.corruptEvent(1), ".corruptEvent(1)", "corrupt-event:1"),
    (.unterminatedEvent, ".unterminatedEvent", "unterminated-event"),
    (
      .closeWebSocket(code: WebSocketClosure.Code(rawValue: 1001), afterMessages: 1),
      ".closeWebSocket(code: WebSocketClosure.Code(rawValue: 1001), afterMessages: 1)",
      "close-websocket:1001,1"
    ),
    (.abortWebSocket(afterMessages: 1), ".abortWebSocket(afterMessages: 1)", "abort-websocket:1"),
    (.badFrame(afterMessages: 1), ".badFrame(afterMessages: 1)", "bad-frame:1"),
    (.cancelled, ".cancelled", "cancelled"),
    (.latency(.seconds(1)), ".latency(.seconds(1))", "latency:1s"),
    (.latency(.milliseconds(1500)), ".latency(.milliseconds(1500))", "latency:1500ms"),
    (.latency(.microseconds(250)), ".latency(.microseconds(250))", "latency:0.25ms"),
    (.latency(.mobileNetwork), ".latency(.mobileNetwork)", "latency:mobile"),
    (
      .latency(.uniform(.milliseconds(200)...(.seconds(2)))),
      ".latency(.uniform(.milliseconds(200)...(.seconds(2))))", "latency:200ms,2s"
    ),
    (
      .dribble(bytes: 1, pause: .milliseconds(10)), ".dribble(bytes: 1, pause: .milliseconds(10))",
      "dribble:1,10ms"
    ),
    (.duplicateEvent(1), ".duplicateEvent(1)", "duplicate-event:1"),
    (.reorderEvent(3), ".reorderEvent(3)", "reorder-event:3"),
    (.reorderEvent(1), ".reorderEvent(1)", "reorder-event:1"),
    (.splitCharacters, ".splitCharacters", "split-characters"),
    (.status(418), ".status(418)", "status:418"),
  ]

  @Test(arguments: table)
  func eachFaultHasOneSpelling(_ row: (fault: Fault, swift: String, typed: String)) throws {
    #expect(row.fault.swiftSpelling == row.swift)
    #expect(row.fault.typedName == row.typed)
    #expect(try Fault(typed: row.typed) == row.fault)
  }

  @Test(arguments: [
    ("rate-limited:7", "write rate-limited:7s or rate-limited:7ms"),
    ("latency:300", "write latency:300s or latency:300ms"),
    ("latency:0.2,2s", "write latency:0.2s,2s or latency:0.2ms,2s"),
    ("dribble:4,10", "write dribble:4,10s or dribble:4,10ms"),
    ("rate-limited:soon", "write rate-limited[:<retry after>]"),
    ("drop-stream:many", "write drop-stream[:<events>]"), ("timeout:3", "timeout takes no parameters"),
  ])
  func anInvalidParameterIsExplained(_ text: String, _ words: String) {
    let error = #expect(throws: UnderstudyError.self) { try Fault(typed: text) }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
  }

  @Test(arguments: [Fault.Interaction.call, .stream, .webSocket])
  func theTableHasTheWholeCatalogue(_ interaction: Fault.Interaction) {
    #expect(Set(Fault.all(of: interaction)).subtracting(Self.table.map(\.fault)) == [])
  }

  @Test func aCustomAnswerIsSpelledCompletely() {
    let fault: Fault = .status(402, fields: ["X-Why": "\"no\""], body: Data("a\nb".utf8))
    #expect(
      fault.swiftSpelling == #".status(402, fields: ["X-Why": "\"no\""], body: Data("a\u{a}b".utf8))"#)
    #expect(fault.typedName == nil)
    #expect(
      Fault.status(402, body: Data([0xFF])).swiftSpelling == ".status(402, fields: [:], body: Data([255]))")
  }

  @Test func aScheduleHasATextFormAndASpelling() throws {
    let schedule: FaultSchedule = [.at("api.POST /todos", call: 2, .dropStream(afterEvents: 3))]
    #expect(
      schedule.swiftSpelling == #"[.at("api.POST /todos", call: 2, .dropStream(afterEvents: 3))]"#)
    #expect(schedule.description == "api.POST /todos call=2 drop-stream:3")
    #expect(try FaultSchedule.Entry(typed: schedule.description) == schedule.entries[0])
  }

  @Test(arguments: [
    ("", "Write an operation"), ("todos.add conflict", "Write an operation"),
    ("todos.add call=0 conflict", "Write an operation"),
    ("todos.add call=1 conflikt", "Unknown fault \"conflikt\""),
    ("call=1 conflict", "Write an operation"),
  ])
  func anInvalidEntryIsExplainedInOneLine(_ text: String, _ words: String) {
    let error = #expect(throws: UnderstudyError.self) { try FaultSchedule.Entry(typed: text) }
    #expect(error?.description.contains(words) == true)
    #expect(error?.description.contains("\n") == false)
  }
}
