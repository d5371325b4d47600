import Foundation
import SharedServices
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct CalendarDateTests {
  @Test(arguments: ["0001-01-01", "2016-01-15", "2024-02-29", "2000-02-29", "9999-12-31"])
  func isWrittenAsItIsRead(text: String) throws {
    let date = try #require(CalendarDate(text))
    #expect(date.description == text)
    let json = try JSONEncoder().encode([date])
    #expect(String(decoding: json, as: UTF8.self) == "[\"\(text)\"]")
    #expect(try JSONDecoder().decode([CalendarDate].self, from: json) == [date])
  }

  @Test(arguments: [
    "", "2016-1-15", "16-01-15", "2016-01-15 ", "2016/01/15", "2016-01-15T00:00:00Z", "2023-02-29",
    "1900-02-29",
    "2016-04-31", "2016-13-01", "2016-00-01", "2016-01-00", "0000-01-01", "-001-01-01", "+016-01-01",
    "٢٠١٦-01-15", "2016-01-15-", "2016--01-15",
  ]) func isNoDay(text: String) {
    #expect(CalendarDate(text) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([CalendarDate].self, from: JSONEncoder().encode([text]))
    }
  }

  @Test(arguments: [
    (0, 1, 1), (10_000, 1, 1), (2024, 0, 1), (2024, 13, 1), (2024, 4, 31), (2023, 2, 29), (2024, 1, Int.min),
    (Int.max, 1, 1), (2024, Int.max, 1),
  ]) func hasNoSuchParts(year: Int, month: Int, day: Int) {
    #expect(CalendarDate(year: year, month: month, day: day) == nil)
  }

  @Test(
    arguments: [
      (-62_135_769_601.0, "0001-01-01"), (-1e15, "0001-01-01"), (-.infinity, "0001-01-01"),
      (.nan, "0001-01-01"),
      (253_402_300_799, "9999-12-31"), (253_402_300_800, "9999-12-31"), (1e15, "9999-12-31"),
      (.infinity, "9999-12-31"), (0, "1970-01-01"),
    ] as [(Double, String)])
  func aMomentOutsideTheYearsIsTheNearestDay(_ seconds: Double, _ day: String) {
    let date = CalendarDate(Date(timeIntervalSince1970: seconds), in: .gmt)
    #expect(date.description == day)
    #expect(CalendarDate(date.description) == date)
  }

  @Test func isOrderedByTime() throws {
    let days = try ["2015-12-31", "2016-01-01", "2016-01-02", "2016-02-01"].map {
      try #require(CalendarDate($0))
    }
    #expect(days.reversed().sorted() == days)
    #expect(days[0] < days[1] && !(days[1] < days[0]) && !(days[0] < days[0]))
  }

  @Test func isAnotherDayInAnotherZone() throws {
    // 2026-01-01T11:30:00Z
    let moment = Date(timeIntervalSince1970: 1_767_267_000)
    for (offset, day) in [(0, "2026-01-01"), (13 * 3600, "2026-01-02"), (-12 * 3600, "2025-12-31")] {
      let zone = try #require(TimeZone(secondsFromGMT: offset))
      #expect(CalendarDate(moment, in: zone).description == day)
    }
  }

  @Test(arguments: [
    ("2016-01-15", 6, "2022-01-15"), ("2016-01-15", -16, "2000-01-15"), ("2024-02-29", 1, "2025-02-28"),
    ("2024-02-29", 4, "2028-02-29"), ("2016-01-15", Int.max, "9999-01-15"),
    ("2016-01-15", Int.min, "0001-01-15"),
    ("2016-01-15", -3000, "0001-01-15"),
  ]) func addsYears(text: String, years: Int, expected: String) throws {
    #expect(try #require(CalendarDate(text)).adding(years: years).description == expected)
  }
}
