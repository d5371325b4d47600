import Foundation
import TestSupport
import Testing
import UnderstudyHTTP
import UnderstudyTesting
@testable import UnderstudySupabase

/// The values and the notations of texts are those of PostgreSQL 15.
@Suite(.stallLimit()) struct ColumnTypeTests {
  @Test(arguments: [
    (ColumnType.integer, " 8 ", "8"), (.integer, "+8", "8"), (.integer, "-2147483648", "-2147483648"),
    (.uuid, "{11111111-1111-1111-1111-11111111111A}", "11111111-1111-1111-1111-11111111111a"),
    (.uuid, "11111111111111111111111111111111", "11111111-1111-1111-1111-111111111111"),
    (.boolean, "t", "t"), (.boolean, " TRUE ", "t"), (.boolean, "on", "t"), (.boolean, "of", "f"),
    (.boolean, "1", "t"), (.date, "2016-1-5", "2016-01-05"), (.date, "2016-01-15T10:00:00Z", "2016-01-15"),
    (.date, "2024-02-29", "2024-02-29"), (.timestamp, "2026-01-03", "2026-01-03 00:00:00+00"),
    (.timestamp, "2026-01-03 12:00", "2026-01-03 12:00:00+00"),
    (.timestamp, "2026-01-03T12:00:00+02", "2026-01-03 10:00:00+00"),
    (.timestamp, "2026-01-03T12:00:00.1234567Z", "2026-01-03 12:00:00.123457+00"),
    (.timestamp, "2025-12-31T23:30:00.100-05:30", "2026-01-01 05:00:00.1+00"),
    (.timestamp, "1969-12-31T23:59:59.999999Z", "1969-12-31 23:59:59.999999+00"),
    (.double, "1e20", "1e+20"), (.double, "1e15", "1e+15"), (.double, "1e14", "100000000000000"),
    (.double, "1e-5", "1e-05"), (.double, "0.0001", "0.0001"), (.double, "1.0", "1"),
    (.double, "-2.50", "-2.5"),
    (.double, "NaN", "NaN"), (.double, "123456.789", "123456.789"), (.textArray, "{ }", "{}"),
    (.textArray, "{a, b}", "{a,b}"),
    (.textArray, #"{a,"b c","q\"x",NULL,"","null"}"#, #"{a,"b c","q\"x",NULL,"","null"}"#),
    (.textArray, #"{a\,b}"#, #"{"a,b"}"#),
    (.json, #"{"b":1,"a":1.50, "aa":{}}"#, #"{"a": 1.50, "b": 1, "aa": {}}"#),
    (.json, #"{"a":1,"a":2}"#, #"{"a": 2}"#),
  ])
  func reads(_ type: ColumnType, _ text: String, _ printed: String) throws {
    #expect(try type.value(fromText: text).text == printed)
  }

  @Test(arguments: [
    (ColumnType.uuid, "zz", "22P02", #"invalid input syntax for type uuid: "zz""#),
    (.integer, "abc", "22P02", #"invalid input syntax for type integer: "abc""#),
    (.integer, "1.5", "22P02", #"invalid input syntax for type integer: "1.5""#),
    (.integer, "8e0", "22P02", #"invalid input syntax for type integer: "8e0""#),
    (.integer, "+-8", "22P02", #"invalid input syntax for type integer: "+-8""#),
    (
      .integer, "99999999999999999999", "22003",
      #"value "99999999999999999999" is out of range for type integer"#
    ),
    (.date, "2016-02-30", "22008", #"date/time field value out of range: "2016-02-30""#),
    (.date, "", "22007", #"invalid input syntax for type date: """#),
    (.timestamp, "foo", "22007", #"invalid input syntax for type timestamp with time zone: "foo""#),
    (
      .timestamp, "2026-01-03T25:00:00Z", "22008",
      #"date/time field value out of range: "2026-01-03T25:00:00Z""#
    ),
    (.boolean, "o", "22P02", #"invalid input syntax for type boolean: "o""#),
    (.double, "foo", "22P02", #"invalid input syntax for type double precision: "foo""#),
    (.double, "1_0", "22P02", #"invalid input syntax for type double precision: "1_0""#),
    (.double, "1e400", "22003", #""1e400" is out of range for type double precision"#),
    (.textArray, "{a", "22P02", #"malformed array literal: "{a""#),
    (.textArray, "{a}b", "22P02", #"malformed array literal: "{a}b""#),
    (.textArray, "{a,}", "22P02", #"malformed array literal: "{a,}""#),
    (.json, "{", "22P02", "invalid input syntax for type json"),
  ])
  func refuses(_ type: ColumnType, _ text: String, _ code: String, _ message: String) throws {
    let error = try refusal { () throws(PostgRESTError) in try type.value(fromText: text) }
    #expect(error.code == code)
    #expect(error.message == message)
  }

  @Test func valuesOfOtherTypesAreRefused() throws {
    let error = try refusal { () throws(PostgRESTError) in
      try ColumnType.integer.value(from: true, column: "age")
    }
    #expect(error.code == "42804")
    #expect(error.message == #"column "age" is of type integer but expression is of type boolean"#)
    let large = try refusal { () throws(PostgRESTError) in
      try ColumnType.integer.value(from: .integer(.max), column: "age")
    }
    #expect(large.message == "integer out of range")
    let late = try refusal { () throws(PostgRESTError) in
      try ColumnType.timestamp.value(from: .timestamp(Date(timeIntervalSince1970: .infinity)), column: "at")
    }
    #expect(late.code == "22008")
  }

  /// Each day of the calendar has its own number, which is one more than that of the previous day.
  @Test func daysAndNumbersCorrespond() throws {
    var expected = -719_162
    for year in 1...9999 where year < 3 || year > 9997 || year % 100 < (Effort.isFull ? 5 : 1) {
      let first = try #require(CivilDate(year: year, month: 1, day: 1))
      expected = first.daysSince1970
      for month in 1...12 {
        for day in 1...31 {
          guard let date = CivilDate(year: year, month: month, day: day) else { continue }
          #expect(date.daysSince1970 == expected)
          #expect(CivilDate(daysSince1970: expected) == date)
          expected += 1
        }
      }
    }
    #expect(expected == 2_932_897, "9999 ends on another day")
    #expect(CivilDate(year: 1970, month: 1, day: 1)?.daysSince1970 == 0)
    #expect(CivilDate(year: 1, month: 1, day: 1)?.daysSince1970 == -719_162)
    #expect(CivilDate(daysSince1970: .max) == nil)
    #expect(CivilDate(year: 2023, month: 2, day: 29) == nil)
  }
}
