import Understudy
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// The secret of an authenticator app, whose code changes every thirty seconds (RFC 6238).
struct Authenticator: Hashable {
  /// The alphabet of Base32 (RFC 4648 §6).
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  private let key: [UInt8]

  /// Creates a secret of 160 bits, the size of the hash.
  init(from next: () -> UInt64) {
    var key: [UInt8] = []
    while key.count < 20 {
      let bits = next()
      key += (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
    }
    self.key = Array(key.prefix(20))
  }

  init(key: [UInt8]) {
    self.key = key
  }

  /// The secret as an app reads it: in Base32, without padding.
  var text: String {
    var text: [UInt8] = []
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for byte in key {
      (bits, count) = ((bits << 8 | UInt32(byte)) & 0xFFFF, count + 8)
      while count >= 5 {
        count -= 5
        text.append(Self.alphabet[Int(bits >> count & 31)])
      }
    }
    if count > 0 { text.append(Self.alphabet[Int(bits << (5 - count) & 31)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the code of six digits at a time in seconds since 1970 (RFC 4226 §5.3).
  func code(at second: Int64) -> String {
    let counter = UInt64(bitPattern: second / 30)
    let message = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: counter >> $0) }
    let hash = Digest.sha1.authentication(of: message, key: key)
    let offset = Int(hash[hash.count - 1] & 15)
    let word = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let digits = String(word % 1_000_000)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// Whether a code is that of a time, or of the thirty seconds before or after it (`totp.ValidateOpts.Skew`).
  func accepts(_ code: String, at second: Int64) -> Bool {
    [-30, 0, 30].contains { self.code(at: second + $0) == code }
  }
}
