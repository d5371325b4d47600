import Foundation
import SharedServices
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

@testable import SharedServicesLive

/// The items of the history in every shape that the server of seed 000 stores; written by hand, with invented content.
@Suite(.stallLimit()) struct StoredMessageTests {
  /// An item, and the message that a chat shows of it, which has no warning.
  struct Sample: Sendable, CustomTestStringConvertible {
    let json: String
    let role: ChatMessage.Role
    let content: String
    var tool: [String?] = [nil, nil, nil, nil, nil]
    var image: Data?

    init(
      _ role: ChatMessage.Role, _ content: String, tool name: String? = nil, use: String? = nil,
      result: String? = nil, input: String? = nil, output: String? = nil, image: Data? = nil,
      _ message: String, around item: (String) -> String = Self.envelope
    ) {
      json = item(message)
      (self.role, self.content, self.image) = (role, content, image)
      tool = [name, use, result, input, output]
    }

    var testDescription: String { json }

    static func envelope(_ message: String) -> String {
      #"{"id":"m","timestamp":"2026-01-03T12:00:00.000Z","message":\#(message)}"#
    }

    static func flat(_ members: String) -> String {
      #"{"id":"m","timestamp":"2026-01-03T12:00:00.000Z",\#(members)}"#
    }
  }

  static let samples: [Sample] = [
    // By type.
    Sample(.user, "Why?", #"{"type":"user","content":"Why?"}"#),
    Sample(.assistant, "So.", #"{"type":"assistant","content":"So.","delta":false}"#),
    Sample(.system, "Ready", #"{"type":"system","content":"Ready","subtype":"init"}"#),
    Sample(.resultSuccess, "Done", #"{"type":"system","content":"Done","subtype":"result"}"#),
    Sample(.thinking, "Hm.", #"{"type":"thinking","content":"Hm."}"#),
    Sample(.thinking, "Hm.", #"{"type":"thinking","thinking":"Hm."}"#),
    Sample(
      .toolUse, "List", tool: "Shell", use: "t", input: "List",
      #"{"type":"tool_use","id":"t","name":"Shell","input":{"command":"ls"},"inputDescription":"List"}"#),
    Sample(
      .toolUse, "Shell", tool: "Shell", use: "t", input: #"{"command":"ls"}"#, output: "a.txt",
      #"{"type":"tool_use","id":"t","name":"Shell","input":{"command":"ls"},"result":{"output":"a.txt","success":true}}"#
    ),
    Sample(
      .toolResult, "a.txt", tool: "Shell", result: "t", output: "a.txt",
      #"{"type":"tool_result","id":"t","tool":"Shell","output":"a.txt","success":true,"isError":false}"#),
    // By role, with a text, blocks or nothing.
    Sample(.user, "Why?", #"{"role":"user","content":"Why?"}"#),
    Sample(.assistant, "So.", #"{"role":"assistant","content":[{"type":"text","text":"So."}]}"#),
    Sample(
      .assistant, "One\n\nTwo",
      #"{"role":"assistant","content":[{"type":"redacted_thinking","data":"s"},{"type":"text","text":"One"},{"type":"text","text":"Two"}]}"#
    ),
    Sample(.thinking, "Hm.", #"{"role":"assistant","content":[{"type":"thinking","thinking":"Hm."}]}"#),
    Sample(
      .toolUse, "Shell", tool: "Shell", use: "t", input: #"{"command":"ls"}"#,
      #"{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Shell","input":{"command":"ls"}}]}"#
    ),
    Sample(
      .assistant, "Look:", tool: "Shell", use: "t", input: "{}",
      #"{"role":"assistant","content":[{"type":"text","text":"Look:"},{"type":"tool_use","id":"t","name":"Shell","input":{}}]}"#
    ),
    Sample(
      .toolResult, "a.txt", result: "t", output: "a.txt",
      #"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a.txt"}],"is_error":false}]}"#
    ),
    Sample(
      .user, "See", image: Data([7]),
      #"{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"Bw=="}},{"type":"text","text":"See"}]}"#
    ),
    Sample(.assistant, "", #"{"role":"assistant","content":""}"#),
    Sample(.user, "", #"{"role":"user","content":[]}"#),
    // Without a text, because there is something else.
    Sample(
      .toolUse, "Shell", tool: "Shell", use: "t", input: #"{"command":"ls"}"#,
      #""role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"Shell","arguments":"{\"command\":\"ls\"}"}}]"#,
      around: Sample.flat),
    Sample(
      .assistant, "Look:", tool: "Shell", use: "t", input: "{}",
      #"{"role":"assistant","content":"Look:","toolCalls":[{"id":"t","name":"Shell","input":{}}]}"#),
    Sample(
      .assistant, "", tool: "Shell", use: "t",
      #""role":"assistant","content":null,"toolName":"Shell","toolUseId":"t""#, around: Sample.flat),
    Sample(
      .toolUse, "Shell", tool: "Shell", use: "t", #""role":"toolUse","toolName":"Shell","toolUseId":"t""#,
      around: Sample.flat),
    Sample(
      .toolResult, "a.txt", result: "t", output: "a.txt",
      #""role":"toolResult","toolResultId":"t","toolOutput":"a.txt""#, around: Sample.flat),
    Sample(.user, "", image: Data([7]), #""role":"user","imageData":"Bw==""#, around: Sample.flat),
    Sample(.system, "", #"{"type":"system","subtype":"init"}"#),
    Sample(
      .toolResult, "", result: "t", output: "",
      #"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}"#),
    // The image is in the result.
    Sample(
      .toolResult, "a.png", result: "t", output: "a.png", image: Data([7]),
      #"{"role":"user","content":[{"tool_use_id":"t","content":[{"type":"text","text":"a.png"},{"type":"image","source":{"data":"Bw=="}}]}]}"#
    ),
    Sample(.localCommand, "ls", #"{"role":"localCommand","content":"ls"}"#),
    // Blocks without types, as the assistant's kit prints them.
    Sample(
      .toolResult, "a.txt", result: "t", output: "a.txt",
      #"{"role":"user","content":[{"tool_use_id":"t","content":"a.txt"}]}"#),
    // The blocks beside the message, where that has no text.
    Sample(.assistant, "So.", #"{"type":"assistant","content":""}"#) {
      Sample.flat(#""message":\#($0),"rawContent":[{"type":"text","text":"So."}]"#)
    },
    // Flat, as in seed 000.
    Sample(.assistant, "So.", #""role":"assistant","content":"So.""#, around: Sample.flat),
    Sample(
      .assistant, "So.", #""role":"assistant","content":[{"type":"text","text":"So."}]"#, around: Sample.flat),
    Sample(
      .toolResult, "a.txt", tool: "Shell", use: "u", result: "t", input: "List", output: "a.txt",
      #""role":"toolResult","content":"a.txt","tool_name":"Shell","tool_use_id":"u","tool_result_id":"t","tool_input_description":"List","tool_output":"a.txt""#,
      around: Sample.flat),
    // An alias alone is enough.
    Sample(.user, "Why?", #"{"type":"user","content":"Why?"}"#) {
      #"{"uuid":"m","created_at":"2026-01-03t12:00:00z","message":\#($0)}"#
    },
    Sample(.assistant, "So.", #"{"id":"other","type":"message","role":"assistant","content":"So."}"#) {
      #"{"type":"assistant","uuid":"m","createdAt":"2026-01-03T12:00:00Z","message":\#($0)}"#
    },
  ]

  @Test(arguments: samples) func aStoredMessageIsValid(_ sample: Sample) throws {
    let page = try Self.page([sample.json])
    let message = try #require(page.messages.first)
    let validated = try MessageNormalizer().normalize(message).get()
    #expect([validated.id, validated.content] == ["m", sample.content])
    #expect(validated.role == sample.role)
    #expect(validated.timestamp == Date(timeIntervalSince1970: 1_767_441_600))
    #expect(
      [
        validated.toolName, validated.toolUseId, validated.toolResultId, validated.toolInputDescription,
        validated.toolOutput,
      ] == sample.tool)
    #expect(validated.imageData == sample.image)
    #expect(validated.warnings == [])
    // An app that reads pages by itself decodes the same.
    let decoded = try JSONDecoder().decode(PaginatedMessage.self, from: Data(sample.json.utf8))
    #expect(decoded == message)
    #expect(try JSONDecoder().decode(PaginatedMessage.self, from: JSONEncoder().encode(message)) == message)
  }

  /// A chat would show empty bubbles, as if nothing had been said.
  @Test(
    arguments: [
      #""role":"user""#, #""role":"user","content":null"#, #""role":"user","message":"Why?""#,
      #""role":"assistant","parts":[{"type":"text","text":"So."}]"#, #""role":"thinking","body":"Hm.""#,
      #""role":"error","reason":"Busy""#, #""role":"localCommand","command":"ls""#,
    ].map(Sample.flat)
      + [
        #"{"role":"user"}"#, #"{"type":"assistant","content":null}"#, #"{"role":"user","parts":["Why?"]}"#,
        #"{"type":"thinking","body":"Hm."}"#, #"{"type":"localCommand","command":"ls"}"#,
      ].map(Sample.envelope))
  func aMessageWithoutContentIsRefused(_ json: String) throws {
    let message = try #require(try Self.page([json]).messages.first)
    #expect(message.warnings == [.contentIsMissing])
    let result = MessageNormalizer().normalize(message)
    #expect(
      throws: MessageValidationError.corruptedContent("A message of the role \(message.role) without content")
    ) {
      try result.get()
    }
    #expect(try JSONDecoder().decode(PaginatedMessage.self, from: Data(json.utf8)) == message)
    #expect(try JSONDecoder().decode(PaginatedMessage.self, from: JSONEncoder().encode(message)) == message)
  }

  /// They have more to show than their content, or nothing.
  @Test(
    arguments: [
      #""role":"toolUse","toolUseId":"t""#, #""role":"toolResult","toolResultId":"t","result":"a.txt""#,
      #""role":"localCommandStdout","stdout":"a.txt""#, #""role":"system","parts":["Ready"]"#,
    ].map(Sample.flat)
      + [
        #"{"type":"tool_use","id":"t","input":{}}"#, #"{"type":"tool_result","id":"t","result":"a.txt"}"#,
        #"{"role":"system","parts":["Ready"]}"#,
      ].map(Sample.envelope))
  func anotherMessageWithoutContentHasAWarning(_ json: String) throws {
    let message = try #require(try Self.page([json]).messages.first)
    let validated = try MessageNormalizer().normalize(message).get()
    #expect(validated.content == "")
    #expect(validated.warnings == [.contentIsMissing])
  }

  /// Blocks for which a message has no place.
  @Test(arguments: [
    #"{"type":"thinking","thinking":"Hm."},{"type":"text","text":"So."}"#,
    #"{"type":"thinking","thinking":"Hm."},{"type":"tool_use","id":"t","name":"Shell","input":{}}"#,
    #"{"type":"tool_use","id":"t","name":"a","input":{}},{"type":"tool_use","id":"u","name":"b","input":{}}"#,
    #"{"tool_use_id":"t","content":"a"},{"tool_use_id":"u","content":"b"}"#,
    #"{"type":"image","source":{"data":"Bw=="}},{"type":"image","source":{"data":"CA=="}}"#,
    #"{"type":"text","text":"See"},{"type":"image","source":{"type":"url","url":"https://a.example/b.png"}}"#,
    #"{"type":"image","source":{"data":"Bw=="}},{"tool_use_id":"t","content":[{"type":"image","source":{"data":"CA=="}}]}"#,
  ])
  func whatIsLeftOutIsWarnedOf(_ blocks: String) throws {
    let page = try Self.page([
      Sample.envelope(#"{"role":"assistant","content":[\#(blocks)]}"#),
      Sample.flat(#""role":"assistant","content":[\#(blocks)]"#),
      Sample.flat(#""message":{"type":"assistant","content":""},"rawContent":[\#(blocks)]"#),
    ])
    for message in page.messages {
      #expect(try MessageNormalizer().normalize(message).get().warnings == [.blocksWereLeftOut])
      #expect(
        try JSONDecoder().decode(PaginatedMessage.self, from: JSONEncoder().encode(message)) == message)
    }
    #expect(page.messages.count == 3)
  }

  /// The blocks beside a message have its tools and its image, too.
  @Test func theToolsOfTheBlocksBesideAMessageAreKept() throws {
    let blocks =
      #"{"type":"text","text":"Look:"},{"type":"tool_use","id":"t","name":"Shell","input":{}},{"type":"image","source":{"data":"Bw=="}}"#
    let page = try Self.page([
      Sample.flat(#""message":{"type":"assistant","content":""},"rawContent":[\#(blocks)]"#)
    ])
    let message = try #require(page.messages.first)
    #expect([message.content, message.toolUseId, message.toolName] == ["Look:", "t", "Shell"])
    #expect(message.imageData == Data([7]))
    #expect(message.warnings == [])
  }

  /// A chat would count them as invalid messages.
  @Test func storedEventsWithoutAMessageAreLeftOut() throws {
    let events = [
      #"{"type":"state","state":"idle"}"#, #"{"type":"usage","inputTokens":1,"outputTokens":2}"#,
      #"{"type":"progress","id":"t","tool":"Shell","elapsed":1}"#,
      #"{"type":"permission","id":"p","tool":"Shell","input":{},"options":["allow"]}"#,
      #"{"type":"question","id":"q","questions":[]}"#,
      #"{"type":"subagent_start","id":"a","description":"Reads"}"#, #"{"type":"subagent_complete","id":"a"}"#,
      #"{"type":"assistant","content":"So","delta":true}"#,
    ]
    #expect(try Self.page(events.map(Sample.envelope)).messages == [])
    let text =
      #"{"messages":[\#(events.map(Sample.envelope).joined(separator: ","))],"pagination":\#(Self.pagination(8))}"#
    #expect(try JSONDecoder().decode(MessagePage.self, from: Data(text.utf8)).messages == [])
  }

  @Test(arguments: ["{}", "[]", "1", #"{"id":"m"}"#, #"{"role":"user","content":"a","timestamp":"t"}"#])
  func whatIsNotAMessageIsNotDecoded(_ json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PaginatedMessage.self, from: Data(json.utf8))
    }
  }

  /// An app that reads pages by itself loses no message because of another one.
  @Test(arguments: ["{}", "[]", "1", #"{"id":"m"}"#, #"{"role":"user","content":"a","timestamp":"t"}"#])
  func onlyTheItemIsRefused(_ json: String) throws {
    let items = [Self.samples[0].json, json, Self.samples[1].json]
    let page = try Self.page(items)
    let text = #"{"messages":[\#(items.joined(separator: ","))],"pagination":\#(Self.pagination(3))}"#
    #expect(try JSONDecoder().decode(MessagePage.self, from: Data(text.utf8)) == page)
    let results = page.messages.map { MessageNormalizer().normalize($0) }
    #expect(results.map { (try? $0.get())?.content } == ["Why?", nil, "So."])
    // The page itself must be one.
    for spoiled in [#"{"messages":[\#(json)]}"#, #"{"messages":{},"pagination":\#(Self.pagination(0))}"#] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(MessagePage.self, from: Data(spoiled.utf8))
      }
    }
  }

  /// A page that another encoder wrote has data and dates of its own.
  @Test func aPageIsDecodedInAnyFormat() throws {
    let page = try Self.page(Self.samples.map(\.json))
    #expect(page.messages.contains { $0.imageData != nil })
    #expect(
      try PropertyListDecoder().decode(MessagePage.self, from: PropertyListEncoder().encode(page)) == page)
    #expect(try JSONDecoder().decode(MessagePage.self, from: JSONEncoder().encode(page)) == page)
  }

  @Test func anUnknownTypeOrRoleIsKeptForTheNormalizer() throws {
    let items = [
      Sample.envelope(#"{"type":"song","content":"La"}"#),
      Sample.envelope(#"{"role":"boss","content":"Go"}"#),
      Sample.envelope("{}"), Sample.flat(#""role":"boss","content":"Go""#), Sample.flat(#""content":"Go""#),
      Sample.flat(#""role":"boss","content":[{"type":"tool_use","id":"t","name":"n","input":{}}]"#),
    ]
    #expect(try Self.page(items).messages.map(\.role) == ["song", "boss", "", "boss", "", "boss"])
  }

  /// A value in the wrong form is repaired with a warning; a block of an unknown type is shown, and not lost.
  @Test func onlyDamageIsWarnedOf() throws {
    let page = try Self.page([
      Sample.envelope(#"{"role":"assistant","content":{"a":1}}"#),
      Sample.envelope(
        #"{"role":"assistant","content":[{"type":"text","text":"See"},{"type":"chart","x":1}]}"#),
    ])
    let found = try page.messages.map { try MessageNormalizer().normalize($0).get() }
    #expect(found.map(\.content) == [#"{"a":1}"#, "See\n\n{\"type\":\"chart\",\"x\":1}"])
    #expect(found.map(\.warnings) == [[.contentWasWrapped], [.contentWasWrapped]])
  }

  /// Whatever happens to one item, the others are read, and nothing stops the app.
  @Test func aSpoiledItemSpoilsNoOther() throws {
    var random = SeededGenerator(seed: 11)
    let pieces = [
      "1e999", "null", "[]", "{}", "[[]]", "true", "\"role\"", "\"content\":", "{\"type\":\"text\"}", "\"",
      "é",
    ]
    let whole = try Self.page(Self.samples.map(\.json)).messages
    for _ in 0..<Effort.times(500) {
      let place = Int.random(in: 0..<Self.samples.count, using: &random)
      var bytes = Array(Self.samples[place].json.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0...8, using: &random))
        bytes.replaceSubrange(start..<end, with: Array((pieces.randomElement(using: &random) ?? "").utf8))
      }
      // A page is JSON as a whole.
      guard let item = FeedValue(json: bytes) else { continue }
      var items = Self.samples.map(\.json)
      items[place] = item.compactText
      let messages = try Self.page(items).messages
      let isMessage = messages.count == whole.count
      #expect(messages.prefix(place) == whole.prefix(place))
      #expect(messages.dropFirst(isMessage ? place + 1 : place) == whole.dropFirst(place + 1))
      for message in messages { _ = MessageNormalizer().normalize(message) }
    }
  }

  private static func pagination(_ total: Int) -> String {
    #"{"total":\#(total),"limit":50,"offset":0,"hasMore":false}"#
  }

  private static func page(_ items: [String]) throws -> MessagePage {
    let text = #"{"messages":[\#(items.joined(separator: ","))],"pagination":\#(pagination(items.count))}"#
    return try #require(FeedValue(json: text.utf8).flatMap { MessagePage($0) })
  }
}
