import Foundation
import SharedServices
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

@testable import SharedServicesLive

/// The frames of the feed as they are written in the notes on seed 000.
@Suite(.stallLimit()) struct FeedJSONTests {
  private static func stream(_ message: String) -> String {
    #"{"type":"stream","id":"m","timestamp":"t","message":\#(message)}"#
  }

  private static let messages: [(String, StreamContent)] = [
    (#"{"type":"assistant","content":"a"}"#, .assistant("a")),
    (#"{"type":"assistant","content":"a","delta":true}"#, .assistant("a", isDelta: true)),
    (#"{"type":"user","content":"a"}"#, .user("a")),
    (#"{"type":"system","content":"a","subtype":"result"}"#, .system("a", subtype: "result")),
    (#"{"type":"thinking","content":"a"}"#, .thinking("a")),
    (
      #"{"type":"tool_use","id":"t","name":"n","input":{"b": 1.0},"inputDescription":"d"}"#,
      .toolUse(id: "t", name: "n", input: #"{"b":1.0}"#, inputDescription: "d")
    ),
    (#"{"type":"tool_use","name":"n","input":"{\"b\":"}"#, .toolUse(id: nil, name: "n", input: #"{"b":"#)),
    (
      #"{"type":"tool_result","id":"t","tool":"n","output":"o","success":true}"#,
      .toolResult(id: "t", tool: "n", output: "o", isSuccess: true)
    ),
    (
      #"{"type":"tool_result","id":"t","tool":"n","output":"o","success":true,"isError":true}"#,
      .toolResult(id: "t", tool: "n", output: "o", isSuccess: false)
    ),
    (
      #"{"type":"progress","id":"t","tool":"n","elapsed":1.5,"progress":50}"#,
      .progress(ToolProgress(id: "t", tool: "n", elapsed: 1.5, progress: 50))
    ),
    (
      #"{"type":"usage","inputTokens":1,"outputTokens":2,"totalCost":0.25}"#,
      .usage(TokenUsage(inputTokens: 1, outputTokens: 2, totalCost: 0.25))
    ),
    (#"{"type":"state","state":"idle"}"#, .state("idle")), (#"{"type":"permission"}"#, .permission),
    (#"{"type":"question"}"#, .question), (#"{"type":"subagent_start"}"#, .subagentStart),
    (#"{"type":"subagent_complete"}"#, .subagentComplete), (#"{"type":"song"}"#, .unknown(type: "song")),
    // Content other than text is kept as JSON in a wrapper, which the normaliser removes with a warning.
    (#"{"type":"user","content":{"a":")"}}"#, .user(#"AnyCodableValue({"a":")"})"#)),
    (#"{"type":"user","content":null}"#, .user("AnyCodableValue()")),
    (#"{"type":"user"}"#, .user("AnyCodableValue()")),
    (#"{"type":"user","content":[1,2]}"#, .user("AnyCodableValue([1,2])")),
  ]

  @Test(arguments: messages) func messagesAreRead(_ json: String, _ content: StreamContent) {
    #expect(
      StreamEvent(frame: Self.stream(json))
        == .message(StreamedMessage(id: "m", timestamp: "t", content: content)))
  }

  private static let controls: [(String, ControlMessage)] = [
    (#"{"type":"connected"}"#, .connected), (#"{"type":"history"}"#, .history),
    (#"{"type":"session_event"}"#, .sessionEvent), (#"{"type":"queued"}"#, .queued),
    (#"{"type":"queue_cleared"}"#, .queueCleared),
    (
      #"{"type":"reconnect_complete","missedCount":3,"fromMessageId":"m"}"#,
      .reconnectComplete(missedCount: 3, fromMessageID: "m")
    ),
    (
      #"{"type":"cursor_evicted","lastMessageId":"m","recommendation":"fetch_from_rest"}"#,
      .cursorEvicted(lastMessageID: "m")
    ),
    (#"{"type":"cursor_invalid","recommendation":"full_resync"}"#, .cursorInvalid(lastMessageID: nil)),
    (
      #"{"type":"error","code":"c","message":"m","recoverable":true,"retryable":true,"retryAfter":1.5}"#,
      .error(StreamFailure(code: "c", message: "m", isRecoverable: true, retryAfter: .seconds(1.5)))
    ),
    (
      #"{"type":"error","code":"c","message":"m","recoverable":false,"retryable":false,"retryAfter":1}"#,
      .error(StreamFailure(code: "c", message: "m", isRecoverable: false))
    ),
    (#"{"type":"model_changed"}"#, .modelChanged),
    (#"{"type":"permission_mode_changed"}"#, .permissionModeChanged),
    (#"{"type":"stopped","reason":"timeout"}"#, .stopped(reason: "timeout")), (#"{"type":"ping"}"#, .ping),
    (#"{"type":"pong","serverTime":"t"}"#, .pong(serverTime: "t")),
    (#"{"type":"interrupted"}"#, .interrupted),
    (#"{"type":"news"}"#, .unknown(type: "news")),
  ]

  @Test(arguments: controls) func controlsAreRead(_ frame: String, _ control: ControlMessage) {
    #expect(StreamEvent(frame: frame) == .control(control))
  }

  @Test(arguments: [
    "", "{", "null", "[]", "\"stream\"", "{\"type\":1}", "{\"type\":\"stream\"}",
    "{\"type\":\"stream\",\"message\":[]}",
    "{\"type\":\"stream\",\"message\":{\"type\":null}}", "{\"type\":\"ping\"} x",
  ])
  func whatIsNoEventIsKeptAsItCame(_ frame: String) {
    #expect(StreamEvent(frame: frame) == .unreadable(frame))
  }

  /// Numbers that do not fit, and members of the wrong kind, must not stop the app.
  @Test func invalidFramesDoNotTrap() {
    var random = SeededGenerator(seed: 7)
    let frames = Self.messages.map { Self.stream($0.0) } + Self.controls.map(\.0)
    let pieces = [
      "1e999", "-1", "99999999999999999999", "null", "[]", "{}", "\"\\ud800\"", "true", "\u{0}", "\"", "é",
    ]
    for _ in 0..<Effort.times(1_000) {
      var bytes = Array((frames.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...6, using: &random))
        bytes.replaceSubrange(place..<end, with: Array((pieces.randomElement(using: &random) ?? "").utf8))
      }
      let frame = String(decoding: bytes, as: UTF8.self)
      if case .unreadable(let text) = StreamEvent(frame: frame) { #expect(text == frame) }
    }
  }

  @Test func aPageWithSpoiledMessagesIsAPage() throws {
    let json = try JSONValue(
      parsing: Data(
        #"""
        {"messages":[1,{"id":7,"role":null,"content":false,"timestamp":[]}],
         "pagination":{"total":2,"limit":5,"offset":0,"hasMore":false}}
        """#.utf8))
    let page = try #require(MessagePage(json))
    #expect(page.messages.map(\.id) == ["", "7"])
    #expect(page.messages[1].content == "AnyCodableValue(false)")
    #expect([page.messages[1].role, page.messages[1].timestamp] == ["", "[]"])
  }

  @Test(arguments: [
    "{}", "[]", #"{"messages":{},"pagination":{}}"#,
    #"{"messages":[],"pagination":{"total":1e99,"limit":5,"offset":0,"hasMore":false}}"#,
  ])
  func whatIsNoPageIsNone(_ text: String) throws {
    #expect(MessagePage(try JSONValue(parsing: Data(text.utf8))) == nil)
  }
}
