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
  /// - Parameter bytes: As many bytes as `size(_:)` returns, of which the first two have been checked.
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

/// The type of a frame (RFC 6455 §5.2); other numbers are reserved.
package enum WebSocketOpcode: UInt8, Sendable {
  /// A continuation of a message.
  case continuation = 0x0
  /// A text message, or its first fragment.
  case text = 0x1
  /// A binary message, or its first fragment.
  case binary = 0x2
  /// A close frame.
  case close = 0x8
  /// A ping, which requests a pong.
  case ping = 0x9
  /// A pong, which answers a ping.
  case pong = 0xA

  /// Whether this is a control frame, which may occur between the fragments of a message (RFC 6455 §5.5).
  package var isControl: Bool { rawValue & 0x8 != 0 }
}

/// A side of a WebSocket.
package enum WebSocketRole: Sendable {
  /// The side that requested the connection; it masks its frames (RFC 6455 §5.3).
  case client
  /// The side that accepted the connection; it does not mask its frames.
  case server
}

/// The masking of a client's payload (RFC 6455 §5.3) with four repeated bytes.
package struct WebSocketMask: Sendable, Hashable {
  /// The four bytes, the first in the highest position; rotated so that the first applies to the next byte of payload.
  private var key: UInt32

  /// Creates a mask from its key, whose first byte is in the highest position.
  package init(_ key: UInt32) {
    self.key = key
  }

  /// Masks or unmasks the next bytes of a payload; both are the same operation.
  ///
  /// - Parameter start: The position in `bytes` at which they begin; they extend to its end.
  package mutating func apply(to bytes: inout [UInt8], from start: Int) {
    // The first byte is stored first in memory, whatever the byte order of the machine.
    let word = UInt64(key) << 32 | UInt64(key)
    let inMemory = word.bigEndian
    bytes.withUnsafeMutableBytes { buffer in
      guard start < buffer.count else { return }
      var position = start
      while buffer.count - position >= 8 {
        let eight = buffer.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        buffer.storeBytes(of: eight ^ inMemory, toByteOffset: position, as: UInt64.self)
        position += 8
      }
      var shift: UInt64 = 56
      while position < buffer.count {
        buffer[position] ^= UInt8(truncatingIfNeeded: word >> shift)
        position += 1
        shift -= 8
      }
    }
    let turn = UInt32((bytes.count - min(start, bytes.count)) & 3) * 8
    if turn > 0 { key = key << turn | key >> (32 - turn) }
  }
}

extension WebSocketClosure {
  /// The payload of the close frame (RFC 6455 §5.5.1).
  package var payload: [UInt8] {
    let closure = asSent
    guard closure.code != .noStatus else { return [] }
    let number = closure.code.rawValue
    return [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)] + closure.reason.utf8
  }

  /// Parses the payload of a close frame.
  package init(payload: [UInt8]) throws(WebSocketViolation) {
    guard payload.count != 1 else {
      throw .breaksProtocol("The payload of a close frame must not be one byte.")
    }
    guard payload.count >= 2 else {
      self.init(.noStatus)
      return
    }
    let code = Code(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    guard code.mayBeSent else {
      throw .breaksProtocol("A close frame must not have the code \(code.rawValue).")
    }
    var validation = UTF8Validation()
    guard validation.accept(payload, from: 2), validation.isComplete else {
      throw WebSocketViolation(
        code: .invalidPayload, message: "The reason of a close frame is not valid UTF-8.")
    }
    self.init(code, String(decoding: payload.dropFirst(2), as: UTF8.self))
  }
}
