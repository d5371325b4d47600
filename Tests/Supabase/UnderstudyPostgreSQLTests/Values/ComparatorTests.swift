import TestSupport
import Testing

@testable import UnderstudyPostgreSQL

@Suite struct ComparatorTests {
  static let samples: [(type: DataType, texts: [String])] = [
    (.boolean, ["t", "f"]), (.integer, ["-1", "0", "2147483647"]),
    (.bigint, ["-9223372036854775808", "0", "5"]),
    (.real, ["-1", "0", "-0", "NaN", "Infinity", "0.1"]),
    (.double, ["-1", "0", "-0", "NaN", "-Infinity", "Infinity", "0.1"]),
    (
      .numeric,
      ["-1", "0", "0.00", "1.50", "1.5", "NaN", "-Infinity", "Infinity", "1e20", "1e-20", "99999999"]
    ),
    (.text, ["", "a", "A", "ab", "é", "a ", "日本", "Z", "_"]), (.bpchar, ["", " ", "a", "a  ", "ab", "A"]),
    (.name, ["a", "B", "ab"]), (.citext, ["a", "A", "b", "É", "é", "ab"]),
    (.bytea, ["", "\\x00", "\\x0001", "\\xff"]),
    (
      .uuid,
      [
        "00000000-0000-0000-0000-000000000000", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12",
      ]
    ),
    (.date, ["2024-01-01", "infinity", "-infinity", "0001-01-01 BC"]),
    (.time, ["00:00", "24:00", "12:00:00.5"]),
    (.timetz, ["10:00+00", "12:00+02", "12:00+00", "08:00-02", "23:00-05"]),
    (.timestamp, ["2024-01-01", "infinity", "-infinity", "2024-01-01 00:00:00.000001"]),
    (.timestamptz, ["2024-01-01 00:00+00", "2024-01-01 02:00+02", "infinity"]),
    (
      .interval,
      [
        "1 month", "30 days", "720:00", "1 day", "24:00", "-1 day", "0", "1 year", "360 days", "365 days",
        "1 mon -1 day",
      ]
    ),
    (
      .jsonb,
      [
        "null", "true", "false", "1", "1.0", "2", "\"a\"", "\"b\"", "[]", "[1]", "[1,2]", "[2]", "{}",
        "{\"a\":1}", "{\"a\":2}", "{\"b\":1}",
      ]
    ),
    (TestSession.mood, ["sad", "ok", "happy"]),
    (
      .array(.integer),
      ["{}", "{1}", "{1,2}", "{2}", "{NULL}", "{1,NULL}", "{{1,2}}", "[0:1]={1,2}", "{{1},{2}}"]
    ),
    (.array(.text), ["{a}", "{A}", "{a,b}"]),
    (.range(.int4range), ["empty", "[1,5)", "[1,6)", "(,5)", "[1,)", "(,)", "[2,3)"]),
    (.range(.numrange), ["[1,5)", "(1,5)", "[1,5]", "(1,5]", "[1.0,5.0]", "[1,)", "(,5]", "empty"]),
    (TestSession.pair, ["(1,a)", "(1,b)", "(2,a)", "(,a)", "(1,)", "(,)"]),
  ]

  @Test func keysAreEqualWhereValuesAre() throws {
    let session = TestSession()
    for (type, texts) in Self.samples {
      let comparator = Comparator(type)
      let values = try texts.map { try type.value(from: $0, context: session) }
      for one in values {
        for other in values {
          let isEqual = comparator.areEqual(one, other)
          #expect(isEqual == (comparator.compare(one, other) == 0))
          #expect(isEqual == (comparator.key(one) == comparator.key(other)), "\(one) and \(other)")
          #expect(comparator.compare(one, other).signum() == -comparator.compare(other, one).signum())
        }
      }
    }
  }

  @Test func canonicallyEquivalentTextsDiffer() {
    let comparator = Comparator(.text)
    #expect(!comparator.areEqual(.text("e\u{301}"), .text("\u{e9}")))
    #expect(comparator.key(.text("e\u{301}")) != comparator.key(.text("\u{e9}")))
  }

  #if os(macOS) || os(Linux)
    @Test(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence))
    func comparisonsAgree() async throws {
      var agreement = Agreement()
      let session = TestSession()
      for (type, texts) in Self.samples {
        let comparator = Comparator(type)
        for one in texts.map({ Literal(type: type, text: $0) }) {
          for other in texts.map({ Literal(type: type, text: $0) }) {
            let (a, b) = (one.sql, other.sql)
            agreement.add(
              "SELECT CASE WHEN \(a) < \(b) THEN 'less' WHEN \(a) = \(b) THEN 'equal' WHEN \(a) > \(b) THEN 'greater' ELSE 'none' END"
            ) { () throws(PostgreSQLError) in
              let order = comparator.compare(try one.value(session), try other.value(session))
              return order < 0 ? "less" : order == 0 ? "equal" : "greater"
            }
          }
        }
      }
      try await agreement.check()
    }
  #endif
}
