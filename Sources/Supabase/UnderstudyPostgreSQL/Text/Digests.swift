/// Digests of bytes: MD5 (RFC 1321), and SHA-1, SHA-224 and SHA-256 (FIPS 180-4).
///
/// Implemented here because Linux has no CryptoKit. They serve the statements and the tokens of doubles, and are not
/// hardened for secrets.
package enum Digest: String, Sendable {
  case md5, sha1, sha224, sha256

  package func callAsFunction(_ message: some Sequence<UInt8>) -> [UInt8] {
    var bytes = Array(message)
    let length = UInt64(bytes.count) * 8
    bytes.append(0x80)
    bytes.append(contentsOf: repeatElement(0, count: (120 - bytes.count % 64) % 64))
    withUnsafeBytes(of: self == .md5 ? length.littleEndian : length.bigEndian) {
      bytes.append(contentsOf: $0)
    }
    var state = initialState
    // Simple loops, because unoptimized builds hash each token of a test.
    bytes.withUnsafeBytes { bytes in
      var words = [UInt32](repeating: 0, count: 16)
      for place in stride(from: 0, to: bytes.count, by: 4) {
        let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        words[place / 4 % 16] = self == .md5 ? UInt32(littleEndian: word) : UInt32(bigEndian: word)
        if place % 64 == 60 { add(words, &state) }
      }
    }
    var digest: [UInt8] = []
    for word in state {
      withUnsafeBytes(of: self == .md5 ? word.littleEndian : word.bigEndian) {
        digest.append(contentsOf: $0)
      }
    }
    return self == .sha224 ? Array(digest.prefix(28)) : digest
  }

  /// Returns the keyed digest of a message, HMAC (RFC 2104).
  package func authentication(of message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
    var block = key.count > 64 ? self(key) : key
    block.append(contentsOf: repeatElement(0, count: 64 - block.count))
    return self(block.map { $0 ^ 0x5C } + self(block.map { $0 ^ 0x36 } + Array(message)))
  }

  private func add(_ words: [UInt32], _ state: inout [UInt32]) {
    switch self {
    case .md5: Self.addMD5(words, &state)
    case .sha1: Self.addSHA1(words, &state)
    case .sha224, .sha256: Self.addSHA256(words, &state)
    }
  }

  private var initialState: [UInt32] {
    switch self {
    case .md5: [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    case .sha1: [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    case .sha224:
      [
        0xC105_9ED8, 0x367C_D507, 0x3070_DD17, 0xF70E_5939, 0xFFC0_0B31, 0x6858_1511, 0x64F9_8FA7,
        0xBEFA_4FA4,
      ]
    case .sha256:
      [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
        0x5BE0_CD19,
      ]
    }
  }

  private static func left(_ value: UInt32, _ count: Int) -> UInt32 {
    value &<< UInt32(count) | value &>> UInt32(32 - count)
  }

  private static func right(_ value: UInt32, _ count: Int) -> UInt32 { left(value, 32 - count) }

  private static let shifts = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

  /// The integer parts of 2³² |sin(i + 1)|.
  private static let sines: [UInt32] = [
    0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A, 0xA830_4613, 0xFD46_9501,
    0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE, 0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821,
    0xF61E_2562, 0xC040_B340, 0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
    0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8, 0x676F_02D9, 0x8D2A_4C8A,
    0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C, 0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70,
    0x289B_7EC6, 0xEAA1_27FA, 0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
    0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92, 0xFFEF_F47D, 0x8584_5DD1,
    0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1, 0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
  ]

  private static func addMD5(_ words: [UInt32], _ state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let mixed: UInt32
      let word: Int
      switch step / 16 {
      case 0: (mixed, word) = (b & c | ~b & d, step)
      case 1: (mixed, word) = (d & b | ~d & c, (5 * step + 1) % 16)
      case 2: (mixed, word) = (b ^ c ^ d, (3 * step + 5) % 16)
      default: (mixed, word) = (c ^ (b | ~d), 7 * step % 16)
      }
      let sum = mixed &+ a &+ sines[step] &+ words[word]
      (a, d, c, b) = (d, c, b, b &+ left(sum, shifts[step / 16][step % 4]))
    }
    state = [state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d]
  }

  private static func addSHA1(_ words: [UInt32], _ state: inout [UInt32]) {
    var words = words
    words.reserveCapacity(80)
    for index in 16..<80 {
      words.append(left(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for step in 0..<80 {
      let mixed: UInt32
      switch step / 20 {
      case 0: mixed = (b & c | ~b & d) &+ 0x5A82_7999
      case 1: mixed = (b ^ c ^ d) &+ 0x6ED9_EBA1
      case 2: mixed = (b & c | b & d | c & d) &+ 0x8F1B_BCDC
      default: mixed = (b ^ c ^ d) &+ 0xCA62_C1D6
      }
      (e, d, c, b, a) = (d, c, left(b, 30), a, left(a, 5) &+ mixed &+ e &+ words[step])
    }
    for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
  }

  /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
  private static let roots: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
    0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
    0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
    0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
    0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
    0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
    0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
  ]

  private static func addSHA256(_ words: [UInt32], _ state: inout [UInt32]) {
    var words = words
    words.reserveCapacity(64)
    for index in 16..<64 {
      let (old, new) = (words[index - 15], words[index - 2])
      let first = right(old, 7) ^ right(old, 18) ^ (old >> 3)
      let second = right(new, 17) ^ right(new, 19) ^ (new >> 10)
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for step in 0..<64 {
      let first = right(e, 6) ^ right(e, 11) ^ right(e, 25)
      let choice = e & f ^ ~e & g
      let one = h &+ first &+ choice &+ roots[step] &+ words[step]
      let second = right(a, 2) ^ right(a, 13) ^ right(a, 22)
      let majority = a & b ^ a & c ^ b & c
      (h, g, f, e) = (g, f, e, d &+ one)
      (d, c, b, a) = (c, b, a, one &+ second &+ majority)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }
}

extension Function {
  /// `md5`, `sha224` and `sha256`, and `digest` and `hmac` of the extension pgcrypto.
  static let digests: [Function] = [
    Function(
      "md5", [.text], returns: .text,
      .scalar { a, _ in .text(ByteEncoding.hexadecimal(Digest.md5(Array(a.text(0).utf8)))) }),
    Function(
      "md5", [.bytea], returns: .text,
      .scalar { a, _ in .text(ByteEncoding.hexadecimal(Digest.md5(a.bytes(0)))) }),
    Function("sha224", [.bytea], returns: .bytea, .scalar { a, _ in .bytes(Digest.sha224(a.bytes(0))) }),
    Function("sha256", [.bytea], returns: .bytea, .scalar { a, _ in .bytes(Digest.sha256(a.bytes(0))) }),
    Function("digest", [.text, .text], returns: .bytea, .scalar(digest)),
    Function("digest", [.bytea, .text], returns: .bytea, .scalar(digest)),
    Function("hmac", [.text, .text, .text], returns: .bytea, .scalar(hmac)),
    Function("hmac", [.bytea, .bytea, .text], returns: .bytea, .scalar(hmac)),
  ]

  private static func algorithm(_ name: String) throws(PostgreSQLError) -> Digest {
    if let digest = Digest(rawValue: name.lowercased()) { return digest }
    if ["sha384", "sha512"].contains(name.lowercased()) {
      throw PostgreSQLError.notSupported("the digest \(name)")
    }
    throw PostgreSQLError("22023", "Cannot use \"\(name)\": No such hash algorithm")
  }

  private static func content(_ value: Value) -> [UInt8] {
    if case .bytes(let bytes) = value { bytes } else { Array([value].text(0).utf8) }
  }

  private static func digest(_ a: [Value], _ context: any FunctionContext) throws(PostgreSQLError) -> Value {
    .bytes(try algorithm(a.text(1))(content(a[0])))
  }

  private static func hmac(_ a: [Value], _ context: any FunctionContext) throws(PostgreSQLError) -> Value {
    .bytes(try algorithm(a.text(2)).authentication(of: content(a[0]), key: content(a[1])))
  }
}
