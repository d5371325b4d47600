/// An incremental validation of UTF-8 (RFC 3629 §4), independent of how the bytes are split.
///
/// It fails at the first byte that cannot continue valid text, so that a connection fails there and not at the end of
/// the message.
package struct UTF8Validation: Sendable {
  /// The number of bytes missing from the current character.
  private var missing = 0
  /// The valid range of the next byte.
  private var allowed: ClosedRange<UInt8> = 0x80...0xBF

  /// Creates a validation at the beginning of a text.
  package init() {}

  /// Whether the bytes end with a complete character.
  package var isComplete: Bool { missing == 0 }

  /// Validates more bytes, up to the first that is invalid.
  ///
  /// - Parameter start: The position in `bytes` at which they begin; they extend to its end.
  /// - Returns: Whether the bytes so far are a prefix of valid text.
  package mutating func accept(_ bytes: [UInt8], from start: Int) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var position = start
      while position < buffer.count {
        if missing == 0, buffer.count - position >= 8,
          buffer.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          position += 8
          continue
        }
        guard accept(buffer[position]) else { return false }
        position += 1
      }
      return true
    }
  }

  private mutating func accept(_ byte: UInt8) -> Bool {
    guard missing == 0 else {
      guard allowed.contains(byte) else { return false }
      allowed = 0x80...0xBF
      missing -= 1
      return true
    }
    switch byte {
    case 0x00...0x7F: return true
    case 0xC2...0xDF: missing = 1
    case 0xE0: (missing, allowed) = (2, 0xA0...0xBF)
    case 0xED: (missing, allowed) = (2, 0x80...0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, allowed) = (3, 0x90...0xBF)
    case 0xF1...0xF3: missing = 3
    case 0xF4: (missing, allowed) = (3, 0x80...0x8F)
    default: return false
    }
    return true
  }
}
