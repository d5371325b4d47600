/// The common part of SHA-1 and SHA-256: the padding, and the processing of 64-byte blocks (FIPS 180-4 §5, §6).
package enum BlockHash {
  /// The hash of a message.
  ///
  /// - Parameters:
  ///   - state: The initial state.
  ///   - compress: Updates the state with a block of sixteen words.
  package static func hash(
    _ message: some Sequence<UInt8>, from state: [UInt32],
    compress: (_ block: [UInt32], _ state: inout [UInt32]) -> Void
  ) -> [UInt8] {
    var bytes = Array(message)
    let length = UInt64(bytes.count) * 8
    bytes.append(0x80)
    bytes.append(contentsOf: repeatElement(0, count: (120 - bytes.count % 64) % 64))
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: length &>> shift))
    }
    var state = state
    // Simple loops: unoptimized builds hash each token and each entry of a recording, too.
    bytes.withUnsafeBytes { bytes in
      var words = [UInt32](repeating: 0, count: 16)
      var place = 0
      while place < bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        words[place / 4 % 16] = UInt32(bigEndian: word)
        place += 4
        if place % 64 == 0 { compress(words, &state) }
      }
    }
    var hash: [UInt8] = []
    for word in state { withUnsafeBytes(of: word.bigEndian) { hash.append(contentsOf: $0) } }
    return hash
  }

  /// The keyed code of a message, HMAC (RFC 2104).
  ///
  /// - Parameter hash: The hash function, whose blocks have 64 bytes.
  package static func authenticationCode(
    for message: some Sequence<UInt8>, key: [UInt8], hash: ([UInt8]) -> [UInt8]
  ) -> [UInt8] {
    var block = key.count > 64 ? hash(key) : key
    block.append(contentsOf: repeatElement(0, count: 64 - block.count))
    let inner = hash(block.map { $0 ^ 0x36 } + Array(message))
    return hash(block.map { $0 ^ 0x5C } + inner)
  }
}
