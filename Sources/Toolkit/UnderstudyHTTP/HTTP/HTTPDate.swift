package import Foundation

/// The dates of header fields, in the form of RFC 9110 §5.6.7 (IMF-fixdate).
package enum HTTPDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the whole seconds since 1970, in 64 bits also where `Int` has 32.
  ///
  /// A date that the form cannot express becomes the nearest one that it can, in the years 1 to 9999.
  package static func seconds(of date: Date) -> Int64 {
    Int64(max(-62_135_596_800, min(date.timeIntervalSince1970.rounded(.down), 253_402_300_799)))
  }

  /// Returns a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static func text(of date: Date) -> String {
    text(ofSeconds: seconds(of: date))
  }

  /// Returns the date of whole seconds since 1970, in the years 1 to 9999.
  package static func text(ofSeconds seconds: Int64) -> String {
    let time = (seconds % 86_400 + 86_400) % 86_400
    let day = (seconds - time) / 86_400
    // Counted from March 1 of the year 0, so that the leap day is the last day of the year.
    let sinceMarch = day + 719_468
    let (era, dayOfEra) = sinceMarch.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = (monthFromMarch + 2) % 12
    let year = era * 400 + yearOfEra + (month < 2 ? 1 : 0)
    return
      "\(days[Int((day % 7 + 7) % 7)]), \(padded(dayOfMonth)) \(months[Int(month)]) \(padded(year, to: 4)) "
      + "\(padded(time / 3_600)):\(padded(time / 60 % 60)):\(padded(time % 60)) GMT"
  }

  private static func padded(_ number: Int64, to width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
