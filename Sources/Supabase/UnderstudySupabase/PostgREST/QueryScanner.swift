/// A reader of the small languages in a query string (`ApiRequest/QueryParams.hs`).
struct QueryScanner {
  /// The name of the part, for messages.
  let part: String
  let text: String
  private let scalars: [Unicode.Scalar]
  var position = 0

  init(_ text: String, _ part: String) {
    self.text = text
    self.part = part
    scalars = Array(text.unicodeScalars)
  }

  var isAtEnd: Bool { position == scalars.count }
  var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  func isNext(_ word: String) -> Bool {
    scalars[position...].starts(with: word.unicodeScalars)
  }

  /// Consumes a text, if it comes next.
  mutating func skip(_ word: String) -> Bool {
    guard isNext(word) else { return false }
    position += word.unicodeScalars.count
    return true
  }

  mutating func skipSpaces() {
    while next == " " || next == "\t" { position += 1 }
  }

  mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
    var taken = ""
    while let scalar = next, condition(scalar) {
      taken.unicodeScalars.append(scalar)
      position += 1
    }
    return taken
  }

  /// Consumes the rest.
  mutating func rest() -> String { take { _ in true } }

  /// Reads something that may not be there: a failure consumes nothing.
  mutating func attempt<Result>(_ read: (inout QueryScanner) throws(PostgRESTError) -> Result?) -> Result? {
    let start = position
    do throws(PostgRESTError) {
      if let result = try read(&self) { return result }
    } catch {}
    position = start
    return nil
  }

  mutating func require(_ word: String) throws(PostgRESTError) {
    guard skip(word) else { throw unexpected("\"\(word)\"") }
  }

  /// The error for what comes next.
  ///
  /// - Parameter start: Where the part begins that cannot be read (default: here).
  func unexpected(_ expected: String, from start: Int? = nil) -> PostgRESTError {
    let position = start ?? position
    let found = position < scalars.count ? "\"\(scalars[position])\"" : "end of input"
    return .unreadable(
      part, text, column: position + 1, details: "unexpected \(found) expecting \(expected)")
  }

  // MARK: Names

  private static func isIdentifier(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || "_ $".unicodeScalars.contains(scalar)
  }

  /// Letters, digits, `_`, `$` and spaces, without the spaces around.
  mutating func identifier() -> String? {
    let taken = take(while: Self.isIdentifier)
    return taken.isEmpty ? nil : taken.trimmingPrefixAndSuffix
  }

  /// The name of a column or of a relation, with or without quotes.
  ///
  /// A dash is part of it unless it begins an arrow.
  mutating func fieldName() throws(PostgRESTError) -> String {
    if next == "\"" { return try quoted() }
    return try joinedByDashes("field name (* or [a..z0..9_$])") { $0.identifier() }
  }

  private mutating func joinedByDashes(
    _ expected: String, _ part: (inout QueryScanner) -> String?
  ) throws(PostgRESTError) -> String {
    guard var name = part(&self) else { throw unexpected(expected) }
    while next == "-", !isNext("->") {
      position += 1
      guard let more = part(&self) else { throw unexpected(expected) }
      name += "-" + more
    }
    return name
  }

  /// A text in quotes, in which a backslash escapes the next character.
  mutating func quoted() throws(PostgRESTError) -> String {
    try require("\"")
    var value = ""
    while let scalar = next {
      position += 1
      if scalar == "\"" { return value }
      if scalar == "\\", let escaped = next {
        value.unicodeScalars.append(escaped)
        position += 1
      } else {
        value.unicodeScalars.append(scalar)
      }
    }
    throw unexpected("\"\\\"\"")
  }

  // MARK: Fields

  /// A column with an optional path into its document: `data->a->>0`.
  mutating func field() throws(PostgRESTError) -> RequestField {
    skipSpaces()
    let name = try fieldName()
    let path = try jsonPath()
    skipSpaces()
    return RequestField(name: name, path: path)
  }

  mutating func jsonPath() throws(PostgRESTError) -> [RequestField.Step] {
    var path: [RequestField.Step] = []
    while isNext("->") {
      let isText = isNext("->>")
      position += isText ? 3 : 2
      path.append(RequestField.Step(operand: try jsonOperand(), isText: isText))
    }
    return path
  }

  private mutating func jsonOperand() throws(PostgRESTError) -> RequestField.Operand {
    let index = attempt { (scanner) throws(PostgRESTError) -> String? in
      let sign = scanner.skip("-") ? "-" : ""
      let digits = scanner.take { ("0"..."9").contains($0) }
      let isWhole = scanner.isAtEnd || ["->", "::", ".", ","].contains(where: scanner.isNext)
      return digits.isEmpty || !isWhole ? nil : sign + digits
    }
    if let index { return .index(index) }
    if next == "\"" { return .key(try quoted()) }
    return .key(
      try joinedByDashes("any non reserved character different from: .,>()") { scanner in
        let taken = scanner.take { !"(-:.,>)".unicodeScalars.contains($0) }
        return taken.isEmpty ? nil : taken.trimmingPrefixAndSuffix
      })
  }

  /// The names before a field, which lead to an embedded relation: `posts.author.name`.
  mutating func treePath() throws(PostgRESTError) -> (path: [String], field: RequestField) {
    var names = [try fieldName()]
    while skip(".") { names.append(try fieldName()) }
    let name = names.removeLast()
    return (names, RequestField(name: name, path: try jsonPath()))
  }

  /// The names between commas, of `columns` and `on_conflict`.
  mutating func names() throws(PostgRESTError) -> [String] {
    var names = [try fieldName()]
    while true {
      skipSpaces()
      guard skip(",") else { return names }
      skipSpaces()
      names.append(try fieldName())
    }
  }
}

extension String {
  /// The text without the spaces around it.
  fileprivate var trimmingPrefixAndSuffix: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
