import Foundation
import UnderstudyHTTP

/// A reference parser of RFC 6455 §5 that has all bytes and applies one rule after the other: slow, and easy to compare
/// with the RFC.
struct ReferenceFrames {
  /// An event; of a violation only its code.
  enum Event: Hashable {
    case other(WebSocketParser.Event)
    case violation(UInt16)

    init(_ event: WebSocketParser.Event) {
      if case .violation(let violation) = event {
        self = .violation(violation.code.rawValue)
      } else {
        self = .other(event)
      }
    }
  }

  private let role: WebSocketRole
  private let limits: WebSocketParser.Limits

  init(_ role: WebSocketRole, _ limits: WebSocketParser.Limits) {
    self.role = role
    self.limits = limits
  }

  func events(in bytes: [UInt8]) -> [Event] {
    var events: [Event] = []
    var rest = bytes[...]
    var message: (isText: Bool, payload: [UInt8])?
    while true {
      // The header, as far as it is complete.
      guard rest.count >= 2 else { return events }
      let (first, second) = (rest[rest.startIndex], rest[rest.startIndex + 1])
      let (isFinal, opcode) = (first >= 0x80, first % 16)
      let isControl = [8, 9, 10].contains(opcode)
      let isKnown = [0, 1, 2, 8, 9, 10].contains(opcode)
      let isMasked = second >= 0x80
      let short = Int(second % 128)
      guard first / 16 % 8 == 0, isKnown, isMasked == (role == .server), !isControl || isFinal && short < 126
      else { return events + [.violation(1002)] }
      let size = short == 126 ? 2 : short == 127 ? 8 : 0
      guard rest.count >= 2 + size + (isMasked ? 4 : 0) else { return events }
      var length = size == 0 ? UInt64(short) : 0
      for byte in rest.dropFirst(2).prefix(size) { length = length * 256 + UInt64(byte) }
      if size == 2, length < 126 { return events + [.violation(1002)] }
      if size == 8, length < 65_536 || length >= 1 << 63 { return events + [.violation(1002)] }
      let mask = isMasked ? Array(rest.dropFirst(2 + size).prefix(4)) : [0, 0, 0, 0]
      rest = rest.dropFirst(2 + size + (isMasked ? 4 : 0))
      // Whether the frame is allowed here.
      if !isControl {
        guard (opcode == 0) == (message != nil) else { return events + [.violation(1002)] }
        let total = length + UInt64(message?.payload.count ?? 0)
        if length > limits.frame || total > limits.message { return events + [.violation(1009)] }
        if opcode != 0 { message = (opcode == 1, []) }
      }
      // The payload, as far as it is complete.
      let wanted = Int(clamping: length)
      let payload = zip(rest.prefix(wanted), 0...).map { byte, index in byte ^ mask[index % 4] }
      let isWhole = payload.count == wanted
      rest = rest.dropFirst(wanted)
      if !isControl {
        message?.payload += payload
        if let message, message.isText, !Self.isText(message.payload, isWhole: isWhole && isFinal) {
          return events + [.violation(1007)]
        }
      }
      guard isWhole else { return events }
      switch opcode {
      case 8: return events + [Self.close(payload)]
      case 9: events.append(.other(.ping(payload)))
      case 10: events.append(.other(.pong(payload)))
      default:
        guard isFinal, let whole = message else { continue }
        message = nil
        events.append(
          .other(
            .message(
              whole.isText
                ? .text(String(decoding: whole.payload, as: UTF8.self)) : .binary(Data(whole.payload)))))
      }
    }
  }

  private static func close(_ payload: [UInt8]) -> Event {
    if payload.isEmpty { return .other(.close(WebSocketClosure(.noStatus))) }
    guard payload.count >= 2 else { return .violation(1002) }
    let code = Int(payload[0]) * 256 + Int(payload[1])
    let mayBeSent =
      (1000...1014).contains(code) && ![1004, 1005, 1006].contains(code) || (3000...4999).contains(code)
    guard mayBeSent else { return .violation(1002) }
    let reason = Array(payload.dropFirst(2))
    guard isText(reason, isWhole: true) else { return .violation(1007) }
    return .other(
      .close(
        WebSocketClosure(
          WebSocketClosure.Code(rawValue: UInt16(code)), String(decoding: reason, as: UTF8.self))))
  }

  /// Whether bytes are valid UTF-8, or a prefix of it, according to the standard library.
  private static func isText(_ bytes: [UInt8], isWhole: Bool) -> Bool {
    if String(exactlyUTF8: bytes) != nil { return true }
    guard !isWhole else { return false }
    // Up to three bytes may begin a character: one of the endings must complete it.
    let endings: [[UInt8]] = [0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF].flatMap { byte in
      [[byte], [byte, 0x80], [byte, 0x80, 0x80]]
    }
    return endings.contains { String(exactlyUTF8: bytes + $0) != nil }
  }
}
