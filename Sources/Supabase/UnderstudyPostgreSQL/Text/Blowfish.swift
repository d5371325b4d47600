/// Blowfish with the costly key schedule of bcrypt, the hash of passwords of pgcrypto's `crypt` (PostgreSQL documentation,
/// F.28.2; Provos and Mazières, "A Future-Adaptable Password Scheme").
struct Blowfish {
  private var subkeys: [UInt32]
  /// Four boxes of 256 words.
  private var boxes: [UInt32]

  /// The first bits of the fraction of π, with which the subkeys and the boxes begin.
  private static let digits = piFraction(words: 18 + 1024)

  private init() {
    subkeys = Array(Self.digits[..<18])
    boxes = Array(Self.digits[18...])
  }

  /// The hash of a password: 23 bytes.
  ///
  /// - Parameters:
  ///   - salt: 16 bytes.
  ///   - cost: The logarithm of the number of rounds.
  static func hash(_ password: [UInt8], salt: [UInt8], cost: Int) -> [UInt8] {
    var cipher = Blowfish()
    // The password's terminator counts, and no more than 72 bytes do.
    let key = cycledWords(Array((password + [0]).prefix(72)))
    let salted = cycledWords(salt)
    cipher.expand(key, salt: salted)
    let none = [UInt32](repeating: 0, count: 18)
    for _ in 0..<(1 << cost) {
      cipher.expand(key, salt: none)
      cipher.expand(salted, salt: none)
    }
    var result: [UInt8] = []
    let text = cycledWords(Array("OrpheanBeholderScryDoubt".utf8))
    for index in stride(from: 0, to: 6, by: 2) {
      var pair = (text[index], text[index + 1])
      for _ in 0..<64 { cipher.encrypt(&pair.0, &pair.1) }
      for word in [pair.0, pair.1] {
        result += (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) }
      }
    }
    return result.dropLast()
  }

  /// 18 words of bytes that are repeated.
  private static func cycledWords(_ bytes: [UInt8]) -> [UInt32] {
    (0..<18).map { word in
      (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[(4 * word + $1) % bytes.count]) }
    }
  }

  private mutating func expand(_ key: [UInt32], salt: [UInt32]) {
    for index in 0..<18 { subkeys[index] ^= key[index] }
    var (left, right): (UInt32, UInt32) = (0, 0)
    for index in stride(from: 0, to: 18 + 1024, by: 2) {
      left ^= salt[index % 4]
      right ^= salt[index % 4 + 1]
      encrypt(&left, &right)
      if index < 18 {
        (subkeys[index], subkeys[index + 1]) = (left, right)
      } else {
        (boxes[index - 18], boxes[index - 17]) = (left, right)
      }
    }
  }

  private func encrypt(_ left: inout UInt32, _ right: inout UInt32) {
    subkeys.withUnsafeBufferPointer { subkeys in
      boxes.withUnsafeBufferPointer { boxes in
        var (one, two) = (left ^ subkeys[0], right)
        for round in 1...16 {
          let sum = boxes[Int(one >> 24)] &+ boxes[256 + Int(one >> 16 & 0xFF)]
          let mixed = (sum ^ boxes[512 + Int(one >> 8 & 0xFF)]) &+ boxes[768 + Int(one & 0xFF)]
          (one, two) = (two ^ mixed ^ subkeys[round], one)
        }
        (left, right) = (two ^ subkeys[17], one)
      }
    }
  }

  /// The first 32-bit words of π - 3, by Machin's formula π = 16 arctan(1/5) - 4 arctan(1/239).
  private static func piFraction(words: Int) -> [UInt32] {
    // A limb before the point, and two after those that are returned.
    let count = words / 2 + 3
    var sum = [UInt64](repeating: 0, count: count)

    func divide(_ number: inout [UInt64], by divisor: UInt64) {
      number.withUnsafeMutableBufferPointer { limbs in
        var rest: UInt64 = 0
        for index in limbs.indices where rest != 0 || limbs[index] != 0 {
          (limbs[index], rest) = divisor.dividingFullWidth((rest, limbs[index]))
        }
      }
    }
    func add(_ number: [UInt64], isNegative: Bool) {
      var carry = false
      for index in sum.indices.reversed() {
        let (first, overflow) =
          isNegative
          ? sum[index].subtractingReportingOverflow(number[index])
          : sum[index].addingReportingOverflow(number[index])
        let (second, isOver) =
          isNegative
          ? first.subtractingReportingOverflow(carry ? 1 : 0) : first.addingReportingOverflow(carry ? 1 : 0)
        sum[index] = second
        carry = overflow || isOver
      }
    }
    for (factor, base, isNegative) in [(UInt64(16), UInt64(5), false), (4, 239, true)] {
      var power = [UInt64](repeating: 0, count: count)
      power[0] = factor
      divide(&power, by: base)
      var odd: UInt64 = 1
      while power.contains(where: { $0 != 0 }) {
        var term = power
        divide(&term, by: odd)
        add(term, isNegative: isNegative != (odd & 2 == 2))
        divide(&power, by: base * base)
        odd += 2
      }
    }
    return sum[1...].flatMap { [UInt32(truncatingIfNeeded: $0 >> 32), UInt32(truncatingIfNeeded: $0)] }
      .prefix(words).map { $0 }
  }
}

extension Function {
  /// `crypt`, `gen_salt` and `gen_random_bytes` of the extension pgcrypto, with which seeds of Supabase make users.
  static let passwords: [Function] = [
    Function("crypt", [.text, .text], returns: .text, .scalar(crypt)),
    Function(
      "gen_salt", [.text, .integer], optional: 1, returns: .text, .volatile,
      .scalar { a, context throws(PostgreSQLError) in
        guard a.text(0).lowercased() == "bf" else {
          if ["md5", "des", "xdes"].contains(a.text(0).lowercased()) {
            throw PostgreSQLError.notSupported(
              "the salt \"\(a.text(0))\"", instead: "Use gen_salt('bf').")
          }
          throw PostgreSQLError("22023", "gen_salt: Unknown salt algorithm")
        }
        let cost = a.count > 1 ? a.integer(1) : 6
        guard (4...31).contains(cost) else {
          throw PostgreSQLError("22023", "gen_salt: Incorrect number of rounds")
        }
        let digits = cost < 10 ? "0\(cost)" : String(cost)
        return .text("$2a$\(digits)$" + encoded(randomBytes(16, context)))
      }),
    Function(
      "gen_random_bytes", [.integer], returns: .bytea, .volatile,
      .scalar { a, context throws(PostgreSQLError) in
        guard (1...1024).contains(a.integer(0)) else { throw PostgreSQLError("39000", "Length not in range") }
        return .bytes(randomBytes(a.integer(0), context))
      }),
  ]

  private static func randomBytes(_ count: Int, _ context: any FunctionContext) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: context.random() >> 24) }
  }

  private static let saltAlphabet = Array(
    "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// The base 64 of bcrypt, without padding.
  private static func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(0) { $0 << 8 | Int($1 < group.count ? group[start + $1] : 0) }
      text += (0...group.count).map { saltAlphabet[bits >> (18 - 6 * $0) & 63] }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var (bits, count) = (0, 0)
    var bytes: [UInt8] = []
    for byte in text {
      guard let value = saltAlphabet.firstIndex(of: byte) else { return nil }
      (bits, count) = (bits << 6 | value, count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> count & 0xFF))
        bits &= (1 << count) - 1
      }
    }
    return bytes
  }

  private static func crypt(_ a: [Value], _ context: any FunctionContext) throws(PostgreSQLError) -> Value {
    let salt = Array(a.text(1).utf8)
    let invalid = PostgreSQLError("22023", "invalid salt")
    guard salt.starts(with: "$2".utf8) else {
      throw PostgreSQLError.notSupported("crypt with this salt", instead: "Use gen_salt('bf').")
    }
    guard salt.count >= 29, salt[2] == UInt8(ascii: "a"), salt[3] == UInt8(ascii: "$"),
      salt[6] == UInt8(ascii: "$"),
      let cost = Int(String(decoding: salt[4..<6], as: UTF8.self)), (4...31).contains(cost),
      let bytes = decoded(salt[7..<29])
    else { throw invalid }
    // The time doubles with each step; one above this is a mistake in a test.
    guard cost <= 12 else { throw PostgreSQLError.notSupported("crypt with a cost of more than 12") }
    let hash = Blowfish.hash(Array(a.text(0).utf8), salt: Array(bytes.prefix(16)), cost: cost)
    // The unused bits of the salt's last character are zero in the result.
    return .text(
      String(decoding: salt[..<7], as: UTF8.self) + encoded(Array(bytes.prefix(16))) + encoded(hash))
  }
}
