import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyTransport
import UnderstudyTesting

/// The rules of WHATWG HTML §9.2.6, among them the cases of web-platform-tests `eventsource/format-*`.
@Suite(.stallLimit()) struct ServerSentEventParserTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let input: [UInt8]
    let events: [HTTP.ServerSentEvent]

    init(_ name: String, _ input: String, _ events: HTTP.ServerSentEvent...) {
      self.init(name, Array(input.utf8), events)
    }

    init(_ name: String, _ input: [UInt8], _ events: [HTTP.ServerSentEvent]) {
      (self.name, self.input, self.events) = (name, input, events)
    }

    var testDescription: String { name }
  }

  static func message(_ data: String, id: String = "", retry: Duration? = nil) -> HTTP.ServerSentEvent {
    HTTP.ServerSentEvent(data: data, id: id, retry: retry)
  }

  static let cases: [Case] = [
    Case("nothing", ""),
    Case("one event", "data: a\n\n", message("a")),
    Case("three lines of data", "data: YHOO\ndata: +2\ndata: 10\n\n", message("YHOO\n+2\n10")),
    // format-field-data, format-field-data-with-empty…
    Case(
      "data without a value", "data:\n\ndata\ndata\n\ndata:test\n\n", message(""), message("\n"),
      message("test")),
    Case("only the first space is dropped", "data:  a \n\ndata:\tb\n\n", message(" a "), message("\tb")),
    Case("a colon in the value", "data: a: b\n\n", message("a: b")),
    // format-newlines
    Case("all three line ends", "data:test\r\ndata\ndata:test\r\n\r\n", message("test\n\ntest")),
    Case("carriage returns alone", "data: a\r\rdata: b\r\r", message("a"), message("b")),
    Case("CR, then CRLF", "data: a\r\r\ndata: b\n\r", message("a"), message("b")),
    Case("blank lines between events", "\n\r\n\rdata: a\n\n\n\n", message("a")),
    // format-bom, format-bom-2
    Case("a byte order mark", "\u{FEFF}data: 1\n\n", message("1")),
    Case("one byte order mark alone is dropped", "\u{FEFF}\u{FEFF}data: 1\n\ndata: 2\n\n", message("2")),
    Case("a byte order mark later", "data: 1\n\n\u{FEFF}data: 2\n\ndata: 3\n\n", message("1"), message("3")),
    Case("half a byte order mark", [0xEF, 0xBB] + Array("data: 1\n\ndata: 2\n\n".utf8), [message("2")]),
    // format-comments
    Case(
      "comments", "data:1\r:\0\n:\r\ndata:2\n:\(String(repeating: "x", count: 40))\rdata:3\n:data:fail\r\n\n",
      message("1\n2\n3")),
    Case("a comment is not an event", ": keep-alive\n\n"),
    // format-field-parsing
    Case(
      "names are taken to the letter",
      "data:\0\n data:1\n\u{FEFF}data:1\nData:1\ndata\0:2\ndat:3\ndatax:4\n:data:5\ndata:6\n\n",
      message("\0\n6")),
    Case("an unknown field", "data:test\nfoobar:xxx\njustsometext\n:thisisacomment\n\n", message("test")),
    // format-data-before-final-empty-line, format-field-event
    Case("a block that is not ended", "data: a\n\ndata: b\n", message("a")),
    Case("a line that is not ended", "data: a\n\ndata: b", message("a")),
    Case(
      "types", "event:test\ndata:x\n\ndata:x\n\n", HTTP.ServerSentEvent(type: "test", data: "x"), message("x")
    ),
    Case("an empty type", "event: a\nevent:\ndata: x\n\nevent\ndata: y\n\n", message("x"), message("y")),
    Case("a type without data does not outlive its block", "event: a\n\ndata: x\n\n", message("x")),
    // format-field-id, format-field-id-2, format-field-id-3, format-field-id-null
    Case(
      "an id outlives its event", "id: 1\ndata: a\n\ndata: b\n\n", message("a", id: "1"),
      message("b", id: "1")),
    Case(
      "an empty id resets it", "id: 1\ndata: a\n\nid\ndata: b\n\nid:\ndata: c\n\n", message("a", id: "1"),
      message("b"), message("c")),
    Case("an id in a block without data", "id: 1\n\ndata: a\n\n", message("a", id: "1")),
    Case("an id with NUL", "id: 1\nid: 2\0\ndata: a\n\n", message("a", id: "1")),
    Case("an id after the data", "data: a\nid: …\n\n", message("a", id: "…")),
    // format-field-retry, -bogus, -empty
    Case("retry", "retry:03000\ndata:x\n\n", message("x", retry: .milliseconds(3000))),
    Case("retry without data", "retry: 5\n\ndata: x\n\n", message("x", retry: .milliseconds(5))),
    Case(
      "retry that is not a number",
      "retry:3\nretry:1000x\nretry: -5\nretry:+5\nretry:5.\nretry:  5\nretry:٣\nretry\ndata:x\n\n",
      message("x", retry: .milliseconds(3))),
    Case(
      "a retry beyond the largest number", "retry:99999999999999999999999\ndata:x\n\n",
      message("x", retry: .milliseconds(Int.max))),
    // format-utf-8, and the replacements that the Encoding Standard defines for invalid bytes
    Case("text", "data: zoë 👩‍👧‍👦 e\u{301}\n\n", message("zoë 👩‍👧‍👦 e\u{301}")),
    Case(
      "invalid UTF-8",
      Array("data: ".utf8) + [0xFF, 0x41, 0xC0, 0xAF, 0xE2, 0x82, 0x41, 0xED, 0xA0, 0x80, 0xF0, 0x9F, 0x98]
        + Array("\n\n".utf8),
      [message("\u{FFFD}A\u{FFFD}\u{FFFD}\u{FFFD}A\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")]),
    Case(
      "a character that is cut by a line",
      Array("data: ".utf8) + [0xE2, 0x82, 0x0A, 0xAC] + Array("\n\n".utf8),
      [message("\u{FFFD}")]),
    // LF inside a character's UTF-16 must not end a line: U+0A0D and U+850A.
    Case("bytes that look like line ends", "data: \u{0A0D}\u{850A}\n\n", message("\u{0A0D}\u{850A}")),
  ]

  @Test(arguments: cases) func follows(_ rule: Case) {
    let whole = Self.events(of: [rule.input])
    #expect(whole == rule.events)
    // String equality would let one normalisation form pass for another.
    #expect(whole.map { Array($0.data.utf8) } == rule.events.map { Array($0.data.utf8) })
    #expect(ReferenceEventParser.events(in: rule.input) == rule.events, "The reference is wrong.")
  }

  @Test(arguments: cases) func eventsDoNotDependOnTheChunks(_ rule: Case) {
    #expect(Self.events(of: rule.input.map { [$0] }) == rule.events, "byte by byte")
    for first in 0...rule.input.count {
      for second in Effort.some(of: first...rule.input.count, every: 3) {
        let pieces = [rule.input[..<first], rule.input[first..<second], rule.input[second...]].map(Array.init)
        #expect(Self.events(of: pieces) == rule.events, "cut at \(first) and \(second)")
      }
    }
  }

  @Test func randomStreamsAreReadAsTheSpecificationSays() {
    for seed in 0..<UInt64(Effort.times(50)) { Self.expectRandomStreamIsRead(seed: seed) }
  }

  private static func expectRandomStreamIsRead(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parts =
      [
        "data", "id", "event", "retry", ":", ":", ": ", "\n", "\n", "\r", "\r\n", "\n\n", "x", "17", "é", "👧",
        "\0",
        "\u{FEFF}", " ",
      ].map { Array($0.utf8) } + [[0xFF], [0xE2], [0x80], [0xEF, 0xBB], [0xBF]]
    var input: [UInt8] = []
    for _ in 0..<Int.random(in: 0..<120, using: &random) {
      input += parts.randomElement(using: &random) ?? []
    }
    let expected = ReferenceEventParser.events(in: input)
    #expect(Self.events(of: [input]) == expected, "seed \(seed)")
    #expect(Self.events(of: input.map { [$0] }) == expected, "seed \(seed)")
    for _ in 0..<10 {
      var pieces: [[UInt8]] = []
      var rest = input[...]
      while !rest.isEmpty {
        let count = min(rest.count, Int.random(in: 0..<12, using: &random))
        pieces.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(Self.events(of: pieces) == expected, "seed \(seed): \(pieces)")
    }
  }

  @Test func anEventIsCompleteAtTheFirstByteOfItsBlankLine() throws {
    for end in ["\n\n", "\r\r", "\r\n\r"] {
      var parser = ServerSentEventParser()
      parser.append(Data("data: a\(end)".dropLast().utf8))
      #expect(try parser.next() == nil)
      parser.append(Data(end.utf8.suffix(1)))
      #expect(try parser.next()?.data == "a")
      #expect(try parser.next() == nil)
    }
  }

  @Test func theValuesForReconnectingAreKept() throws {
    var parser = ServerSentEventParser()
    #expect(parser.lastEventID == "")
    #expect(parser.reconnectionTime == nil)
    parser.append(Data("id: 7\nretry: 250\n".utf8))
    #expect(try parser.next() == nil)
    #expect(parser.lastEventID == "", "The block has not ended.")
    #expect(parser.reconnectionTime == .milliseconds(250), "A retry counts at once.")
    parser.append(Data("\n".utf8))
    #expect(try parser.next() == nil)
    #expect(parser.lastEventID == "7")
  }

  /// Lines, comments, values and sums of values, each once at the limit and once above.
  @Test(arguments: [
    ("data: 45678", false), ("data: 456789", true), (": 234567890", false), (": 2345678901", true),
    ("data:123456\ndata:345\ndata:", false),
    ("data:123456\ndata:345\ndata:0", true), ("event:78901", false), ("id:4567890123", true),
  ])
  func memoryIsBounded(lines: String, isTooLong: Bool) {
    let input = Array("data:ok\n\n\(lines)\n\ndata:on\n\n".utf8)
    for pieces in [[input], input.map { [$0] }] {
      var parser = ServerSentEventParser(sizeLimit: 11)
      var (events, failures) = ([String](), 0)
      for piece in pieces {
        parser.append(Data(piece))
        do throws(TransportError) {
          while let event = try parser.next() { events.append(event.data) }
        } catch {
          failures += 1
          #expect(error.code == .bodyTooLarge)
        }
      }
      #expect(events.first == "ok", "What came before the limit is delivered.")
      #expect((failures > 0) == isTooLong)
      #expect(events.contains("on") == !isTooLong, "After the error there is nothing.")
    }
  }

  @Test func anUnterminatedLineIsRejectedAtTheLimit() {
    var parser = ServerSentEventParser(sizeLimit: 10)
    parser.append(Data(repeating: UInt8(ascii: "x"), count: 11))
    #expect(throws: TransportError.self) { try parser.next() }
  }

  @Test func manyShortEventsDoNotCountTogether() throws {
    var parser = ServerSentEventParser(sizeLimit: 10)
    for _ in 0..<100 {
      parser.append(Data("data: 1234\n\n".utf8))
      #expect(try parser.next()?.data == "1234")
    }
  }

  private static func events(of pieces: [[UInt8]]) -> [HTTP.ServerSentEvent] {
    var parser = ServerSentEventParser()
    var events: [HTTP.ServerSentEvent] = []
    for piece in pieces {
      parser.append(Data(piece))
      while let event = try? parser.next() { events.append(event) }
    }
    return events
  }
}
