import Foundation
import Understudy
import UnderstudyHTTP

/// WebSocket frames, compared with a reference parser that has all bytes.
struct WebSocketSubject: FuzzSubject {
  let name = "websocket"

  static let limits = WebSocketParser.Limits(message: 400, frame: 300)

  func grow(_ random: inout SeededGenerator) -> [UInt8] {
    var input: [UInt8] = []
    // The first byte selects the reader's role.
    let isServer = Bool.random(using: &random)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let key: UInt32? = isServer ? .random(in: .min ... .max, using: &random) : nil
      for frame in Self.frames(&random) { input += frame.bytes(maskedWith: key) }
    }
    if Int.random(in: 0..<3, using: &random) > 0 { input.spoil(&random) }
    return [isServer ? 1 : 0] + input
  }

  /// A control frame, or a message in one or more frames, optionally with a control frame between them.
  private static func frames(_ random: inout SeededGenerator) -> [WebSocketFrame] {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return [WebSocketFrame(.ping, .random(.random(in: 0...125, using: &random), &random))]
    case 1: return [WebSocketFrame(.pong, .random(.random(in: 0...8, using: &random), &random))]
    case 2:
      let code = UInt16.random(in: 990...5_010, using: &random)
      return [
        WebSocketFrame(.close, [UInt8(code >> 8), UInt8(code & 0xFF)] + Self.text(&random).utf8.prefix(100))
      ]
    default: break
    }
    let isText = Bool.random(using: &random)
    let lengths = [0, 1, 5, 124, 125, 126, 127, 200, 299, 300, 301, 420]
    let payload =
      isText ? Array(Self.text(&random).utf8) : .random(lengths.randomElement(using: &random) ?? 0, &random)
    var frames: [WebSocketFrame] = []
    var rest = payload[...]
    repeat {
      let count = Bool.random(using: &random) ? rest.count : Int.random(in: 0...rest.count, using: &random)
      let opcode: WebSocketOpcode = frames.isEmpty ? isText ? .text : .binary : .continuation
      frames.append(WebSocketFrame(opcode, Array(rest.prefix(count)), isFinal: false))
      rest = rest.dropFirst(count)
    } while !rest.isEmpty
    frames[frames.count - 1].isFinal = true
    if frames.count > 1, Bool.random(using: &random) { frames.insert(WebSocketFrame(.ping, [1, 2]), at: 1) }
    return frames
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let characters: [Character] = [
      "a", "é", "☃", "😀", "\u{0}", "\u{7FF}", "\u{FFFF}", "\u{10FFFF}", "\u{D7FF}",
    ]
    return String(
      (0..<Int.random(in: 0...40, using: &random)).map { _ in characters.randomElement(using: &random) ?? "a"
      })
  }

  func check(_ input: [UInt8]) throws -> String {
    guard let first = input.first else { return "empty" }
    let role: WebSocketRole = first & 1 == 1 ? .server : .client
    let bytes = Array(input.dropFirst())
    let expected = ReferenceFrames(role, Self.limits).events(in: bytes)
    for pieces in cuts(of: bytes) {
      var parser = WebSocketParser(role, limits: Self.limits)
      var events: [WebSocketParser.Event] = []
      for piece in pieces {
        events += parser.consume(piece)
        guard parser.heldByteCount <= Self.limits.message + 125 + 13 else {
          throw FuzzFailure(
            "\(parser.heldByteCount) bytes are buffered for a message of at most \(Self.limits.message).")
        }
      }
      guard events.map(ReferenceFrames.Event.init) == expected else {
        throw FuzzFailure("Read in \(pieces.count) pieces: \(events). Expected: \(expected).")
      }
    }
    try checkWriting(expected, role)
    switch expected.last {
    case .violation(let code): return "refused with \(code)"
    case .other(.close(let closure)): return "closed with \(closure.code.mayBeSent ? "a code" : "none")"
    case .other: return "accepted"
    case nil: return "incomplete"
    }
  }

  /// Checks that frames are equal after writing and parsing them.
  private func checkWriting(_ events: [ReferenceFrames.Event], _ role: WebSocketRole) throws {
    var bytes: [UInt8] = []
    var readable: [WebSocketParser.Event] = []
    for case .other(let event) in events {
      let frame =
        switch event {
        case .message(let message): WebSocketFrame(message)
        case .ping(let payload): WebSocketFrame(.ping, payload)
        case .pong(let payload): WebSocketFrame(.pong, payload)
        case .close(let closure): WebSocketFrame(.close, closure.payload)
        case .violation: WebSocketFrame(.ping)
        }
      readable.append(event)
      bytes += frame.bytes(maskedWith: role == .server ? 0xA1B2_C3D4 : nil)
    }
    // One frame may now contain the payload of several frames.
    var parser = WebSocketParser(role, limits: WebSocketParser.Limits(message: Self.limits.message))
    let again = parser.consume(bytes)
    guard again == readable else { throw FuzzFailure("After writing, \(readable) is read as \(again).") }
  }
}
