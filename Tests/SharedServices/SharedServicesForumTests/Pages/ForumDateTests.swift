import Foundation
import Testing
import UnderstudyTesting

@testable import SharedServicesForum

@Suite(.stallLimit()) struct ForumDateTests {
  @Test(arguments: [
    // Both forms of one moment; noon and midnight, where twelve is not twelve.
    ("8:05 AM Jan 3, 2026", "2026-01-03T08:05:00Z"), ("08:05 Jan 3, 2026", "2026-01-03T08:05:00Z"),
    ("12:00 AM Dec 31, 2025", "2025-12-31T00:00:00Z"), ("12:59 pm Dec 31, 2025", "2025-12-31T12:59:00Z"),
    ("11:59 PM Feb 29, 2024", "2024-02-29T23:59:00Z"), ("00:00 Feb 9, 2024", "2024-02-09T00:00:00Z"),
    ("23:59  May  9, 2024", "2024-05-09T23:59:00Z"),
  ])
  func reads(_ text: String, _ moment: String) throws {
    let date = try #require(ForumDate(text, in: .gmt)?.date)
    #expect(date == (try Date(moment, strategy: .iso8601)))
  }

  /// A lenient formatter takes most of these.
  @Test(arguments: [
    "", "Jan 3, 2026", "8:05 Jan 3, 2026", "24:00 Jan 3, 2026", "08:60 Jan 3, 2026", "13:05 PM Jan 3, 2026",
    "0:05 AM Jan 3, 2026", "08:05 Feb 30, 2026", "08:05 Feb 29, 2025", "08:05 Jan 32, 2026",
    "08:05 Jan 0, 2026", "08:05 jan 3, 2026", "08:05 January 3, 2026", "08:05 Jan 3 2026", "08:05 Jan 3, 26",
    "08:05 Jan 3, 20260", "08:05 Jän 3, 2026", "٠٨:٠٥ Jan 3, 2026", "08:05 Jan 3, 2026 UTC",
    "08:05:00 Jan 3, 2026",
    "-8:05 Jan 3, 2026", "+08:05 Jan 3, 2026", "08:05 Jan 99999999999999999999, 2026",
  ])
  func refuses(_ text: String) {
    #expect(ForumDate(text, in: .gmt) == nil)
  }

  /// On these days an hour is missing or comes twice; of two, the first counts.
  @Test(arguments: [
    ("America/Chicago", "00:30 Mar 8, 2026", "2026-03-08T06:30:00Z"),
    ("America/Chicago", "1:59 AM Mar 8, 2026", "2026-03-08T07:59:00Z"),
    ("America/Chicago", "3:00 AM Mar 8, 2026", "2026-03-08T08:00:00Z"),
    ("America/Chicago", "23:59 Mar 8, 2026", "2026-03-09T04:59:00Z"),
    ("America/Chicago", "00:59 Nov 1, 2026", "2026-11-01T05:59:00Z"),
    ("America/Chicago", "1:30 AM Nov 1, 2026", "2026-11-01T06:30:00Z"),
    ("America/Chicago", "02:00 Nov 1, 2026", "2026-11-01T08:00:00Z"),
    ("America/Chicago", "11:59 PM Nov 1, 2026", "2026-11-02T05:59:00Z"),
    ("Europe/London", "12:30 AM Mar 29, 2026", "2026-03-29T00:30:00Z"),
    ("Europe/London", "02:00 Mar 29, 2026", "2026-03-29T01:00:00Z"),
    ("Pacific/Auckland", "03:00 Sep 27, 2026", "2026-09-26T14:00:00Z"),
    ("Pacific/Auckland", "4:00 AM Apr 5, 2026", "2026-04-04T16:00:00Z"),
    // Where the clocks are set forward at midnight.
    ("Africa/Cairo", "1:00 AM Apr 24, 2026", "2026-04-23T22:00:00Z"),
    ("Africa/Cairo", "12:30 AM Apr 24, 2026", "2026-04-23T22:30:00Z"),
  ])
  func readsDaysOnWhichTheClocksChange(_ zone: String, _ text: String, _ moment: String) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let date = try #require(ForumDate(text, in: zone)?.date)
    #expect(date == (try Date(moment, strategy: .iso8601)))
  }

  @Test func goesByTheTimeZone() throws {
    let chicago = try #require(TimeZone(identifier: "America/Chicago"))
    let winter = try #require(ForumDate("23:30 Dec 31, 2025", in: chicago)?.date)
    #expect(winter == (try Date("2026-01-01T05:30:00Z", strategy: .iso8601)))
    let summer = try #require(ForumDate("11:30 PM Jul 1, 2026", in: chicago)?.date)
    #expect(summer == (try Date("2026-07-02T04:30:00Z", strategy: .iso8601)))
    // The hour that the clocks leave out is no reason to refuse a page.
    #expect(ForumDate("02:30 Mar 8, 2026", in: chicago) != nil)
  }
}
