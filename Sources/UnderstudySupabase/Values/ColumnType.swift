import Foundation
import UnderstudyHTTP

/// The type of a column.
package enum ColumnType: String, Sendable, Hashable, CaseIterable {
  /// A UUID of 128 bits.
  case uuid
  /// Any string without a NUL, compared by its code points.
  case text
  /// A whole number of 32 bits.
  case integer
  /// A binary number of 64 bits.
  case double = "double precision"
  /// True or false.
  case boolean
  /// A day of the years 1 to 9999.
  case date
  /// A time of the years 1 to 9999, to the microsecond.
  case timestamp = "timestamp with time zone"
  /// Texts in order, any of which can be `NULL`.
  case textArray = "text[]"
  /// A JSON document.
  case json = "jsonb"
}

extension ColumnType {
  /// Converts a value to this type; a text is parsed.
  ///
  /// - Throws: The error of PostgreSQL's input function of the type; 42804 for a value of another type.
  func value(from value: ColumnValue, column: String) throws(PostgRESTError) -> ColumnValue {
    switch (self, value) {
    case (_, .null), (.uuid, .uuid), (.double, .double), (.boolean, .boolean), (.date, .date): return value
    case (_, .text(let text)): return try self.value(fromText: text)
    case (.integer, .integer(let number)):
      guard Int32(exactly: number) != nil else {
        throw PostgRESTError(code: "22003", message: "integer out of range")
      }
      return value
    case (.double, .integer(let number)): return .double(Double(number))
    case (.textArray, .textArray(let elements)):
      for case let element? in elements { _ = try Self.checked(element) }
      return value
    case (.json, .json(let document)): return .json(try Self.checked(document))
    case (.timestamp, .timestamp(let date)):
      guard let timestamp = Timestamp(date) else {
        throw PostgRESTError(code: "22008", message: "timestamp out of range")
      }
      return .timestamp(timestamp.date)
    default: throw .mismatchedType(column: column, expected: rawValue, found: value.typeName)
    }
  }

  /// Returns the value of a text, as parsed by the input function of the type.
  func value(fromText text: String) throws(PostgRESTError) -> ColumnValue {
    // Lazy because most texts are for `text` columns, which keep their white space.
    lazy var trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch self {
    case .text: return .text(try Self.checked(text))
    case .uuid:
      guard let id = Self.uuid(text) else { throw .invalidInput(text, type: "uuid") }
      return .uuid(id)
    case .integer:
      let digits = trimmed.drop { $0 == "-" || $0 == "+" }
      guard trimmed.utf8.count - digits.utf8.count <= 1, !digits.isEmpty,
        digits.utf8.allSatisfy({ (48...57).contains($0) })
      else { throw .invalidInput(text, type: "integer") }
      guard let number = Int32(trimmed) else { throw .outOfRange(text, type: "integer") }
      return .integer(Int(number))
    case .double: return .double(try Self.double(text, trimmed.lowercased()))
    case .boolean:
      guard let value = Self.boolean(trimmed.lowercased()) else { throw .invalidInput(text, type: "boolean") }
      return .boolean(value)
    case .date:
      return .date(
        try Self.moment(text, type: "date") { text throws(Timestamp.Malformed) in
          try Timestamp.day(text)
        })
    case .timestamp:
      return .timestamp(
        try Self.moment(text, type: rawValue) { text throws(Timestamp.Malformed) in
          try Timestamp(text).date
        })
    case .textArray: return .textArray(try ArrayLiteral.elements(of: Self.checked(text)))
    case .json:
      guard let document = try? JSONValue(parsing: Data(text.utf8)) else {
        throw PostgRESTError(
          code: "22P02", message: "invalid input syntax for type json", details: JSONSyntax.details(of: text))
      }
      return .json(try Self.checked(document))
    }
  }

  /// Checks that a text has no NUL, which PostgreSQL does not support.
  private static func checked(_ text: String) throws(PostgRESTError) -> String {
    guard !text.utf8.contains(0) else {
      throw PostgRESTError(
        code: "22P05", message: "unsupported Unicode escape sequence",
        details: "\\u0000 cannot be converted to text.")
    }
    return text
  }

  private static func checked(_ document: JSONValue) throws(PostgRESTError) -> JSONValue {
    guard !document.overflowsNumeric else {
      throw PostgRESTError(code: "22003", message: "value overflows numeric format")
    }
    let normalized = document.normalized()
    if normalized.containsNUL { _ = try checked("\0") }
    return normalized
  }

  /// Parses a UUID, optionally in braces, with an optional hyphen after each four digits (`uuid_in`).
  private static func uuid(_ text: String) -> UUID? {
    if let id = UUID(uuidString: text) { return id }
    var rest = Substring(text).utf8
    if rest.first == UInt8(ascii: "{") {
      guard rest.last == UInt8(ascii: "}") else { return nil }
      rest = rest.dropFirst().dropLast()
    }
    var digits = ""
    while !rest.isEmpty {
      if rest.first == UInt8(ascii: "-"), digits.utf8.count > 0, digits.utf8.count % 4 == 0,
        digits.utf8.count < 32
      {
        rest = rest.dropFirst()
      }
      guard let digit = rest.first, Character(Unicode.Scalar(digit)).isHexDigit, digits.utf8.count < 32 else {
        return nil
      }
      digits.unicodeScalars.append(Unicode.Scalar(digit))
      rest = rest.dropFirst()
    }
    guard digits.utf8.count == 32 else { return nil }
    for place in [20, 16, 12, 8] { digits.insert("-", at: digits.index(digits.startIndex, offsetBy: place)) }
    return UUID(uuidString: digits)
  }

  /// Parses a boolean: any unambiguous prefix of its words.
  private static func boolean(_ word: String) -> Bool? {
    guard !word.isEmpty else { return nil }
    if word == "1" || word == "on" || "true".hasPrefix(word) || "yes".hasPrefix(word) { return true }
    if word == "0" || word == "of" || word == "off" || "false".hasPrefix(word) || "no".hasPrefix(word) {
      return false
    }
    return nil
  }

  private static func double(_ text: String, _ word: String) throws(PostgRESTError) -> Double {
    switch word {
    case "nan": return .nan
    case "infinity", "inf", "+infinity", "+inf": return .infinity
    case "-infinity", "-inf": return -.infinity
    default: break
    }
    let isHexadecimal = word.drop { $0 == "-" || $0 == "+" }.hasPrefix("0x")
    let letters = isHexadecimal ? "+-.xpabcdef".utf8 : "+-.e".utf8
    guard word.utf8.allSatisfy({ (48...57).contains($0) || letters.contains($0) }), let number = Double(word)
    else { throw .invalidInput(text, type: "double precision") }
    // A number that is too small for the type is an error, not zero.
    let isLost =
      number == 0
      && word.prefix { $0 != "e" && $0 != "p" }.dropFirst(isHexadecimal ? 2 : 0).contains {
        $0.isHexDigit && $0 != "0"
      }
    guard number.isFinite, !isLost else {
      throw PostgRESTError(code: "22003", message: "\"\(text)\" is out of range for type double precision")
    }
    return number
  }

  private static func moment<Moment>(
    _ text: String, type: String, _ read: (String) throws(Timestamp.Malformed) -> Moment
  ) throws(PostgRESTError) -> Moment {
    do {
      return try read(text)
    } catch {
      switch error {
      case .syntax:
        throw PostgRESTError(code: "22007", message: "invalid input syntax for type \(type): \"\(text)\"")
      case .field:
        throw PostgRESTError(
          code: "22008", message: "date/time field value out of range: \"\(text)\"",
          hint: "Perhaps you need a different \"datestyle\" setting.")
      case .zone:
        throw PostgRESTError(code: "22009", message: "time zone displacement out of range: \"\(text)\"")
      case .range:
        throw PostgRESTError(code: "22008", message: "date/time field value out of range: \"\(text)\"")
      }
    }
  }
}

/// PostgreSQL's notation of an array of one dimension: `{a,"b, c",NULL}`.
enum ArrayLiteral {
  static func elements(of text: String) throws(PostgRESTError) -> [String?] {
    var rest = Substring(text).drop(while: \.isWhitespace)
    guard rest.popFirst() == "{" else {
      throw malformed(text, "Array value must start with \"{\" or dimension information.")
    }
    var elements: [String?] = []
    rest = rest.drop(while: \.isWhitespace)
    if rest.first == "}" {
      rest.removeFirst()
    } else if rest.first == "{" {
      throw .notSupported("arrays of arrays")
    } else {
      while true {
        elements.append(try element(of: text, &rest))
        rest = rest.drop(while: \.isWhitespace)
        let next = rest.popFirst()
        if next == "}" { break }
        guard next == "," else {
          throw malformed(text, next == nil ? "Unexpected end of input." : "Unexpected array element.")
        }
      }
    }
    guard rest.allSatisfy(\.isWhitespace) else { throw malformed(text, "Junk after closing right brace.") }
    return elements
  }

  private static func element(of text: String, _ rest: inout Substring) throws(PostgRESTError) -> String? {
    rest = rest.drop(while: \.isWhitespace)
    let isQuoted = rest.first == "\""
    if isQuoted { rest.removeFirst() }
    var element = ""
    var isEscaped = false
    while let character = rest.first {
      if character == "\\" {
        rest.removeFirst()
        guard let escaped = rest.popFirst() else { break }
        element.append(escaped)
        isEscaped = true
      } else if isQuoted {
        rest.removeFirst()
        if character == "\"" { return element }
        element.append(character)
      } else if character == "," || character == "}" {
        while !isEscaped, element.last?.isWhitespace == true { element.removeLast() }
        if element.isEmpty { throw malformed(text, "Unexpected \"\(character)\" character.") }
        return !isEscaped && element.lowercased() == "null" ? nil : element
      } else if character == "\"" {
        throw malformed(text, "Unexpected array element.")
      } else if character == "{" {
        throw malformed(text, "Unexpected \"\(character)\" character.")
      } else {
        rest.removeFirst()
        element.append(character)
      }
    }
    throw malformed(text, "Unexpected end of input.")
  }

  static func text(of elements: [String?]) -> String {
    let written = elements.map { element -> String in
      guard let element else { return "NULL" }
      let isPlain =
        !element.isEmpty && element.lowercased() != "null"
        && !element.contains { $0.isWhitespace || "{}\\\",".contains($0) }
      if isPlain { return element }
      return "\"" + element.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    return "{" + written.joined(separator: ",") + "}"
  }

  private static func malformed(_ text: String, _ details: String) -> PostgRESTError {
    PostgRESTError(code: "22P02", message: "malformed array literal: \"\(text)\"", details: details)
  }
}
