/// A frame on the wire (RFC 6455 §5.2).
package struct WebSocketFrame: Sendable, Hashable {
  /// Whether this is the last frame of the message.
  package var isFinal: Bool
  /// The type of the frame.
  package var opcode: WebSocketOpcode
  /// The unmasked payload.
  package var payload: [UInt8]

  /// Creates a frame (default: a complete message).
  package init(_ opcode: WebSocketOpcode, _ payload: [UInt8] = [], isFinal: Bool = true) {
    self.isFinal = isFinal
    self.opcode = opcode
    self.payload = payload
  }

  /// Creates a frame with a complete message.
  package init(_ message: WebSocketMessage) {
    switch message {
    case .text(let text): self.init(.text, Array(text.utf8))
    case .binary(let bytes): self.init(.binary, Array(bytes))
    }
  }

  /// The bytes of the frame.
  ///
  /// - Parameter key: The masking key of a client: 32 unpredictable bits, different for each frame.
  package func bytes(maskedWith key: UInt32? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + 14)
    bytes.append((isFinal ? 0x80 : 0) | opcode.rawValue)
    let flag: UInt8 = key == nil ? 0 : 0x80
    switch payload.count {
    case ...125: bytes.append(flag | UInt8(payload.count))
    case ...0xFFFF:
      bytes.append(flag | 126)
      Self.append(UInt64(payload.count), 2, to: &bytes)
    default:
      bytes.append(flag | 127)
      Self.append(UInt64(payload.count), 8, to: &bytes)
    }
    guard let key else {
      bytes.append(contentsOf: payload)
      return bytes
    }
    Self.append(UInt64(key), 4, to: &bytes)
    let start = bytes.count
    bytes.append(contentsOf: payload)
    var mask = WebSocketMask(key)
    mask.apply(to: &bytes, from: start)
    return bytes
  }

  /// Appends the lowest bytes of a number in big-endian order.
  private static func append(_ number: UInt64, _ count: UInt64, to bytes: inout [UInt8]) {
    for index in 0..<count {
      bytes.append(UInt8(truncatingIfNeeded: number >> ((count - 1 - index) * 8)))
    }
  }
}
