/// A tokenizer of SQL, which skips comments.
struct SQLTokenizer {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var line = 1
  private var column = 1

  private init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// Returns the tokens of a text, including one for the end.
  static func tokens(of text: String) throws(SQLProblem) -> [SQLToken] {
    var tokenizer = SQLTokenizer(text)
    var tokens: [SQLToken] = []
    while true {
      let token = try tokenizer.next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private var location: SQLLocation { SQLLocation(line: line, column: column) }
  private var peek: Unicode.Scalar? { peek(0) }

  private func peek(_ distance: Int) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  @discardableResult
  private mutating func take() -> Unicode.Scalar? {
    guard let scalar = peek else { return nil }
    position += 1
    if scalar == "\n" {
      line += 1
      column = 1
    } else {
      column += 1
    }
    return scalar
  }

  private mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
    var text = ""
    while let scalar = peek, condition(scalar) {
      text.unicodeScalars.append(scalar)
      take()
    }
    return text
  }

  private mutating func next() throws(SQLProblem) -> SQLToken {
    try skipSpaceAndComments()
    let start = location
    guard let first = peek else { return SQLToken(kind: .end, location: start) }
    return SQLToken(kind: try kind(startingWith: first), location: start)
  }

  private mutating func kind(startingWith first: Unicode.Scalar) throws(SQLProblem) -> SQLToken.Kind {
    if first == "'" { return .string(try quoted("'", escapes: false)) }
    if first == "\"" { return .name(try quoted("\"", escapes: false)) }
    if (first == "e" || first == "E") && peek(1) == "'" {
      take()
      return .string(try quoted("'", escapes: true))
    }
    if first == "$", let text = try dollarQuoted() { return .string(text) }
    if first == "_" || first.properties.isAlphabetic {
      // Only the letters of ASCII are folded, as PostgreSQL does in UTF-8.
      let word = take { $0 == "_" || $0 == "$" || $0.properties.isAlphabetic || Self.isDigit($0) }
      return .word(word.asciiLowercased)
    }
    if Self.isDigit(first) || (first == "." && peek(1).map(Self.isDigit) == true) { return .number(number()) }
    if ":" == first, peek(1) == ":" || peek(1) == "=" {
      take()
      return .symbol(take() == ":" ? "::" : ":=")
    }
    if "()[],;.:".unicodeScalars.contains(first) {
      take()
      return .symbol(String(Character(first)))
    }
    let symbol = operatorSymbol()
    guard !symbol.isEmpty else {
      throw problem("the character \"\(first)\" is unexpected.", at: location)
    }
    return .symbol(symbol)
  }

  /// Consumes the characters of one operator; a trailing `+` or `-` is a separate sign, unless the operator has a
  /// character that no sign follows (PostgreSQL, "Operators").
  private mutating func operatorSymbol() -> String {
    let characters = "+-*/<>=~!@#%^&|`?".unicodeScalars
    var length = 0
    while let scalar = peek(length), characters.contains(scalar) {
      if (scalar == "-" && peek(length + 1) == "-") || (scalar == "/" && peek(length + 1) == "*") { break }
      length += 1
    }
    var symbol = scalars[position..<position + length]
    let isFree = symbol.contains { "~!@#%^&|`?".unicodeScalars.contains($0) }
    while symbol.count > 1, !isFree, let last = symbol.last, last == "+" || last == "-" {
      symbol.removeLast()
    }
    for _ in symbol { take() }
    return symbol.reduce(into: "") { $0.unicodeScalars.append($1) }
  }

  private mutating func number() -> String {
    var text = take(while: Self.isDigit)
    if peek == "." {
      take()
      text += "." + take(while: Self.isDigit)
    }
    if peek == "e" || peek == "E" {
      let hasSign = peek(1) == "+" || peek(1) == "-"
      if peek(hasSign ? 2 : 1).map(Self.isDigit) == true {
        take()
        text += "e"
        if hasSign, let sign = take() { text.unicodeScalars.append(sign) }
        text += take(while: Self.isDigit)
      }
    }
    return text
  }

  private mutating func skipSpaceAndComments() throws(SQLProblem) {
    while let scalar = peek {
      if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
        take()
      } else if scalar == "-", peek(1) == "-" {
        while let next = peek, next != "\n" { take() }
      } else if scalar == "/", peek(1) == "*" {
        try skipComment()
      } else {
        return
      }
    }
  }

  /// Skips a comment between `/*` and `*/`, which can contain other comments.
  private mutating func skipComment() throws(SQLProblem) {
    let start = location
    var depth = 0
    repeat {
      guard let scalar = take() else { throw problem("the end of the comment (*/) is missing.", at: start) }
      if scalar == "/", peek == "*" {
        take()
        depth += 1
      } else if scalar == "*", peek == "/" {
        take()
        depth -= 1
      }
    } while depth > 0
  }

  private mutating func quoted(_ quote: Unicode.Scalar, escapes: Bool) throws(SQLProblem) -> String {
    let start = location
    take()
    var text = ""
    while let scalar = take() {
      if scalar == quote {
        guard peek == quote else {
          if quote == "\"", text.isEmpty { throw problem("a name in quotes cannot be empty.", at: start) }
          return text
        }
        take()
        text.unicodeScalars.append(quote)
      } else if scalar == "\\", escapes {
        try appendEscape(to: &text)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    throw problem("the closing quote (\(quote)) is missing.", at: start)
  }

  private mutating func appendEscape(to text: inout String) throws(SQLProblem) {
    let start = location
    guard let scalar = take() else { throw problem("the closing quote (') is missing.", at: start) }
    switch scalar {
    case "b": text += "\u{8}"
    case "f": text += "\u{C}"
    case "n": text += "\n"
    case "r": text += "\r"
    case "t": text += "\t"
    case "u", "U", "x", "0"..."7":
      throw problem("the escape \\\(scalar) is not supported.", at: start, "Write the character itself.")
    default: text.unicodeScalars.append(scalar)
    }
  }

  /// Consumes a string between `$$` or `$tag$`; `nil` if the next token is not such a string.
  private mutating func dollarQuoted() throws(SQLProblem) -> String? {
    var end = 1
    while let scalar = peek(end), scalar == "_" || scalar.properties.isAlphabetic || Self.isDigit(scalar) {
      end += 1
    }
    guard peek(end) == "$" else { return nil }
    let start = location
    let tag = scalars[position...position + end]
    for _ in tag { take() }
    var text = ""
    while let scalar = peek {
      if scalar == "$", scalars[position...].starts(with: tag) {
        for _ in tag { take() }
        return text
      }
      text.unicodeScalars.append(scalar)
      take()
    }
    throw problem("the closing quote is missing.", at: start)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private func problem(
    _ problem: String, at location: SQLLocation,
    _ advice: String = "Write texts in single quotes, and names in double quotes or without quotes."
  ) -> SQLProblem {
    SQLProblem(location: location, problem: problem, advice: advice)
  }
}

extension String {
  /// The text with the letters A to Z in lower case.
  var asciiLowercased: String {
    guard utf8.contains(where: { (65...90).contains($0) }) else { return self }
    return String(decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }
}

/// A token of SQL (PostgreSQL, "Lexical Structure").
struct SQLToken: Sendable {
  enum Kind: Hashable, Sendable {
    /// A key word, or a name without quotes, in lower case.
    case word(String)
    /// A name in double quotes.
    case name(String)
    /// An unsigned number, as written.
    case number(String)
    /// A string of any notation, without its quotes.
    case string(String)
    /// An operator, or a mark of punctuation.
    case symbol(String)
    case end
  }

  let kind: Kind
  let location: SQLLocation

  /// The notation for messages.
  var description: String {
    switch kind {
    case .word(let text): text.uppercased()
    case .name(let text): "\"\(text)\""
    case .number(let text): text
    case .string(let text): "'\(text.count > 40 ? text.prefix(40) + "…" : text[...])'"
    case .symbol(let text): "\"\(text)\""
    case .end: "the end"
    }
  }
}

/// The reserved key words (PostgreSQL, appendix C).
enum SQLKeywords {
  static let reserved: Set<String> = words(
    """
    all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create
    current_catalog current_date current_role current_time current_timestamp current_user default deferrable desc
    distinct do else end except false fetch for foreign from grant group having in initially intersect into lateral
    leading limit localtime localtimestamp not null offset on only or order placing primary references returning select
    session_user some symmetric table then to trailing true union unique user using variadic when where window with
    """)

  /// The key words that can name a function or a type, but not a column.
  private static let functionsOrTypes: Set<String> = words(
    """
    authorization binary collation concurrently cross current_schema freeze full ilike inner is isnull join left like
    natural notnull outer overlaps right similar tablesample verbose
    """)

  /// The key words that can name a column, but not a function.
  private static let columns: Set<String> = words(
    """
    between bigint bit boolean char character coalesce dec decimal exists extract float greatest grouping inout int
    integer interval least national nchar none normalize nullif numeric out overlay position precision real row setof
    smallint substring time timestamp treat trim values varchar xmlattributes xmlconcat xmlelement xmlexists xmlforest
    xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable
    """)

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  /// Returns whether a word cannot name a column or a table.
  static func isReserved(_ word: String) -> Bool {
    reserved.contains(word) || functionsOrTypes.contains(word)
  }

  /// Returns a name in the notation of PostgreSQL, quoted if necessary (`quote_identifier`).
  static func quoted(_ name: String) -> String {
    let isPlain =
      name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 0x5F }
      && name.utf8.first.map { !(48...57).contains($0) } ?? false
    return isPlain && !isReserved(name) && !columns.contains(name)
      ? name : "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}
