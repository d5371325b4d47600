import Foundation
import Testing
import UnderstudyTesting

@testable import SharedServices

@Suite(.stallLimit()) struct TimestampTests {
  /// Seconds since 2001-01-01T00:00:00Z, at noon of 2026-01-03: 9,133 days and twelve hours.
  private static let noon = 789_134_400.0

  static let written: [(String, Double)] = [
    ("2026-01-03T12:00:00+00:00", noon),
    ("2026-01-03T12:00:00Z", noon),
    ("2026-01-03T12:00:00+00", noon),
    ("2026-01-03 12:00:00+00", noon),
    ("2026-01-03T12:00:00.123456+00:00", noon + 0.123456),
    ("2026-01-03T12:00:00.123456Z", noon + 0.123456),
    ("2026-01-03T12:00:00.5Z", noon + 0.5),
    ("2026-01-03T12:00:00.123456789012Z", noon + 0.123456789),
    ("2026-01-03T13:00:00+01:00", noon),
    ("2026-01-03T17:30:00+0530", noon),
    ("2026-01-03T17:30:00+05:30", noon),
    ("2026-01-03T08:30:00-03:30", noon),
    ("2026-01-04T01:00:00+13", noon),
    ("2001-01-01T00:00:00Z", 0),
    ("2000-02-29T00:00:00Z", -307 * 86_400),
    ("1970-01-01T00:00:00Z", -978_307_200),
    // RFC 3339 §5.6: lower case, a leap second in any zone, and any number of digits.
    ("2026-01-03t12:00:00z", noon),
    ("2026-01-03t13:00:00.5+01:00", noon + 0.5),
    ("1990-12-31T23:59:60Z", -315_619_200),
    ("1990-12-31T15:59:60-08:00", -315_619_200),
    ("1991-01-01T01:59:60.25+02:00", -315_619_200 + 0.25),
    ("2026-01-03T12:00:00." + String(repeating: "3", count: 400) + "Z", noon + 0.333333333),
  ]

  @Test(arguments: written) func moments(text: String, expected: Double) throws {
    let timestamp = try #require(Timestamp(text))
    #expect(abs(timestamp.date.timeIntervalSinceReferenceDate - expected) < 2e-7)
  }

  @Test(arguments: [
    "", "2026-01-03", "2026-01-03T12:00:00", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
    "2026-01-03T24:00:00Z", "2026-01-03T12:60:00Z", "2026-01-03T12:00:60Z", "2026-01-03T12:00:00.Z",
    "2026-01-03T12:00:00Zx", "2026-01-03T12:00Z", "2026-01-03T1:00:00Z", "2026-01-03T12:00:00+1",
    "2026-01-03T12:00:00+24", "2016-12-31T23:59:61Z", "2016-12-31T23:59:60+01:00",
    "2016-12-31T23:60:60Z", "2026-01-03T12:00:00 Z", "infinity", "١٢٣٤-01-03T12:00:00Z",
    "2026-01-03T١٢:00:00Z",
    "2026-01-03T12:00:00.١Z",
  ]) func notMoments(text: String) {
    #expect(Timestamp(text) == nil)
  }

  /// Foundation's own calendar agrees on every day of four centuries that begins a month.
  @Test func agreesWithFoundation() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for year in stride(from: 1900, through: 2300, by: 1) {
      for month in [1, 2, 3, 12] {
        let expected = try #require(calendar.date(from: DateComponents(year: year, month: month, day: 1)))
        let text = "\(year)-\(month < 10 ? "0" : "")\(month)-01T00:00:00Z"
        #expect(Timestamp(text)?.date == expected, "\(text)")
      }
    }
  }
}
