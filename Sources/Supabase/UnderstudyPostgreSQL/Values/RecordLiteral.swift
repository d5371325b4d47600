/// The text of a row (PostgreSQL documentation, 8.16.6): `(a,"b,c",)`.
enum RecordLiteral {
  /// Reads the values of the columns, each as soon as its text is found.
  ///
  /// - Parameter read: Reads the text of the column with the index; nil is null.
  static func values(
    of text: String, count: Int, _ read: (_ index: Int, _ text: String?) throws(PostgreSQLError) -> Value
  ) throws(PostgreSQLError) -> [Value] {
    func malformed(_ detail: String) -> PostgreSQLError {
      PostgreSQLError("22P02", "malformed record literal: \"\(text)\"", detail: detail)
    }
    var rest = Array(text.utf8)[...].drop(while: \.isSpace)
    guard rest.popFirst() == UInt8(ascii: "(") else { throw malformed("Missing left parenthesis.") }
    var values: [Value] = []
    for index in 0..<count {
      if index > 0 {
        guard rest.first == UInt8(ascii: ",") else { throw malformed("Too few columns.") }
        rest.removeFirst()
      }
      if rest.first == UInt8(ascii: ",") || rest.first == UInt8(ascii: ")") {
        values.append(try read(index, nil))
        continue
      }
      guard let field = QuotedText.read(&rest, until: [UInt8(ascii: ","), UInt8(ascii: ")")]) else {
        throw malformed("Unexpected end of input.")
      }
      values.append(try read(index, field))
    }
    guard rest.first == UInt8(ascii: ")") else { throw malformed("Too many columns.") }
    guard rest.dropFirst().allSatisfy(\.isSpace) else { throw malformed("Junk after right parenthesis.") }
    return values
  }

  static func text(of fields: [String?]) -> String {
    "(" + fields.map { $0.map { QuotedText.quoted($0, special: "(),") } ?? "" }.joined(separator: ",") + ")"
  }
}

/// Quoting in rows and ranges, where a doubled quote is a quote.
enum QuotedText {
  /// Reads up to a delimiter outside of quotes; nil without one.
  static func read(_ rest: inout ArraySlice<UInt8>, until delimiters: [UInt8]) -> String? {
    var bytes: [UInt8] = []
    var isQuoted = false
    while let byte = rest.first {
      if !isQuoted, delimiters.contains(byte) { return String(decoding: bytes, as: UTF8.self) }
      rest.removeFirst()
      if byte == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst() else { return nil }
        bytes.append(escaped)
      } else if byte == UInt8(ascii: "\"") {
        if isQuoted, rest.first == byte {
          bytes.append(byte)
          rest.removeFirst()
        } else {
          isQuoted.toggle()
        }
      } else {
        bytes.append(byte)
      }
    }
    return nil
  }

  static func quoted(_ text: String, special: String) -> String {
    let isPlain =
      !text.isEmpty
      && !text.utf8.contains {
        $0.isSpace || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || special.utf8.contains($0)
      }
    return isPlain ? text : "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\"\"") + "\""
  }
}
