/// A value of a TOML document.
indirect enum TOMLValue: Sendable, Equatable {
  case string(String)
  case integer(Int)
  case boolean(Bool)
  case array([TOMLValue])
  case table([String: TOMLValue])
  /// A number with a fraction, or a date, as it is written.
  case other(String)
}

/// A reader of TOML 1.0, as far as `config.toml` of the Supabase CLI uses it: all but nested arrays of tables.
struct TOMLReader {
  /// The reason why a document is invalid.
  struct Failure: Error, Equatable {
    let line: Int
    let problem: String
  }

  private let bytes: [UInt8]
  private var place = 0
  private var root: [String: TOMLValue] = [:]

  /// Returns the root table of a document.
  static func read(_ text: String) throws(Failure) -> [String: TOMLValue] {
    var reader = TOMLReader(bytes: Array(text.replacing("\r\n", with: "\n").utf8))
    try reader.readDocument()
    return reader.root
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func readDocument() throws(Failure) {
    var table: [String] = []
    while true {
      skipBlank()
      guard let byte = current else { return }
      if byte == UInt8(ascii: "[") {
        place += 1
        let isElement = take("[")
        table = try key()
        guard take("]"), !isElement || take("]") else { throw failure("expected \"]\"") }
        if isElement {
          try append(at: table)
        } else {
          try define(nil, at: table)
        }
      } else {
        let path = try key()
        guard take("=") else { throw failure("expected \"=\"") }
        try define(try value(), at: table + path)
      }
      skipSpaces()
      guard current == nil || current == UInt8(ascii: "\n") else {
        throw failure("expected the end of the line")
      }
    }
  }

  /// Stores a value, or an empty table that may exist, at a path of tables.
  private mutating func define(_ value: TOMLValue?, at path: [String]) throws(Failure) {
    guard Self.define(value, at: path[...], in: &root) else {
      throw failure("\(path.joined(separator: ".")) is defined twice")
    }
  }

  private static func define(
    _ value: TOMLValue?, at path: ArraySlice<String>, in table: inout [String: TOMLValue]
  ) -> Bool {
    guard let name = path.first else { return true }
    let rest = path.dropFirst()
    if rest.isEmpty, let value {
      guard table[name] == nil else { return false }
      table[name] = value
      return true
    }
    switch table[name] {
    case nil, .table?:
      var inner: [String: TOMLValue] = [:]
      if case .table(let members)? = table[name] { inner = members }
      guard define(value, at: rest, in: &inner) else { return false }
      table[name] = .table(inner)
    case .array(let elements)?:
      // Below `[[name]]`, a path continues in the last element.
      guard case .table(var inner)? = elements.last, define(value, at: rest, in: &inner) else { return false }
      table[name] = .array(elements.dropLast() + [.table(inner)])
    default: return false
    }
    return true
  }

  private mutating func append(at path: [String]) throws(Failure) {
    guard path.count == 1, let name = path.first else { throw failure("arrays of tables are not nested") }
    switch root[name] {
    case nil: root[name] = .array([.table([:])])
    case .array(let elements)?: root[name] = .array(elements + [.table([:])])
    default: throw failure("\(name) is defined twice")
    }
  }

  // MARK: - Characters

  private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func failure(_ problem: String) -> Failure {
    let line = 1 + bytes.prefix(place).count { $0 == UInt8(ascii: "\n") }
    return Failure(line: line, problem: problem)
  }

  private mutating func skipSpaces() {
    while let byte = current, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { place += 1 }
    guard current == UInt8(ascii: "#") else { return }
    while let byte = current, byte != UInt8(ascii: "\n") { place += 1 }
  }

  private mutating func skipBlank() {
    skipSpaces()
    while current == UInt8(ascii: "\n") {
      place += 1
      skipSpaces()
    }
  }

  private func isNext(_ text: String) -> Bool {
    bytes[min(place, bytes.count)...].starts(with: text.utf8)
  }

  private mutating func take(_ text: String) -> Bool {
    skipSpaces()
    guard isNext(text) else { return false }
    place += text.utf8.count
    return true
  }

  private mutating func bareWord() -> String {
    let start = place
    while let byte = current,
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "_-+.:".utf8.contains(byte)
    {
      place += 1
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  /// Reads a key, whose parts are separated by points.
  private mutating func key() throws(Failure) -> [String] {
    var path: [String] = []
    repeat {
      skipSpaces()
      if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") {
        path.append(try string())
      } else {
        let word = bareWord()
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard !parts.contains(""), !word.contains(where: { "+:".contains($0) }) else {
          throw failure("expected a key")
        }
        path += parts.map(String.init)
      }
    } while take(".")
    return path
  }

  // MARK: - Values

  private mutating func value() throws(Failure) -> TOMLValue {
    skipSpaces()
    switch current {
    case UInt8(ascii: "\"")?, UInt8(ascii: "'")?: return .string(try string())
    case UInt8(ascii: "[")?: return .array(try elements())
    case UInt8(ascii: "{")?: return .table(try inlineTable())
    default: break
    }
    let word = bareWord()
    switch word {
    case "": throw failure("expected a value")
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    default: return Int(word.replacing("_", with: "")).map(TOMLValue.integer) ?? .other(word)
    }
  }

  private mutating func elements() throws(Failure) -> [TOMLValue] {
    place += 1
    var elements: [TOMLValue] = []
    while true {
      skipBlank()
      if take("]") { return elements }
      elements.append(try value())
      skipBlank()
      guard take(",") || isNext("]") else { throw failure("expected \",\" or \"]\"") }
    }
  }

  private mutating func inlineTable() throws(Failure) -> [String: TOMLValue] {
    place += 1
    var table: [String: TOMLValue] = [:]
    while true {
      if take("}") { return table }
      let path = try key()
      guard take("=") else { throw failure("expected \"=\"") }
      guard Self.define(try value(), at: path[...], in: &table) else {
        throw failure("\(path.joined(separator: ".")) is defined twice")
      }
      guard take(",") || isNext("}") else { throw failure("expected \",\" or \"}\"") }
    }
  }

  /// Reads a string in any of the four forms.
  private mutating func string() throws(Failure) -> String {
    let quote = isNext("\"") ? "\"" : "'"
    let isLong = isNext(quote + quote + quote)
    let end = isLong ? quote + quote + quote : quote
    place += end.utf8.count
    if isLong, current == UInt8(ascii: "\n") { place += 1 }
    var content: [UInt8] = []
    while let byte = current {
      if isNext(end) {
        place += end.utf8.count
        return String(decoding: content, as: UTF8.self)
      }
      guard isLong || byte != UInt8(ascii: "\n") else { break }
      place += 1
      if byte == UInt8(ascii: "\\"), quote == "\"" {
        content += try escaped()
      } else {
        content.append(byte)
      }
    }
    throw failure("a string has no end")
  }

  private mutating func escaped() throws(Failure) -> [UInt8] {
    guard let byte = current else { throw failure("a string has no end") }
    place += 1
    let simple: [Character: Character] = [
      "b": "\u{8}", "t": "\t", "n": "\n", "f": "\u{C}", "r": "\r", "e": "\u{1B}", "\"": "\"", "\\": "\\",
    ]
    let letter = Character(Unicode.Scalar(byte))
    if let plain = simple[letter] { return Array(String(plain).utf8) }
    switch letter {
    case "u", "U":
      let count = letter == "u" ? 4 : 8
      let digits = String(decoding: bytes.dropFirst(place).prefix(count), as: UTF8.self)
      guard digits.utf8.count == count, let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
      else { throw failure("invalid escape \"\\\(letter)\(digits)\"") }
      place += count
      return Array(String(Character(scalar)).utf8)
    case "\n", " ", "\t":
      // A line that continues: the blanks up to the next character are left out.
      while let byte = current, " \t\n".utf8.contains(byte) { place += 1 }
      return []
    default: throw failure("invalid escape \"\\\(letter)\"")
    }
  }
}
