import Testing

@testable import UnderstudyPostgreSQL

@Suite struct CastTests {
  @Test func contextsFollowTheCatalogue() {
    #expect(Cast.find(from: .integer, to: .bigint)?.context == .implicit)
    #expect(Cast.find(from: .bigint, to: .integer)?.context == .assignment)
    #expect(Cast.find(from: .integer, to: .boolean)?.context == .explicit)
    #expect(Cast.find(from: .integer, to: .text)?.context == .assignment)
    #expect(Cast.find(from: .text, to: .integer)?.context == .explicit)
    #expect(Cast.find(from: .unknown, to: .date)?.context == .implicit)
    #expect(Cast.find(from: .array(.integer), to: .array(.bigint))?.context == .implicit)
    #expect(Cast.find(from: .array(.integer), to: .array(.text))?.context == .assignment)
    #expect(Cast.find(from: .integer, to: .date) == nil)
    #expect(Cast.find(from: .boolean, to: .double) == nil)
    #expect(Cast.find(from: TestSession.mood, to: .text)?.context == .assignment)
  }

  private func convert(
    _ text: String, _ source: DataType, _ target: DataType, _ session: TestSession = TestSession()
  ) throws -> String {
    let cast = try #require(Cast.find(from: source, to: target))
    let value = try cast.convert(source.value(from: text, context: session), session)
    return try target.text(of: value, context: session)
  }

  @Test func numbersAreRounded() throws {
    #expect(try convert("2.5", .numeric, .integer) == "3")
    #expect(try convert("2.5", .double, .integer) == "2")
    #expect(try convert("0.30000000000000004", .double, .numeric) == "0.3")
    #expect(throws: PostgreSQLError.outOfRange("smallint")) { try convert("40000", .integer, .smallint) }
  }

  @Test func elementsOfArraysAreConverted() throws {
    #expect(try convert("{1.5,NULL,2.5}", .array(.numeric), .array(.integer)) == "{2,NULL,3}")
  }

  @Test func timesMoveBetweenZones() throws {
    let session = TestSession(timeZone: .named("Europe/Berlin"))
    #expect(try convert("2024-07-01 10:00", .timestamp, .timestamptz, session) == "2024-07-01 10:00:00+02")
    #expect(try convert("2024-07-01 10:00+00", .timestamptz, .timestamp, session) == "2024-07-01 12:00:00")
    #expect(try convert("2024-07-01 22:30+00", .timestamptz, .date, session) == "2024-07-02")
    #expect(try convert("2024-07-01", .date, .timestamptz, session) == "2024-07-01 00:00:00+02")
  }

  @Test func modifiersTruncateOnlyInExplicitCasts() throws {
    let modifier = TypeModifier.length(3)
    #expect(try modifier.apply(to: .text("abcd"), .varchar, isExplicit: true) == .text("abc"))
    #expect(throws: PostgreSQLError("22001", "value too long for type character varying(3)")) {
      try modifier.apply(to: .text("abcd"), .varchar, isExplicit: false)
    }
    #expect(try modifier.apply(to: .text("abc  "), .varchar, isExplicit: false) == .text("abc"))
    #expect(try modifier.apply(to: .text("a"), .bpchar, isExplicit: false) == .text("a  "))
  }
}
