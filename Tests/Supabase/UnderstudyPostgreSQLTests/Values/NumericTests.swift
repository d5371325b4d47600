import Testing

@testable import UnderstudyPostgreSQL

@Suite struct NumericTests {
  @Test(arguments: [
    ("1.50", "1.50"), ("1e3", "1000"), ("-0", "0"), ("-0.00", "0.00"), ("1e-5", "0.00001"), (".5", "0.5"),
    ("5.", "5"), (" 12345678901234567890.123 ", "12345678901234567890.123"), ("NaN", "NaN"),
    ("-inf", "-Infinity"), ("Infinity", "Infinity"), ("0.00001e5", "1"), ("1.5e1", "15"),
  ])
  func readsAndWrites(_ text: String, _ expected: String) throws {
    #expect(try Numeric(parsing: text).text == expected)
  }

  @Test(arguments: ["", ".", "1e", "abc", "1.2.3", "1 2", "+-1", "in", "--1", "e5"])
  func refusesOtherTexts(_ text: String) {
    #expect(throws: PostgreSQLError.invalidInput(text, type: "numeric")) { try Numeric(parsing: text) }
  }

  @Test func ordersNotANumberLast() throws {
    let ordered = try ["-Infinity", "-10", "-1.5", "0", "0.001", "1", "9999.9", "10000", "Infinity", "NaN"]
      .map { try Numeric(parsing: $0) }
    #expect(ordered.shuffled().sorted() == ordered)
    #expect(try Numeric(parsing: "1.0") == Numeric(parsing: "1.000"))
  }

  @Test(arguments: [
    ("1", "3", "0.33333333333333333333"), ("10", "3", "3.3333333333333333"),
    ("1.00", "7", "0.14285714285714285714"),
    ("123456789012345678901234567890", "987654321098765", "124999998860937.5547"),
    ("-7", "2", "-3.5000000000000000"),
  ])
  func dividesWithTheScaleOfPostgreSQL(_ left: String, _ right: String, _ expected: String) throws {
    #expect(try (Numeric(parsing: left) / Numeric(parsing: right)).text == expected)
  }

  @Test func fieldsOverflowWithADetail() throws {
    #expect(try Numeric(parsing: "99.994").rounded(precision: 4, scale: 2).text == "99.99")
    let error = #expect(throws: PostgreSQLError.self) {
      try Numeric(parsing: "99.995").rounded(precision: 4, scale: 2)
    }
    #expect(error?.message == "numeric field overflow")
    #expect(
      error?.detail == "A field with precision 4, scale 2 must round to an absolute value less than 10^2.")
  }

  @Test func convertsIntegersAtTheirLimits() throws {
    for value in [Int64.min, .max, 0, -1, 10_000, 99_999_999] { #expect(Numeric(value).integer == value) }
    #expect(try Numeric(parsing: "9223372036854775807.4").integer == .max)
    #expect(try Numeric(parsing: "9223372036854775807.5").integer == nil)
  }
}
