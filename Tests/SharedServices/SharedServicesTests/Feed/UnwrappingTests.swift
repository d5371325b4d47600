import TestSupport
import Testing
import UnderstudyTesting

@testable import SharedServices

@Suite(.stallLimit()) struct UnwrappingTests {
  private static let cases: [(String, String?)] = [
    ("AnyCodableValue(Hello)", "Hello"),
    ("AnyCodableValue(\"Hello\")", "Hello"),
    ("AnyCodableValue(value: \"Hello\")", "Hello"),
    ("AnyCodableValue(42)", "42"),
    ("AnyCodableValue()", ""),
    ("AnyCodableValue({\"a\":\")\"})", "{\"a\":\")\"}"),
    ("AnyCodableValue(\"a \\\"b\\\" \\\\ \\n\\u{1}\")", "a \"b\" \\ \n\\u{1}"),
    ("AnyCodableValue(f(x))", "f(x)"),
    ("AnyCodableValue(5\" disk) (old)", "5\" disk (old)"),
    ("[AnyCodableValue(1), AnyCodableValue(\"two\")]", "[1, two]"),
    ("AnyCodableValue(AnyCodableValue(\"x\"))", "x"),
    ("AnyCodableAnyCodableValue(Value)(x)", "x"),
    // Quoted as one text, and not: the quotation marks do not belong together.
    ("AnyCodableValue(\"a\" + \"b\")", "\"a\" + \"b\""),
    // Not a wrapper with a value.
    ("What is AnyCodableValue(?", "What is AnyCodableValue(?"),
    ("anycodablevalue(x)", "anycodablevalue(x)"),
    ("AnyCodableValue(cut", nil),
    ("\n AnyCodableValue( \"cut", nil),
    // The quotation is not closed, so the bracket counts.
    ("AnyCodableValue(\"cut)", "\"cut"),
  ]

  @Test(arguments: cases) func values(_ wrapped: String, _ value: String?) {
    #expect(wrapped.unwrapped() == value)
  }

  /// Such text is not intended, and each further layer would take another pass over it.
  @Test func whatIsWrappedTooOftenIsCorrupted() {
    func wrapped(_ count: Int) -> String {
      String(repeating: "AnyCodableValue(", count: count) + "x" + String(repeating: ")", count: count)
    }
    #expect(wrapped(8).unwrapped() == "x")
    #expect(wrapped(9).unwrapped() == nil)
  }

  /// A parser that starts again at each wrapper would take hours.
  @Test(arguments: [
    ("", "AnyCodableValue(", ""), ("", "x AnyCodableValue(\"", ""), ("x", "AnyCodableValue((", ")"),
  ])
  func hostileTextIsReadOnce(_ head: String, _ piece: String, _ end: String) {
    let count = Effort.number(5_000, of: 20_000)
    let text = head + String(repeating: piece, count: count) + String(repeating: end, count: count)
    #expect(text.unwrapped() == nil || text.unwrapped() == text.unwrapped()?.unwrapped())
  }
}
