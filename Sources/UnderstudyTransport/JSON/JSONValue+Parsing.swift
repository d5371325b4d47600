package import Foundation

extension JSONValue {
  /// The bytes are not a JSON document.
  package struct ParsingError: Error {
    /// How many bytes were read before.
    package let offset: Int
  }

  /// Reads a document (RFC 8259).
  ///
  /// Strict: no comments, no trailing commas, no lone surrogates, nothing after the document. At most 512
  /// levels deep, so that no input exhausts the stack.
  package init(parsing data: Data) throws(ParsingError) {
    var parser = JSONParser(data)
    self = try parser.document()
  }
}

struct JSONParser {
  let bytes: [UInt8]
  var position = 0

  init(_ data: Data) {
    bytes = [UInt8](data)
  }

  var failure: JSONValue.ParsingError { .init(offset: position) }
  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func document() throws(JSONValue.ParsingError) -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    guard next == nil else { throw failure }
    return value
  }

  mutating func skipSpace() {
    while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { position += 1 }
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let byte = next, UInt32(byte) == character.value else { return false }
    position += 1
    return true
  }

  mutating func value(depth: Int) throws(JSONValue.ParsingError) -> JSONValue {
    guard depth < 512 else { throw failure }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONValue.ParsingError) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw failure }
    position += word.utf8.count
    return value
  }

  private mutating func array(depth: Int) throws(JSONValue.ParsingError) -> JSONValue {
    position += 1
    var elements: [JSONValue] = []
    skipSpace()
    if skip("]") { return .array(elements) }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if skip("]") { return .array(elements) }
      guard skip(",") else { throw failure }
    }
  }

  private mutating func object(depth: Int) throws(JSONValue.ParsingError) -> JSONValue {
    position += 1
    var members: [JSONValue.Member] = []
    skipSpace()
    if skip("}") { return .object(members) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure }
      let name = try string()
      skipSpace()
      guard skip(":") else { throw failure }
      members.append(.init(name, try value(depth: depth + 1)))
      skipSpace()
      if skip("}") { return .object(members) }
      guard skip(",") else { throw failure }
    }
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = next, (48...57).contains(byte) { position += 1 }
    return position - start
  }

  private mutating func number() throws(JSONValue.ParsingError) -> JSONValue {
    let start = position
    _ = skip("-")
    let startsWithZero = next == UInt8(ascii: "0")
    let count = digits()
    guard count == 1 || (count > 1 && !startsWithZero) else { throw failure }
    if skip(".") { guard digits() > 0 else { throw failure } }
    if skip("e") || skip("E") {
      if !skip("+") { _ = skip("-") }
      guard digits() > 0 else { throw failure }
    }
    return .number(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  mutating func string() throws(JSONValue.ParsingError) -> String {
    position += 1
    var units: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(exactlyUTF8: units) else { throw failure }
        return string
      case UInt8(ascii: "\\"): units.append(contentsOf: try escape().utf8)
      case 0..<0x20: throw failure
      default: units.append(byte)
      }
    }
    throw failure
  }

  private mutating func escape() throws(JSONValue.ParsingError) -> String {
    guard let byte = next else { throw failure }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return String(Character(Unicode.Scalar(byte)))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let first = try hexadecimal()
      if let scalar = Unicode.Scalar(first) { return String(Character(scalar)) }
      guard (0xD800..<0xDC00).contains(first), skip("\\"), skip("u") else { throw failure }
      let second = try hexadecimal()
      guard (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
      else { throw failure }
      return String(Character(scalar))
    default: throw failure
    }
  }

  private mutating func hexadecimal() throws(JSONValue.ParsingError) -> UInt32 {
    guard position + 4 <= bytes.count else { throw failure }
    let digits = bytes[position..<position + 4]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure }
    position += 4
    return unit
  }
}
