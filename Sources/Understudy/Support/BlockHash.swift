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
    bytes.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: length >> UInt64(56 - $0 * 8)) })
    var state = state
    for block in stride(from: 0, to: bytes.count, by: 64) {
      let words = stride(from: block, to: block + 64, by: 4).map { place -> UInt32 in
        var word: UInt32 = 0
        for byte in place..<place + 4 { word = word &<< 8 | UInt32(bytes[byte]) }
        return word
      }
      compress(words, &state)
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - $0 * 8)) } }
  }
}
