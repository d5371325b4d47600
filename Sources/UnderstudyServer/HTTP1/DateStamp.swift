import Foundation

/// The `Date` field (RFC 9110 §6.6.1), formatted at most once per second.
struct DateStamp: Sendable {
  /// 64 bits, also where `Int` has 32.
  private var second = Int64.min
  private var line: [UInt8] = []

  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  /// The last second of the year 9999, the latest date that the format can express.
  private static let last: Int64 = 253_402_300_799

  /// The field line with its line end, such as `Date: Sun, 06 Nov 1994 08:49:37 GMT`.
  mutating func line(at date: Date) -> [UInt8] {
    let seconds = date.timeIntervalSince1970
    let now = seconds > 0 ? Int64(min(seconds, Double(Self.last))) : 0
    if now != second {
      second = now
      line = Array("Date: \(Self.text(now))\r\n".utf8)
    }
    return line
  }

  /// Formats the seconds since 1970 as an IMF-fixdate (RFC 9110 §5.6.7).
  private static func text(_ seconds: Int64) -> String {
    let (day, time) = seconds.quotientAndRemainder(dividingBy: 86_400)
    // Counted from March 1 of the year 0, so that the leap day is the last day of the year.
    let sinceMarch = day + 719_468
    let (era, dayOfEra) = sinceMarch.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = (monthFromMarch + 2) % 12
    let year = era * 400 + yearOfEra + (month < 2 ? 1 : 0)
    return "\(days[Int(day % 7)]), \(padded(dayOfMonth)) \(months[Int(month)]) \(padded(year, to: 4)) "
      + "\(padded(time / 3_600)):\(padded(time / 60 % 60)):\(padded(time % 60)) GMT"
  }

  private static func padded(_ number: Int64, to width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
