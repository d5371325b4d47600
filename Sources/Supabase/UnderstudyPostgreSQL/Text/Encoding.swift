/// Texts of bytes (PostgreSQL documentation, 9.5).
package enum ByteEncoding: String {
  case hex, base64, escape

  init(named name: String) throws(PostgreSQLError) {
    guard let encoding = ByteEncoding(rawValue: name.lowercased()) else {
      throw PostgreSQLError("22023", "unrecognized encoding: \"\(name)\"")
    }
    self = encoding
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let digits = Array("0123456789abcdef".utf8)

  /// Returns two digits for each byte, as digests are written.
  package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
  }

  func encode(_ bytes: [UInt8]) -> String {
    switch self {
    case .hex: return Self.hexadecimal(bytes)
    case .escape:
      var text: [UInt8] = []
      for byte in bytes {
        switch byte {
        case 0, 0x80...:
          text += [UInt8(ascii: "\\"), 0x30 + byte >> 6, 0x30 + byte >> 3 & 7, 0x30 + byte & 7]
        case UInt8(ascii: "\\"): text += [byte, byte]
        default: text.append(byte)
        }
      }
      return String(decoding: text, as: UTF8.self)
    case .base64:
      var text: [UInt8] = []
      var column = 0
      for start in stride(from: 0, to: bytes.count, by: 3) {
        // Lines have 76 characters, as in RFC 2045.
        if column == 76 {
          text.append(UInt8(ascii: "\n"))
          column = 0
        }
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = (0..<3).reduce(UInt32(0)) { $0 << 8 | UInt32($1 < group.count ? group[start + $1] : 0) }
        for index in 0..<4 {
          text.append(
            index <= group.count
              ? Self.alphabet[Int(bits >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "="))
        }
        column += 4
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  func decode(_ text: String) throws(PostgreSQLError) -> [UInt8] {
    switch self {
    case .hex: return try Self.decodeHexadecimal(text)
    case .escape: return try Self.decodeEscape(Array(text.utf8))
    case .base64: return try Self.decodeBase64(text)
    }
  }

  static func decodeHexadecimal(_ text: String) throws(PostgreSQLError) -> [UInt8] {
    var bytes: [UInt8] = []
    var high: UInt8?
    for scalar in text.unicodeScalars {
      if high == nil, scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r" { continue }
      guard let digit = scalar.hexadecimalDigit else {
        throw PostgreSQLError("22023", "invalid hexadecimal digit: \"\(scalar)\"")
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    guard high == nil else {
      throw PostgreSQLError("22023", "invalid hexadecimal data: odd number of digits")
    }
    return bytes
  }

  private static func decodeEscape(_ text: [UInt8]) throws(PostgreSQLError) -> [UInt8] {
    var bytes: [UInt8] = []
    var place = 0
    while place < text.count {
      if text[place] != UInt8(ascii: "\\") {
        bytes.append(text[place])
        place += 1
      } else if place + 1 < text.count, text[place + 1] == UInt8(ascii: "\\") {
        bytes.append(text[place])
        place += 2
      } else if place + 3 < text.count, (0x30...0x33).contains(text[place + 1]),
        (0x30...0x37).contains(text[place + 2]), (0x30...0x37).contains(text[place + 3])
      {
        bytes.append((text[place + 1] - 0x30) << 6 | (text[place + 2] - 0x30) << 3 | (text[place + 3] - 0x30))
        place += 4
      } else {
        throw PostgreSQLError("22P02", "invalid input syntax for type bytea")
      }
    }
    return bytes
  }

  private static func decodeBase64(_ text: String) throws(PostgreSQLError) -> [UInt8] {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    var end = 0
    for scalar in text.unicodeScalars where !" \t\n\r".unicodeScalars.contains(scalar) {
      var value: UInt32 = 0
      if scalar == "=" {
        if end == 0 {
          guard count >= 2 else {
            throw PostgreSQLError("22023", "unexpected \"=\" while decoding base64 sequence")
          }
          end = count == 2 ? 1 : 2
        }
      } else {
        guard scalar.isASCII, let index = alphabet.firstIndex(of: UInt8(scalar.value)) else {
          throw PostgreSQLError("22023", "invalid symbol \"\(scalar)\" found while decoding base64 sequence")
        }
        value = UInt32(index)
      }
      bits = bits << 6 | value
      count += 1
      if count == 4 {
        bytes.append(UInt8(bits >> 16 & 0xFF))
        if end == 0 || end > 1 { bytes.append(UInt8(bits >> 8 & 0xFF)) }
        if end == 0 { bytes.append(UInt8(bits & 0xFF)) }
        (bits, count) = (0, 0)
      }
    }
    guard count == 0 else {
      throw PostgreSQLError(
        "22023", "invalid base64 end sequence",
        hint: "Input data is missing padding, is truncated, or is otherwise corrupted.")
    }
    return bytes
  }
}

extension Function {
  static let encodings: [Function] = [
    Function(
      "encode", [.bytea, .text], returns: .text,
      .scalar { a, _ throws(PostgreSQLError) in .text(try ByteEncoding(named: a.text(1)).encode(a.bytes(0))) }
    ),
    Function(
      "decode", [.text, .text], returns: .bytea,
      .scalar { a, _ throws(PostgreSQLError) in .bytes(try ByteEncoding(named: a.text(1)).decode(a.text(0))) }
    ),
    Function(
      "to_hex", [.integer], returns: .text,
      .scalar { a, _ in .text(String(UInt32(truncatingIfNeeded: a.integer(0)), radix: 16)) }),
    Function(
      "to_hex", [.bigint], returns: .text,
      .scalar { a, _ in .text(String(UInt64(bitPattern: Int64(a.integer(0))), radix: 16)) }),
    Function(
      "convert_from", [.bytea, .text], returns: .text, .scalar(convertFrom)),
    Function(
      "convert_to", [.text, .text], returns: .bytea,
      .scalar { a, _ throws(PostgreSQLError) in
        try checkUTF8(a.text(1))
        return .bytes(Array(a.text(0).utf8))
      }),
  ]

  private static func checkUTF8(_ name: String) throws(PostgreSQLError) {
    guard ["utf8", "utf-8", "unicode"].contains(name.lowercased()) else {
      throw PostgreSQLError.notSupported("the encoding \(name)")
    }
  }

  private static func convertFrom(
    _ a: [Value], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Value {
    try checkUTF8(a.text(1))
    let bytes = a.bytes(0)
    guard let text = String(validUTF8: bytes), !bytes.contains(0) else {
      var valid = bytes.count
      while String(validUTF8: bytes.prefix(valid)) == nil { valid -= 1 }
      valid = min(valid, bytes.firstIndex(of: 0) ?? valid)
      let length = bytes[valid] >= 0xF0 ? 4 : bytes[valid] >= 0xE0 ? 3 : bytes[valid] >= 0xC0 ? 2 : 1
      let sequence = bytes[valid..<min(bytes.count, valid + length)]
        .map { "0x" + ByteEncoding.hexadecimal([$0]) }.joined(separator: " ")
      throw PostgreSQLError("22021", "invalid byte sequence for encoding \"UTF8\": \(sequence)")
    }
    return .text(text)
  }
}

extension String {
  /// The text of bytes, or nil if they are not UTF-8.
  ///
  /// The initializer of the standard library requires macOS 15.
  init?(validUTF8 bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
