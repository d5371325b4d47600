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
    (#"{"type":"state","state":"idle"}"#, .state("idle")),
    (
      #"{"type":"permission","id":"p","tool":"n","input":{"b": 1.0},"options":["allow","deny","always"]}"#,
      .permission(PermissionRequest(id: "p", tool: "n", input: #"{"b":1.0}"#))
    ),
    (
      #"{"type":"permission"}"#, .permission(PermissionRequest(id: "", tool: "", input: "", options: []))
    ),
    (
      #"""
      {"type":"question","id":"q","questions":[{"question":"Which?","header":"Choice","multiSelect":true,
       "options":[{"label":"A","description":"The first"},{"label":"B"},"C"]},{"question":"Why?"}]}
      """#,
      .question(
        QuestionRequest(
          id: "q",
          questions: [
            .init(
              question: "Which?", header: "Choice",
              options: [
                .init(label: "A", description: "The first"), .init(label: "B"), .init(label: "C"),
              ], isMultipleChoice: true), .init(question: "Why?", header: "", options: []),
          ]))
    ),
    (
      #"{"type":"subagent_start","id":"a","description":"Reads"}"#,
      .subagentStart(id: "a", description: "Reads")
    ),
    (#"{"type":"subagent_complete","id":"a","summary":"Read"}"#, .subagentComplete(id: "a", summary: "Read")),
    (#"{"type":"subagent_complete","id":"a"}"#, .subagentComplete(id: "a")),
    (#"{"type":"song"}"#, .unknown(type: "song")),
    // An alias alone is enough.
    (#"{"type":"thinking","thinking":"a"}"#, .thinking("a")),
    (#"{"type":"thinking","content":"","thinking":"a"}"#, .thinking("a")),
    (#"{"type":"assistant","text":"a"}"#, .assistant("a")),
    (
      #"{"type":"tool_use","tool_use_id":"t","tool":"n","input":{},"input_description":"d"}"#,
      .toolUse(id: "t", name: "n", input: "{}", inputDescription: "d")
    ),
    (
      #"{"type":"tool_result","toolUseId":"t","name":"n","content":[{"type":"text","text":"o"}],"is_error":true}"#,
      .toolResult(id: "t", tool: "n", output: "o", isSuccess: false)
    ),
    (
      #"{"type":"tool_result","id":"t","tool":"n","output":"o"}"#,
      .toolResult(id: "t", tool: "n", output: "o", isSuccess: true)
    ),
    // The id that ties a result to its tool use is not that of the result.
    (
      #"{"type":"tool_result","id":"r","tool_use_id":"t","tool":"n","output":"o"}"#,
      .toolResult(id: "t", tool: "n", output: "o", isSuccess: true)
    ),
    // Roles and blocks, as in the history.
    (#"{"role":"assistant","content":[{"type":"text","text":"a"}]}"#, .assistant("a")),
    (#"{"type":"message","role":"user","content":"a"}"#, .user("a")),
    (
      #"{"type":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"o"}]}"#,
      .toolResult(id: "t", tool: "", output: "o", isSuccess: true)
    ),
    // Content may be empty, but not missing.
    (#"{"type":"assistant","content":[]}"#, .assistant("")), (#"{"type":"user","content":""}"#, .user("")),
    (#"{"type":"system","subtype":"init"}"#, .system("", subtype: "init")),
    // Some servers write the uses of tools beside the text.
    (
      #"{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"n","arguments":"{\"b\":1}"}}]}"#,
      .toolUse(id: "t", name: "n", input: #"{"b":1}"#)
    ),
    // Content other than text and blocks is kept as JSON in a wrapper, which the normaliser removes with a warning.
    (#"{"type":"user","content":{"a":")"}}"#, .user(#"AnyCodableValue({"a":")"})"#)),
    (#"{"type":"user","content":[1,2]}"#, .user("AnyCodableValue([1,2])")),
  ]

  @Test(arguments: messages) func messagesAreRead(_ json: String, _ content: StreamContent) {
    #expect(
      StreamEvent(frame: Self.stream(json))
        == .message(StreamedMessage(id: "m", timestamp: "t", content: content)))
  }

  /// What is missing, or is in the blocks and has no place in the stream.
  private static let damaged: [(String, StreamContent, MessageWarning)] = [
    (#"{"type":"user"}"#, .user(""), .contentIsMissing),
    (#"{"type":"user","content":null}"#, .user(""), .contentIsMissing),
    (#"{"role":"assistant","parts":[{"type":"text","text":"a"}]}"#, .assistant(""), .contentIsMissing),
    (#"{"type":"thinking","body":"a"}"#, .thinking(""), .contentIsMissing),
    (#"{"type":"assistant","delta":true}"#, .assistant("", isDelta: true), .contentIsMissing),
    (
      #"{"type":"tool_result","id":"t","tool":"n"}"#,
      .toolResult(id: "t", tool: "n", output: "", isSuccess: true), .contentIsMissing
    ),
    (
      #"{"type":"tool_use","id":"t","input":{}}"#, .toolUse(id: "t", name: "", input: "{}"), .contentIsMissing
    ),
    (
      #"{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"t","name":"n","input":{}}]}"#,
      .assistant("a"), .blocksWereLeftOut
    ),
    (
      #"{"role":"assistant","content":[{"type":"thinking","thinking":"a"},{"type":"text","text":"b"}]}"#,
      .assistant("b"), .blocksWereLeftOut
    ),
    (
      #"{"role":"user","content":[{"tool_use_id":"t","content":"a"},{"tool_use_id":"u","content":"b"}]}"#,
      .toolResult(id: "t", tool: "", output: "a\n\nb", isSuccess: true), .blocksWereLeftOut
    ),
    (
      #"{"role":"user","content":[{"type":"image","source":{"data":"Bw=="}},{"type":"text","text":"a"}]}"#,
      .user("a"), .blocksWereLeftOut
    ),
    (
      #"{"type":"tool_result","id":"t","tool":"n","output":[{"type":"text","text":"a"},{"type":"image","source":{"data":"Bw=="}}]}"#,
      .toolResult(id: "t", tool: "n", output: "a", isSuccess: true), .blocksWereLeftOut
    ),
  ]

  @Test(arguments: damaged) func whatIsMissingOrLeftOutIsWarnedOf(
    _ json: String, _ content: StreamContent, _ warning: MessageWarning
  ) {
    #expect(
      StreamEvent(frame: Self.stream(json))
        == .message(StreamedMessage(id: "m", timestamp: "t", content: content, warnings: [warning])))
  }

  private static let controls: [(String, ControlMessage)] = [
    (#"{"type":"connected"}"#, .connected()),
    (#"{"type":"connected","sessionId":"s","model":"large","modelAlias":"l"}"#, .connected(model: "large")),
    (#"{"type":"connected","modelAlias":"l"}"#, .connected(model: "l")),
    (#"{"type":"history"}"#, .history([], hasMore: false)),
    (
      #"""
      {"type":"history","messages":[{"type":"assistant","content":"a"},
       {"type":"tool_use","id":"t","name":"n","input":{}},{"type":"state","state":"idle"},
       {"id":"m","timestamp":"u","message":{"type":"user","content":"b"}}],"hasMore":true,"cursor":"c"}
      """#,
      .history(
        [
          PaginatedMessage(id: "", role: "assistant", content: "a", timestamp: ""),
          PaginatedMessage(
            id: "", role: "toolUse", content: "n", timestamp: "", toolName: "n", toolUseId: "t",
            toolInputDescription: "{}"),
          PaginatedMessage(id: "m", role: "user", content: "b", timestamp: "u"),
        ], hasMore: true, cursor: "c")
    ),
    (
      #"{"type":"session_event","action":"deleted","projectPath":"/p","sessionId":"s"}"#,
      .sessionEvent(SessionEvent(action: "deleted", sessionID: "s", projectPath: "/p"))
    ),
    (#"{"type":"queued","position":2}"#, .queued(position: 2)), (#"{"type":"queued"}"#, .queued()),
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
    (#"{"type":"model_changed","model":"b","previousModel":"a"}"#, .modelChanged(to: "b", from: "a")),
    (#"{"type":"model_changed","model":"b"}"#, .modelChanged(to: "b")),
    (#"{"type":"permission_mode_changed","mode":"acceptEdits"}"#, .permissionModeChanged(to: "acceptEdits")),
    (#"{"type":"stopped","reason":"timeout"}"#, .stopped(reason: "timeout")), (#"{"type":"ping"}"#, .ping),
    (#"{"type":"pong","serverTime":"t"}"#, .pong(serverTime: "t")),
    (#"{"type":"interrupted"}"#, .interrupted),
    (#"{"type":"news"}"#, .unknown(type: "news")),
  ]

  @Test(arguments: controls) func controlsAreRead(_ frame: String, _ control: ControlMessage) {
    #expect(StreamEvent(frame: frame) == .control(control))
  }

  /// The server asks the user in the envelope of the stream and without it.
  @Test func questionsAreReadWithoutAnEnvelope() {
    #expect(
      StreamEvent(frame: #"{"type":"permission","id":"p","tool":"n","input":{},"options":["allow"]}"#)
        == .message(
          StreamedMessage(
            id: "p", timestamp: "",
            content: .permission(PermissionRequest(id: "p", tool: "n", input: "{}", options: ["allow"])))))
    #expect(
      StreamEvent(frame: #"{"type":"question","id":"q","questions":[],"timestamp":"t"}"#)
        == .message(
          StreamedMessage(
            id: "q", timestamp: "t", content: .question(QuestionRequest(id: "q", questions: [])))))
  }

  @Test func everyFieldOfASessionIsRead() {
    var metadata = SessionEvent.Metadata(source: "user", messageCount: 42, lastActivityAt: "t2")
    (metadata.createdAt, metadata.archivedAt, metadata.title) = ("t1", "t3", "Sleep")
    (metadata.customTitle, metadata.summary, metadata.model) = ("Naps", "About naps", "large")
    metadata.parentSessionID = "s0"
    let frame = #"""
      {"type":"session_event","action":"updated","projectPath":"/p","sessionId":"s","metadata":{"id":"s",
       "projectPath":"/p","source":"user","createdAt":"t1","lastActivityAt":"t2","messageCount":42,"title":"Sleep",
       "summary":"About naps","customTitle":"Naps","model":"large","archivedAt":"t3","parentSessionId":"s0"}}
      """#
    #expect(
      StreamEvent(frame: frame)
        == .control(
          .sessionEvent(
            SessionEvent(action: "updated", sessionID: "s", projectPath: "/p", metadata: metadata))))
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
    let json = #"""
      {"messages":[1,{"id":7,"role":null,"content":false,"timestamp":[]}],
       "pagination":{"total":2,"limit":5,"offset":0,"hasMore":false}}
      """#
    let page = try #require(FeedValue(json: json.utf8).flatMap { MessagePage($0) })
    #expect(page.messages.map(\.id) == ["", "7"])
    #expect(page.messages[1].content == "AnyCodableValue(false)")
    #expect([page.messages[1].role, page.messages[1].timestamp] == ["", "[]"])
  }

  @Test(arguments: [
    "{}", "[]", #"{"messages":{},"pagination":{}}"#,
    #"{"messages":[],"pagination":{"total":1e99,"limit":5,"offset":0,"hasMore":false}}"#,
  ])
  func whatIsNoPageIsNone(_ text: String) throws {
    #expect(MessagePage(try #require(FeedValue(json: text.utf8))) == nil)
  }
}
