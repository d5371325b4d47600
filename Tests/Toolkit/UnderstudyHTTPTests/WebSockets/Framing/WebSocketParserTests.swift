import Foundation
import TestSupport
import Testing
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyTesting

/// The rules of RFC 6455 §5, in the order and with the numbers of the Autobahn test suite.
@Suite(.stallLimit()) struct WebSocketParserTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let frames: [RawFrame]
    let events: [WebSocketParser.Event]
    /// The code of the violation after the events, if any.
    var failure: WebSocketClosure.Code?

    init(
      _ name: String, _ frames: [RawFrame], _ events: [WebSocketParser.Event] = [],
      fails failure: WebSocketClosure.Code? = nil
    ) {
      (self.name, self.frames, self.events, self.failure) = (name, frames, events, failure)
    }

    var testDescription: String { name }
  }

  static func text(_ text: String) -> WebSocketParser.Event { .message(.text(text)) }
  static func binary(_ bytes: [UInt8]) -> WebSocketParser.Event { .message(.binary(Data(bytes))) }
  static let hello = Array("Hello-µ@ßöäüàá-UTF-8!!".utf8)
  static let star = [UInt8](repeating: 0x2A, count: 70_000)

  static let framing: [Case] =
    [0, 125, 126, 127, 128, 65_535, 65_536].flatMap { size in
      [
        Case(
          "1.1 text of \(size) bytes", [RawFrame(0x81, Array(star[..<size]))],
          [text(String(repeating: "*", count: size))]),
        Case(
          "1.2 binary of \(size) bytes", [RawFrame(0x82, Array(star[..<size]))],
          [binary(Array(star[..<size]))]),
      ]
    }

  static let control: [Case] = [
    Case("2.1 an empty ping", [RawFrame(0x89)], [.ping([])]),
    Case("2.3 a ping with bytes", [RawFrame(0x89, [0, 0xFF, 0xFE])], [.ping([0, 0xFF, 0xFE])]),
    Case("2.4 a ping of 125 bytes", [RawFrame(0x89, Array(star[..<125]))], [.ping(Array(star[..<125]))]),
    Case("2.5 a ping of 126 bytes", [RawFrame(0x89, Array(star[..<126]))], fails: .protocolError),
    Case("2.7 an unsolicited pong", [RawFrame(0x8A, hello)], [.pong(hello)]),
    Case(
      "2.10 ten pings", (0..<10).map { RawFrame(0x89, [$0]) }, (0..<10).map { .ping([$0]) }),
    Case("a fragmented ping", [RawFrame(0x09)], fails: .protocolError),
    Case("a fragmented close", [RawFrame(0x08)], fails: .protocolError),
    Case("a pong of 126 bytes", [RawFrame(0x8A, Array(star[..<126]))], fails: .protocolError),
    Case("a close of 126 bytes", [RawFrame(0x88, [3, 0xE8] + star[..<124])], fails: .protocolError),
  ]

  static let reserved: [Case] =
    [0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70].map {
      Case(
        "3 reserved bits \($0 >> 4)", [RawFrame(0x81, [0x61]), RawFrame(0x81 | $0, hello)], [text("a")],
        fails: .protocolError)
    }
    + [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map {
      Case(
        "4 opcode \($0)", [RawFrame(0x81, [0x61]), RawFrame(0x80 | $0)], [text("a")], fails: .protocolError)
    }

  static let fragments: [Case] = [
    Case("5.1 a ping in two parts", [RawFrame(0x09, [1]), RawFrame(0x80, [2])], fails: .protocolError),
    Case("5.3 text in two parts", [RawFrame(0x01, [0x61]), RawFrame(0x80, [0x62])], [text("ab")]),
    Case(
      "5.6 a ping between two parts",
      [RawFrame(0x01, [0x61]), RawFrame(0x89, [1]), RawFrame(0x80, [0x62])], [.ping([1]), text("ab")]),
    Case(
      "5.9 a part without a beginning", [RawFrame(0x80, [0x61]), RawFrame(0x81, [0x62])],
      fails: .protocolError),
    Case(
      "5.11 a continuation without a beginning", [RawFrame(0x00, [0x61])], fails: .protocolError),
    Case(
      "5.15 a part after the end", [RawFrame(0x01, [0x61]), RawFrame(0x80, [0x62]), RawFrame(0x00, [0x63])],
      [text("ab")], fails: .protocolError),
    Case(
      "5.18 a message within a message", [RawFrame(0x01, [0x61]), RawFrame(0x81, [0x62])],
      fails: .protocolError),
    Case(
      "another kind within a message", [RawFrame(0x01, [0x61]), RawFrame(0x02, [0x62])], fails: .protocolError
    ),
    Case(
      "5.19 five parts and two pings",
      [
        RawFrame(0x01, [0x61]), RawFrame(0x00, [0x62]), RawFrame(0x89, [1]), RawFrame(0x00, [0x63]),
        RawFrame(0x00, [0x64]), RawFrame(0x89, [2]), RawFrame(0x80, [0x65]),
      ], [.ping([1]), .ping([2]), text("abcde")]),
    Case(
      "6.1 three empty parts", [RawFrame(0x01), RawFrame(0x00), RawFrame(0x80)], [text("")]),
    Case(
      "bytes that are not UTF-8", [RawFrame(0x02, [0xFF]), RawFrame(0x80, [0xC0])], [binary([0xFF, 0xC0])]),
    Case(
      "a kind ends with its message",
      [RawFrame(0x81, [0x61]), RawFrame(0x82, [0xFF]), RawFrame(0x81, [0x62])],
      [text("a"), binary([0xFF]), text("b")]),
  ]

  static let utf8: [Case] = [
    Case("6.2 text", [RawFrame(0x81, hello)], [text("Hello-µ@ßöäüàá-UTF-8!!")]),
    Case(
      "6.2.3 a character in pieces",
      hello.enumerated().map { RawFrame($0 == 0 ? 0x01 : 0x00, [$1]) } + [RawFrame(0x80)],
      [text("Hello-µ@ßöäüàá-UTF-8!!")]),
    // It fails at the first invalid byte, before the ping and the end of the message.
    Case(
      "6.4 wrong in the middle of a message",
      [RawFrame(0x01, [0xCE, 0xBA, 0xF4]), RawFrame(0x00, [0x90]), RawFrame(0x89), RawFrame(0x80, [0x80])],
      fails: .invalidPayload),
    Case(
      "6.4 wrong before the end of a frame", [RawFrame(0x81, [0x61, 0xFF], length: 1_000)],
      fails: .invalidPayload),
    Case("a character that does not end", [RawFrame(0x81, [0xE2, 0x98])], fails: .invalidPayload),
    Case(
      "a second message is validated", [RawFrame(0x81, [0x61]), RawFrame(0x81, [0x98])], [text("a")],
      fails: .invalidPayload),
  ]

  static let closing: [Case] =
    [
      Case(
        "7.1 nothing after a goodbye", [RawFrame(0x88), RawFrame(0x81, [0x61]), RawFrame(0xFF)],
        [.close(WebSocketClosure(.noStatus))]),
      Case("7.3.1 no code", [RawFrame(0x88)], [.close(WebSocketClosure(.noStatus))]),
      Case("7.3.2 half a code", [RawFrame(0x88, [3])], fails: .protocolError),
      Case(
        "7.3.4 a reason", [RawFrame(0x88, [3, 0xE8] + Array("bye ☃".utf8))],
        [.close(WebSocketClosure(.normalClosure, "bye ☃"))]),
      Case(
        "7.3.5 the longest reason", [RawFrame(0x88, [3, 0xE8] + star[..<123])],
        [.close(WebSocketClosure(.normalClosure, String(repeating: "*", count: 123)))]),
      Case(
        "7.5.1 a reason that is not valid UTF-8", [RawFrame(0x88, [3, 0xE8, 0xCE, 0xBA, 0xF4])],
        fails: .invalidPayload),
    ]
    + [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999].map {
      Case(
        "7.7 code \($0)", [RawFrame(0x88, [UInt8($0 >> 8), UInt8($0 & 0xFF)])],
        [.close(WebSocketClosure(WebSocketClosure.Code(rawValue: UInt16($0))))])
    }
    + [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map {
      Case("7.9 code \($0)", [RawFrame(0x88, [UInt8($0 >> 8), UInt8($0 & 0xFF)])], fails: .protocolError)
    }

  static let lengths: [Case] = [
    Case("125 in two bytes", [RawFrame(0x82, Array(star[..<125]), form: 2)], fails: .protocolError),
    Case("125 in eight bytes", [RawFrame(0x82, Array(star[..<125]), form: 8)], fails: .protocolError),
    Case("65,535 in eight bytes", [RawFrame(0x82, Array(star[..<65_535]), form: 8)], fails: .protocolError),
    Case("nothing in eight bytes", [RawFrame(0x82, form: 8)], fails: .protocolError),
    Case("the highest bit", [RawFrame(0x82, length: 1 << 63)], fails: .protocolError),
    Case("all bits", [RawFrame(0x82, length: .max)], fails: .protocolError),
    Case("all bits but the highest", [RawFrame(0x82, length: .max >> 1)], fails: .messageTooBig),
    Case(
      "all bits but the highest, in parts", [RawFrame(0x02, [1]), RawFrame(0x80, length: .max >> 1)],
      fails: .messageTooBig),
  ]

  static let cases = framing + control + reserved + fragments + utf8 + closing + lengths

  @Test(arguments: cases) func eventsDoNotDependOnTheChunks(_ test: Case) {
    let bytes = test.frames.flatMap(\.bytes)
    for pieces in cuts(of: bytes) {
      var events = WebSocketParser.events(pieces, readBy: .client)
      if test.failure != nil {
        guard case .violation(let violation)? = events.popLast() else {
          Issue.record("\(test.name) is accepted.")
          return
        }
        #expect(violation.code == test.failure)
      }
      // Not in the macro, which would print all of it.
      let isRight = events == test.events
      #expect(isRight, "\(pieces.count) pieces, the first of \(pieces.first?.count ?? 0) bytes")
    }
  }

  @Test func aClientMasksAndAServerDoesNot() {
    let masked = RawFrame.masked(0x81, Array("Hello".utf8)).bytes
    // RFC 6455 §5.7.
    #expect(masked == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    for pieces in cuts(of: masked) {
      #expect(WebSocketParser.events(pieces, readBy: .server) == [Self.text("Hello")])
    }
    for (bytes, role) in [(masked, WebSocketRole.client), (RawFrame(0x81, [0x61]).bytes, .server)] {
      for pieces in cuts(of: bytes) {
        guard case .violation(let violation)? = WebSocketParser.events(pieces, readBy: role).first else {
          Issue.record("The \(role) accepts it.")
          return
        }
        #expect(violation.code == .protocolError)
      }
    }
  }

  @Test func limitsApplyToMessagesAndFrames() {
    let limits = WebSocketParser.Limits(message: 10, frame: 6)
    let five = [UInt8](repeating: 0x61, count: 5)
    func events(_ frames: RawFrame...) -> [WebSocketParser.Event] {
      WebSocketParser.events([frames.flatMap(\.bytes)], readBy: .client, limits: limits)
    }
    #expect(events(RawFrame(0x01, five), RawFrame(0x80, five)) == [Self.text("aaaaaaaaaa")])
    // A control frame does not count as part of a message.
    #expect(
      events(RawFrame(0x01, five), RawFrame(0x89, five + five), RawFrame(0x80, five)).last
        == Self.text("aaaaaaaaaa"))
    for frames in [
      [RawFrame(0x01, five), RawFrame(0x00, five), RawFrame(0x80, [0x61])],
      // Rejected by its header.
      [RawFrame(0x81, length: 7)],
    ] {
      let seen = WebSocketParser.events([frames.flatMap(\.bytes)], readBy: .client, limits: limits)
      guard case .violation(let violation)? = seen.first else {
        Issue.record("It is accepted.")
        return
      }
      #expect(violation.code == .messageTooBig)
      #expect(violation.error.code == .bodyTooLarge)
    }
  }

  @Test func theReasonFitsIntoACloseFrame() {
    for test in Self.cases where test.failure != nil {
      let events = WebSocketParser.events([test.frames.flatMap(\.bytes)], readBy: .client)
      guard case .violation(let violation)? = events.last else { continue }
      let closure = WebSocketClosure(violation.code, violation.message)
      #expect(closure.asSent == closure)
    }
  }
}
