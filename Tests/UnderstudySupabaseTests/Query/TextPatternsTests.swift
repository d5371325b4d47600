import Testing
import UnderstudyHTTP
import UnderstudyTesting
@testable import UnderstudySupabase

/// Patterns without a PostgreSQL; ``ExpressionAgreementTests`` compares them with one.
@Suite(.stallLimit()) struct TextPatternsTests {
  @Test(arguments: [
    ("abc", "^[a-c]+$", true), ("abd", "^[a-c]+$", false), ("\u{A0}", "[^[:space:]]", true),
    ("\t", "[^[:space:]]", false), ("名前", "^..$", true), ("é", "^[à-ÿ]$", true), ("漢", "^[一-龥]$", true),
    ("a\nb", "a.b", true), ("a\nb", "^b", false), ("abab", "^(?:ab|cd)*$", true), ("a{b", "a{b", true),
    ("x", "^(|b)$", false), ("", "^()$", true), ("]", "^[]a]$", true), ("^", "^[\\^-]$", true),
    ("-", "^[!--]$", true), ("\\", "^[a\\\\c]$", true), ("٣", "^\\d$", false), ("aXb", "\\AaX", true),
    ("b", "^a*?b$", true),
  ])
  func aPatternMatches(_ text: String, _ pattern: String, _ matches: Bool) throws {
    #expect(try RegularExpression(pattern, ignoresCase: false).matches(text) == matches)
  }

  @Test(arguments: [
    ("ABC", "b", true), ("ß", "SS", false), ("É", "^[à-ÿ]$", true), ("a1", "\\D\\d", true),
    ("a", "^[[:upper:]]$", true),
  ])
  func caseIsIgnored(_ text: String, _ pattern: String, _ matches: Bool) throws {
    #expect(try RegularExpression(pattern, ignoresCase: true).matches(text) == matches)
  }

  @Test(arguments: [
    ("*a", "quantifier operand invalid"), ("a**", "quantifier operand invalid"),
    ("(a", "parentheses () not balanced"), ("a)", "parentheses () not balanced"),
    ("[a", "brackets [] not balanced"), ("a{2,1}", "invalid repetition count(s)"),
    ("[z-a]", "invalid character range"), ("[[:nope:]]", "invalid character class"),
    ("a\\", "invalid escape \\ sequence"), ("(a)\\1", "the escape \\1 is not supported"),
    ("(?=a)", "a group that begins with (? is not supported"),
    ("***=a", "a director (***) is not supported"), ("[[.a.]]", "a collating element is not supported"),
    ("[!-\u{10FFFF}]", "a range of more than 25000 characters is not supported"),
    ("((((((){255}){255}){255}){255}){255})", "regular expression is too complex"),
    ("((((a{0}){255}){255}){255}){255}", "regular expression is too complex"),
    (String(repeating: "(", count: 10_000), "regular expression is too complex"),
  ])
  func anInvalidPatternIsRefused(_ pattern: String, _ problem: String) {
    let error = #expect(throws: RegularExpression.Malformed.self) {
      try RegularExpression(pattern, ignoresCase: false)
    }
    #expect(error?.code == "2201B")
    #expect(error?.message == "invalid regular expression: \(problem)")
  }

  /// The time is proportional to the pattern and the text, instead of the number of possible matches.
  @Test func patternsDoNotTakeExponentialTime() throws {
    let pattern = try RegularExpression("^(a|a)*(a*)*(a+)+b$", ignoresCase: false)
    #expect(try !pattern.matches(String(repeating: "a", count: 3000)))
    #expect(try pattern.matches(String(repeating: "a", count: 3000) + "b"))
  }
}
