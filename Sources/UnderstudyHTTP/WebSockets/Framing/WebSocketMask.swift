/// What a client's payload is disguised with (RFC 6455 §5.3): the same four bytes over and over.
package struct WebSocketMask: Sendable, Hashable {
  /// The four bytes, the first of them the highest; turned so that the first is due for the next byte of payload.
  private var key: UInt32

  /// A mask by its key, the first byte of it the highest.
  package init(_ key: UInt32) {
    self.key = key
  }

  /// Masks the next bytes of a payload, or unmasks them, which is the same.
  ///
  /// - Parameter start: Where they begin in `bytes`; they go on to its end.
  package mutating func apply(to bytes: inout [UInt8], from start: Int) {
    // In memory the first byte comes first, whatever the byte order of the machine.
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
