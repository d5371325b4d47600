import Understudy

/// The hash function SHA-1 (FIPS 180-4 §6.1).
///
/// The WebSocket handshake requires it (RFC 6455 §1.3), to show that the server has read the key, and so do the codes of
/// authenticator apps (RFC 6238). It provides no security, and must not be used for anything else.
package enum SHA1 {
  package static func hash(_ message: some Sequence<UInt8>) -> [UInt8] {
    BlockHash.hash(
      message, from: [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0], compress: compress)
  }

  private static func compress(_ block: [UInt32], into state: inout [UInt32]) {
    var schedule = block
    schedule.reserveCapacity(80)
    for index in 16..<80 {
      let word = schedule[index - 3] ^ schedule[index - 8] ^ schedule[index - 14] ^ schedule[index - 16]
      schedule.append(rotate(word, 1))
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for (round, word) in schedule.enumerated() {
      let (mix, constant): (UInt32, UInt32) =
        switch round {
        case ..<20: ((b & c) ^ (~b & d), 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: ((b & c) ^ (b & d) ^ (c & d), 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = rotate(a, 5) &+ mix &+ e &+ constant &+ word
      (e, d, c, b, a) = (d, c, rotate(b, 30), a, next)
    }
    for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
