import Understudy

/// The hash functions SHA-256 and SHA-224 (FIPS 180-4 §6.2 and §6.3), and a message's authentication code with the
/// former (RFC 2104).
///
/// Implemented here because Linux has no CryptoKit. It signs the tokens of a double; it is not hardened for
/// secrets.
enum SHA256 {
  static func hash(_ message: some Sequence<UInt8>) -> [UInt8] {
    BlockHash.hash(message, from: initial, compress: compress)
  }

  /// Returns the shorter hash, which has another initial state and is cut to seven words.
  static func shortHash(_ message: some Sequence<UInt8>) -> [UInt8] {
    Array(BlockHash.hash(message, from: shortInitial, compress: compress).prefix(28))
  }

  static func authenticationCode(for message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
    BlockHash.authenticationCode(for: message, key: key) { hash($0) }
  }

  /// Returns two digits for each byte, as hashes are written.
  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let text = String(byte, radix: 16)
      return text.count < 2 ? "0" + text : text
    }.joined()
  }

  private static func compress(_ block: [UInt32], into state: inout [UInt32]) {
    var schedule = block
    schedule.reserveCapacity(64)
    for index in 16..<64 {
      let (w15, w2) = (schedule[index - 15], schedule[index - 2])
      let sigma0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 &>> 3)
      let sigma1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 &>> 10)
      schedule.append(schedule[index - 16] &+ sigma0 &+ schedule[index - 7] &+ sigma1)
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in 0..<64 {
      let sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ sum1 &+ choice &+ constants[round] &+ schedule[round]
      let sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
  }

  /// The fractional parts of the square roots of the first eight primes (§5.3.3).
  private static let initial: [UInt32] = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
  ]

  /// The second half of the fractional parts of the square roots of the ninth to the sixteenth prime (§5.3.2).
  private static let shortInitial: [UInt32] = [
    0xC105_9ED8, 0x367C_D507, 0x3070_DD17, 0xF70E_5939, 0xFFC0_0B31, 0x6858_1511, 0x64F9_8FA7, 0xBEFA_4FA4,
  ]

  /// The fractional parts of the cube roots of the first sixty-four primes (§4.2.2).
  private static let constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
    0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
    0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
    0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
    0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
    0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
    0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
  ]
}
