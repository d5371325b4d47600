/// The header of a frame (RFC 6455 §5.2).
struct WebSocketFrameHeader: Sendable {
  /// Whether this is the last frame of the message.
  var isFinal: Bool
  /// The type of the frame.
  var opcode: WebSocketOpcode
  /// The length of the payload in bytes.
  var length: Int
  /// The masking key, if any.
  var mask: WebSocketMask?

  /// The size of a header that begins with these bytes; 2 until two bytes are available.
  static func size(_ bytes: [UInt8]) -> Int {
    guard bytes.count >= 2 else { return 2 }
    let mask = bytes[1] & 0x80 == 0 ? 0 : 4
    switch bytes[1] & 0x7F {
    case 126: return 4 + mask
    case 127: return 10 + mask
    default: return 2 + mask
    }
  }

  /// Rejects a frame that is invalid by its first two bytes.
  ///
  /// - Parameter role: The side that receives the frame.
  static func check(_ first: UInt8, _ second: UInt8, readBy role: WebSocketRole) throws(WebSocketViolation) {
    guard first & 0x70 == 0 else {
      throw .breaksProtocol("A reserved bit is set, but no extension was negotiated.")
    }
    guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
      throw .breaksProtocol("\(first & 0x0F) is a reserved opcode.")
    }
    switch (role, second & 0x80 != 0) {
    case (.server, false): throw .breaksProtocol("A client's frame must be masked.")
    case (.client, true): throw .breaksProtocol("A server's frame must not be masked.")
    default: break
    }
    guard opcode.isControl else { return }
    guard first & 0x80 != 0 else { throw .breaksProtocol("A control frame must not be fragmented.") }
    guard second & 0x7F <= 125 else {
      throw .breaksProtocol("A control frame must not be longer than 125 bytes.")
    }
  }

  /// Parses a header.
  ///
  /// - Parameter bytes: As many bytes as ``size(_:)`` returns, of which the first two have been checked.
  init(_ bytes: [UInt8]) throws(WebSocketViolation) {
    guard bytes.count == Self.size(bytes), let opcode = WebSocketOpcode(rawValue: bytes[0] & 0x0F) else {
      throw .breaksProtocol("The header of a frame is invalid.")
    }
    isFinal = bytes[0] & 0x80 != 0
    self.opcode = opcode
    let isMasked = bytes[1] & 0x80 != 0
    mask = isMasked ? WebSocketMask(UInt32(truncatingIfNeeded: Self.number(bytes.suffix(4)))) : nil
    let length = Self.number(bytes.dropFirst(2).dropLast(isMasked ? 4 : 0))
    switch bytes[1] & 0x7F {
    case 126:
      guard length > 125 else { throw Self.longForm(length) }
      self.length = Int(length)
    case 127:
      guard length > 0xFFFF else { throw Self.longForm(length) }
      // A 63-bit length may not fit into an `Int` on a 32-bit watch.
      guard let length = Int(exactly: length) else {
        throw length >> 63 == 0
          ? WebSocketViolation(code: .messageTooBig, message: "The frame exceeds the maximum length.")
          : .breaksProtocol("The highest bit of a frame's length must be 0.")
      }
      self.length = length
    case let length: self.length = Int(length)
    }
  }

  private static func longForm(_ length: UInt64) -> WebSocketViolation {
    .breaksProtocol("A length of \(length) is not encoded in the fewest bytes.")
  }

  /// A big-endian number.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
