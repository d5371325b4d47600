import Testing
import UnderstudyPostgreSQL

struct LexerTests {
  private func tokens(_ sql: String) -> [String] {
    var lexer = Lexer(sql)
    return lexer.remainingTokens().tokens.dropLast().map { "\($0.kind) \($0.text)" }
  }

  private func failure(_ sql: String) -> PostgreSQLError? {
    var lexer = Lexer(sql)
    return lexer.remainingTokens().failure
  }

  @Test(arguments: [
    ("SELECT Größe", ["word select", "word größe"]), ("\"A\"\"b\"", ["quotedIdentifier A\"b"]),
    ("'it''s'", ["string it's"]), ("'a'  -- c\n 'b'", ["string ab"]), ("'a' 'b'", ["string a", "string b"]),
    ("E'\\n\\x41\\101\\u00e9\\\\\\''", ["string \nAAé\\'"]), ("E'\\uD83D\\uDE00'", ["string 😀"]),
    ("U&'\\0041\\+01F600' U&\"d!0061t\" UESCAPE '!'", ["string A😀", "quotedIdentifier dat"]),
    ("$$a'b$$ $x$ $$ $x$ $1", ["string a'b", "string  $$ ", "parameter 1"]), ("a$b$", ["word a$b$"]),
    ("b'101' X'1f'", ["bits 101", "bits 00011111"]),
    (
      "1 1.5 .5 1. 1e3 1.5E-3",
      ["integer 1", "decimal 1.5", "decimal .5", "decimal 1.", "decimal 1e3", "decimal 1.5E-3"]
    ),
    ("1..2", ["integer 1", "punctuation ..", "integer 2"]), ("a.b", ["word a", "punctuation .", "word b"]),
    (
      "a::b := c => d",
      ["word a", "punctuation ::", "word b", "punctuation :=", "word c", "punctuation =>", "word d"]
    ),
    ("=-1", ["operator =", "operator -", "integer 1"]), ("@-1", ["operator @-", "integer 1"]),
    ("a<--b\n", ["word a", "operator <"]), ("+/*x*/-", ["operator +", "operator -"]), ("!=", ["operator <>"]),
    ("->>#>>", ["operator ->>#>>"]), ("/* a /* b */ c */ d", ["word d"]), ("*/", ["operator */"]),
  ])
  func cutsTokens(sql: String, expected: [String]) {
    #expect(tokens(sql) == expected)
  }

  @Test(arguments: [
    ("select 'abc", "unterminated quoted string at or near \"'abc\"", 7),
    ("\"abc", "unterminated quoted identifier at or near \"\"abc\"", 0),
    ("a \"\"", "zero-length delimited identifier at or near \"\"\"\"", 2),
    ("$x$ a", "unterminated dollar-quoted string at or near \"$x$ a\"", 0),
    ("a /* b", "unterminated /* comment at or near \"/* b\"", 2),
    ("12ab", "trailing junk after numeric literal at or near \"12a\"", 0),
    ("$1a", "trailing junk after parameter at or near \"$1a\"", 0),
    ("1e+", "trailing junk after numeric literal at or near \"1e+\"", 0),
  ])
  func reportsWhatIsNoToken(sql: String, message: String, position: Int) {
    #expect(failure(sql) == PostgreSQLError("42601", message, position: position))
  }

  @Test func cutsLongNamesAtACharacter() {
    let name = String(repeating: "a", count: 62) + "éb"
    #expect(tokens(name) == ["word " + String(repeating: "a", count: 62)])
    #expect(tokens("\"\(name)\"") == ["quotedIdentifier " + String(repeating: "a", count: 62)])
  }

  @Test func refusesInvalidEscapes() {
    #expect(failure("E'\\u12'")?.code == "22025")
    #expect(failure("E'\\xff'")?.message == "invalid byte sequence for encoding \"UTF8\": 0xff")
    #expect(failure("E'\\0'")?.message == "invalid byte sequence for encoding \"UTF8\": 0x00")
    #expect(failure("E'\\uD83Dx'")?.message.hasPrefix("invalid Unicode surrogate pair") == true)
  }

  @Test func tokensHaveTheirBytes() {
    var lexer = Lexer("  SELECT\n'é' /* x */ ;")
    #expect(lexer.remainingTokens().tokens.map(\.range) == [2..<8, 9..<13, 22..<23, 23..<23])
  }
}
