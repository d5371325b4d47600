public import Foundation

/// A day of the Gregorian calendar without a time or a time zone, such as a birthday.
///
/// The text form is `2016-01-15` (ISO 8601), as for a PostgreSQL `date`. A `Date`, as seed 001 sends it, would be another
/// day in another time zone.
public struct CalendarDate: Hashable, Sendable {
  /// The year, from 1 to 9999.
  public let year: Int
  /// The month, from 1 to 12.
  public let month: Int
  /// The day, from 1 to the length of the month.
  public let day: Int

  /// Creates a date; `nil` if the calendar has no such day.
  ///
  /// - Parameters:
  ///   - year: The year, from 1 to 9999.
  ///   - month: The month, from 1 to 12.
  ///   - day: The day, from 1 to the length of the month.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    self.init(checked: year, month, day)
  }

  private init(checked year: Int, _ month: Int, _ day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the day of a moment in a time zone.
  ///
  /// A moment before the year 1 gives that year's first day, a moment after 9999 that year's last day.
  public init(_ moment: Date, in zone: TimeZone) {
    // Clamped to slightly more than the supported years, because a calendar may not support more.
    let seconds = min(max(-62_137_000_000, moment.timeIntervalSince1970), 253_404_000_000)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents(
      [.era, .year, .month, .day], from: Date(timeIntervalSince1970: seconds))
    let year = parts.era == 0 ? 0 : parts.year ?? 1
    switch year {
    case ..<1: self.init(checked: 1, 1, 1)
    case 1...9999: self.init(checked: year, parts.month ?? 1, parts.day ?? 1)
    default: self.init(checked: 9999, 12, 31)
    }
  }

  /// Returns the same day of an earlier or later year; 29 February becomes the 28th in a year without it.
  ///
  /// A year outside 1 to 9999 becomes the nearest valid year.
  public func adding(years: Int) -> CalendarDate {
    let (sum, overflow) = year.addingReportingOverflow(years)
    let year = overflow ? (years < 0 ? 1 : 9999) : min(max(sum, 1), 9999)
    return CalendarDate(checked: year, month, min(day, Self.days(inMonth: month, of: year)))
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension CalendarDate: Comparable {
  /// Whether a day precedes another.
  public static func < (one: CalendarDate, other: CalendarDate) -> Bool {
    (one.year, one.month, one.day) < (other.year, other.month, other.day)
  }
}

extension CalendarDate: LosslessStringConvertible {
  /// Creates a date from `yyyy-MM-dd`; `nil` for any other text.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The day, as `yyyy-MM-dd`.
  public var description: String {
    func padded(_ number: Int, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}

extension CalendarDate: Codable {
  /// Decodes a text in the form `yyyy-MM-dd`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let date = CalendarDate(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "Expected a day as yyyy-MM-dd, found \"\(text)\".")
    }
    self = date
  }

  /// Encodes a text in the form `yyyy-MM-dd`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
