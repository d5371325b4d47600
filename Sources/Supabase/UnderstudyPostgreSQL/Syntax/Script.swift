/// SQL as text: a script, a query or an expression.
package enum Script {
  /// The statements of a script.
  ///
  /// Throws the first error.
  package static func parse(_ sql: String) throws(PostgreSQLError) -> [ScriptStatement] {
    var reader = ScriptReader(sql)
    var statements: [ScriptStatement] = []
    while let attempt = reader.next() {
      statements.append(ScriptStatement(try attempt.result.get(), range: attempt.range))
    }
    return statements
  }

  /// The statements of a script, and the errors of those that are not understood.
  ///
  /// Each goes to the next semicolon.
  package static func parseLeniently(_ sql: String) -> [Attempt] {
    var reader = ScriptReader(sql)
    var attempts: [Attempt] = []
    while let attempt = reader.next() { attempts.append(attempt) }
    return attempts
  }

  /// A single expression, without a semicolon.
  package static func expression(_ sql: String) throws(PostgreSQLError) -> SQLExpression {
    var parser = Parser(sql)
    let expression = try parser.parseExpression()
    try parser.expectEnd()
    return expression
  }

  /// A single query, without a semicolon.
  package static func query(_ sql: String) throws(PostgreSQLError) -> Query {
    var parser = Parser(sql)
    let query = try parser.parseQuery()
    try parser.expectEnd()
    return query
  }

  /// A statement, or why it is not understood.
  package struct Attempt: Sendable {
    /// The bytes of the script that it takes, without the semicolon.
    package var range: Range<Int>
    package var result: Result<Statement, PostgreSQLError>
  }
}

extension Parser {
  /// A parser of one statement without a semicolon.
  package init(_ sql: String) {
    var lexer = Lexer(sql)
    let list = lexer.remainingTokens()
    self.init(list, source: lexer.bytes)
  }
}

/// Goes through a script as psql does.
private struct ScriptReader {
  var lexer: Lexer

  init(_ sql: String) { lexer = Lexer(sql) }

  /// The next statement; nil at the end.
  mutating func next() -> Script.Attempt? {
    while true {
      if let failure = lexer.skipSpace() {
        let start = failure.position ?? lexer.bytes.count
        return Script.Attempt(range: start..<lexer.bytes.count, result: .failure(failure))
      }
      guard let byte = lexer.peek() else { return nil }
      let start = lexer.position
      if byte == UInt8(ascii: "\\") {
        // A command of psql, such as `\restrict` in the output of pg_dump.
        let words = lexer.takeLine().split(separator: " ")
        return Script.Attempt(
          range: start..<lexer.position, result: .success(.ignored("psql \(words.first ?? "\\")")))
      }
      let list = lexer.nextStatement()
      if list.tokens.count == 1, list.failure == nil { continue }
      var parser = Parser(list, source: lexer.bytes)
      var result: Result<Statement, PostgreSQLError>
      do throws(PostgreSQLError) {
        let statement = try parser.parseStatement()
        try parser.expectEnd()
        result = .success(statement)
      } catch {
        result = .failure(error)
      }
      if isCopyFromInput(list.tokens) {
        let rows = copiedRows()
        if case .success(.copy(var copy)) = result {
          copy.rows = rows
          result = .success(.copy(copy))
        }
      }
      return Script.Attempt(range: start..<max(start, list.end), result: result)
    }
  }

  /// Whether lines of data follow, also of a statement that is not understood.
  private func isCopyFromInput(_ tokens: [Token]) -> Bool {
    guard tokens[0].kind == .word, tokens[0].text == "copy" else { return false }
    return zip(tokens, tokens.dropFirst()).contains { pair in
      pair.0.kind == .word && pair.0.text == "from" && pair.1.kind == .word && pair.1.text == "stdin"
    }
  }

  /// The lines of the text format to the one with `\.` (PostgreSQL documentation, COPY).
  private mutating func copiedRows() -> [[String?]] {
    _ = lexer.takeLine()
    var rows: [[String?]] = []
    while lexer.peek() != nil {
      let line = lexer.takeLine()
      if line == "\\." { break }
      rows.append(line.split(separator: "\t", omittingEmptySubsequences: false).map(Self.field))
    }
    return rows
  }

  private static func field(_ text: Substring) -> String? {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return String(text) }
    if text == "\\N" { return nil }
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    func takeDigits(_ radix: Int, atMost count: Int) -> UInt8? {
      var digits = ""
      while digits.count < count, let byte = rest.first {
        let digit = String(UnicodeScalar(byte))
        guard Int(digit, radix: radix) != nil else { break }
        digits += digit
        rest.removeFirst()
      }
      return Int(digits, radix: radix).map { UInt8(truncatingIfNeeded: $0) }
    }
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let kind = rest.first else {
        result.append(byte)
        continue
      }
      if (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(kind), let value = takeDigits(8, atMost: 3) {
        result.append(value)
        continue
      }
      rest.removeFirst()
      switch kind {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "v"): result.append(0x0B)
      case UInt8(ascii: "x"): result.append(takeDigits(16, atMost: 2) ?? kind)
      default: result.append(kind)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
