import UnderstudyHTTP

/// A simple parser of JSON documents that records the position of each value.
struct ReferenceJSON {
  enum Content {
    case null
    case boolean(Bool)
    case number(String)
    case string(String)
    case array([ReferenceJSON])
    case object([(name: String, value: ReferenceJSON)])
  }

  /// The position of invalid JSON.
  struct Failure: Error {
    let offset: Int
  }

  let content: Content
  let offset: Int

  /// Parses a document after a number of bytes.
  init(_ bytes: [UInt8], from start: Int) throws(Failure) {
    var parser = Parser(bytes: bytes, position: start)
    parser.skipSpace()
    self = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.position == bytes.count else { throw Failure(offset: parser.position) }
  }

  fileprivate init(_ content: Content, at offset: Int) {
    self.content = content
    self.offset = offset
  }

  /// The value of the last member with this name.
  subscript(name: String) -> ReferenceJSON? {
    guard case .object(let members) = content else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The value without positions.
  var json: JSONValue {
    switch content {
    case .null: .null
    case .boolean(let value): .boolean(value)
    case .number(let digits): .number(digits)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(\.json))
    case .object(let members): .object(members.map { .init($0.name, $0.value.json) })
    }
  }
}

private struct Parser {
  let bytes: [UInt8]
  var position: Int

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skipSpace() {
    while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { position += 1 }
  }

  mutating func skip(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  mutating func need(_ text: String) throws(ReferenceJSON.Failure) {
    guard skip(text) else { throw .init(offset: position) }
  }

  mutating func value(depth: Int) throws(ReferenceJSON.Failure) -> ReferenceJSON {
    let start = position
    guard depth < 512 else { throw .init(offset: start) }
    if skip("true") { return ReferenceJSON(.boolean(true), at: start) }
    if skip("false") { return ReferenceJSON(.boolean(false), at: start) }
    if skip("null") { return ReferenceJSON(.null, at: start) }
    switch next {
    case UInt8(ascii: "\""): return ReferenceJSON(.string(try string()), at: start)
    case UInt8(ascii: "["):
      var elements: [ReferenceJSON] = []
      try each(of: "[", "]") { parser throws(ReferenceJSON.Failure) in
        elements.append(try parser.value(depth: depth + 1))
      }
      return ReferenceJSON(.array(elements), at: start)
    case UInt8(ascii: "{"):
      var members: [(String, ReferenceJSON)] = []
      try each(of: "{", "}") { parser throws(ReferenceJSON.Failure) in
        let name = try parser.string()
        parser.skipSpace()
        try parser.need(":")
        parser.skipSpace()
        members.append((name, try parser.value(depth: depth + 1)))
      }
      return ReferenceJSON(.object(members), at: start)
    default: return ReferenceJSON(.number(try number()), at: start)
    }
  }

  private mutating func each(
    of open: String, _ close: String, _ body: (inout Self) throws(ReferenceJSON.Failure) -> Void
  ) throws(ReferenceJSON.Failure) {
    try need(open)
    skipSpace()
    if skip(close) { return }
    while true {
      try body(&self)
      skipSpace()
      if skip(close) { return }
      try need(",")
      skipSpace()
    }
  }

  private mutating func number() throws(ReferenceJSON.Failure) -> String {
    let start = position
    _ = skip("-")
    if !skip("0") { try digits() }
    if skip(".") { try digits() }
    if skip("e") || skip("E") {
      if !skip("+") { _ = skip("-") }
      try digits()
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() throws(ReferenceJSON.Failure) {
    let start = position
    while let byte = next, (48...57).contains(byte) { position += 1 }
    guard position > start else { throw .init(offset: position) }
  }

  private mutating func string() throws(ReferenceJSON.Failure) -> String {
    try need("\"")
    var text = String.UnicodeScalarView()
    while let byte = next {
      if skip("\"") { return String(text) }
      guard byte >= 0x20 else { throw .init(offset: position) }
      text.append(byte == UInt8(ascii: "\\") ? try escape() : try scalar())
    }
    throw .init(offset: bytes.count)
  }

  /// The Unicode scalar that begins here.
  private mutating func scalar() throws(ReferenceJSON.Failure) -> Unicode.Scalar {
    for length in 1...4 where position + length <= bytes.count {
      if let text = String(exactlyUTF8: bytes[position..<position + length]),
        let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1
      {
        position += length
        return scalar
      }
    }
    throw .init(offset: position)
  }

  private mutating func escape() throws(ReferenceJSON.Failure) -> Unicode.Scalar {
    let start = position
    for (escape, scalar) in Self.escapes where skip(escape) { return scalar }
    var units: [UInt16] = []
    while units.count < 2, skip("\\u") {
      let digits = bytes[position...].prefix(4)
      let text = String(decoding: digits, as: UTF8.self)
      guard text.utf8.count == 4, text.allSatisfy({ $0.isASCII && $0.isHexDigit }),
        let unit = UInt16(text, radix: 16)
      else { throw .init(offset: start) }
      position += 4
      units.append(unit)
      if units.count == 1, let scalar = Unicode.Scalar(unit) { return scalar }
    }
    var decoder = UTF16()
    var iterator = units.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator), units.count == 2 else {
      throw .init(offset: start)
    }
    return scalar
  }

  private static let escapes: [(String, Unicode.Scalar)] = [
    (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b"#, "\u{8}"), (#"\f"#, "\u{C}"), (#"\n"#, "\n"),
    (#"\r"#, "\r"), (#"\t"#, "\t"),
  ]
}
