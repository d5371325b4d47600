import Foundation
import UnderstudyHTTP

/// The encodings of a secret, to find its copies in JSON, URLs, forms and base64.
enum SecretSpellings {
  /// Returns the secret unchanged, in JSON, in a URL, in a form, and in base64; each of these also in JSON.
  static func of(_ secret: String) -> [[UInt8]] {
    let bytes = Array(secret.utf8)
    var spellings = [bytes]
    func add(_ spelling: [UInt8]) {
      if !spellings.contains(spelling) { spellings.append(spelling) }
    }
    if !bytes.allSatisfy(isUnreserved) {
      let json = quoted(bytes)
      add(json)
      add(json.flatMap { $0 == slash ? [backslash, slash] : [$0] })
      let ascii = inASCII(secret)
      add(ascii)
      add(ascii.flatMap { $0 == slash ? [backslash, slash] : [$0] })
      for digits in [Array("0123456789ABCDEF".utf8), Array("0123456789abcdef".utf8)] {
        let encoded = percentEncoded(bytes, digits, isUnreserved)
        add(encoded)
        add(withPlus(encoded))
        // In a URL inside of a URL.
        add(percentEncoded(encoded, digits, isUnreserved))
        // In a form (WHATWG URL, application/x-www-form-urlencoded percent-encode set).
        add(
          withPlus(
            percentEncoded(bytes, digits) {
              isUnreserved($0) && $0 != UInt8(ascii: "~") || $0 == UInt8(ascii: "*")
            }))
        // In a query (RFC 3986 §3.4).
        add(percentEncoded(bytes, digits) { isUnreserved($0) || "!$&'()*+,;=:@/?".utf8.contains($0) })
      }
    }
    let base64 = Data(bytes).base64EncodedString().utf8.filter { $0 != UInt8(ascii: "=") }
    add(base64)
    // The alphabet for URLs (RFC 4648 §5).
    add(
      base64.map { byte in
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case slash: UInt8(ascii: "_")
        default: byte
        }
      })
    for spelling in spellings where spelling.contains(where: { $0 == backslash || $0 == 0x22 || $0 < 0x20 }) {
      add(quoted(spelling))
    }
    return spellings
  }

  private static let slash = UInt8(ascii: "/")
  private static let backslash = UInt8(ascii: "\\")

  /// Returns whether a byte is unreserved (RFC 3986 §2.3).
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func percentEncoded(
    _ bytes: [UInt8], _ digits: [UInt8], _ isAllowed: (UInt8) -> Bool
  ) -> [UInt8] {
    bytes.flatMap { byte in
      isAllowed(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }

  private static func withPlus(_ encoded: [UInt8]) -> [UInt8] {
    Array(String(decoding: encoded, as: UTF8.self).replacing("%20", with: "+").utf8)
  }

  private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    JSONValue.string(String(decoding: bytes, as: UTF8.self)).write(into: &text)
    return Array(text.dropFirst().dropLast())
  }

  /// Returns the secret in JSON with only ASCII characters, as written by Python.
  private static func inASCII(_ secret: String) -> [UInt8] {
    JSONValue.string(secret).compactText.dropFirst().dropLast().utf16.flatMap { unit -> [UInt8] in
      if unit < 0x80 { return [UInt8(truncatingIfNeeded: unit)] }
      let digits = String(unit, radix: 16)
      return Array("\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
    }
  }
}
