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
