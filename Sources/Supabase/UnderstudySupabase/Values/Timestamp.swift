import Foundation

/// A time in whole microseconds since 1970, as PostgreSQL's `timestamptz` stores it.
struct Timestamp: Comparable {
  /// The microseconds, with 64 bits on every platform; `Int` has 32 on some watches.
  let microseconds: Int64

  /// The years 1 to 9999, in microseconds since 1970.
  private static let range: ClosedRange<Int64> =
    -62_135_596_800_000_000...253_402_300_799_999_999

  /// Creates the time of the nearest microsecond, or `nil` outside the years 1 to 9999.
  init?(_ date: Date) {
    let rounded = (date.timeIntervalSince1970 * 1_000_000).rounded()
    guard rounded.magnitude < 1e18 else { return nil }
    self.init(microseconds: Int64(rounded))
  }

  /// Creates the time of a stored `timestamptz`.
  init(stored date: Date) {
    if let timestamp = Timestamp(date) {
      self = timestamp
    } else {
      // A `Date` rounds the last microseconds of the year 9999 to the next year.
      precondition(
        date.timeIntervalSince1970 == 253_402_300_800, "A stored moment is within the years 1 to 9999.")
      self.init(unchecked: Self.range.upperBound)
    }
  }

  init?(microseconds: Int64) {
    guard Self.range.contains(microseconds) else { return nil }
    self.microseconds = microseconds
  }

  /// The microseconds from 1970 to 2000, from which PostgreSQL counts.
  static let from1970To2000: Int64 = 946_684_800_000_000

  private init(unchecked microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The day in UTC.
  var day: CivilDate {
    guard let day = CivilDate(daysSince1970: Int(Self.floored(microseconds, by: 86_400_000_000).quotient))
    else {
      preconditionFailure("A timestamp has the same years as the calendar.")
    }
    return day
  }

  static func < (one: Timestamp, other: Timestamp) -> Bool { one.microseconds < other.microseconds }

  /// Computed from 2001, like a `Date`, with a separate fraction, so that it equals the date that a client decodes.
  var date: Date {
    let (seconds, fraction) = Self.floored(microseconds, by: 1_000_000)
    return Date(timeIntervalSinceReferenceDate: Double(seconds - 978_307_200) + Double(fraction) / 1_000_000)
  }

  /// Returns the notation of PostgreSQL in UTC, with a `T` in JSON, with a space in a message, and without trailing
  /// zeros.
  func text(separator: String, offset: String) -> String {
    let (seconds, fraction) = Self.floored(microseconds, by: 1_000_000)
    let time = Self.floored(seconds, by: 86_400).remainder
    var text = day.description
    text +=
      separator
      + [time / 3600, time / 60 % 60, time % 60].map { padded(Int($0), to: 2) }.joined(separator: ":")
    if fraction != 0 {
      var digits = padded(Int(fraction), to: 6)
      while digits.hasSuffix("0") { digits.removeLast() }
      text += "." + digits
    }
    return text + offset
  }

  private static func floored(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let remainder = (number % divisor + divisor) % divisor
    return ((number - remainder) / divisor, remainder)
  }
}

extension Timestamp {
  /// The reason why a text is not a date or a timestamp.
  enum Malformed: Error {
    /// 22007.
    case syntax
    /// 22008.
    case range
    /// 22008, for an impossible month or day.
    case field
    /// 22009.
    case zone
  }

  /// Parses the ISO 8601 forms that PostgreSQL accepts: a day, and after a `T` or a space a time and a zone.
  ///
  /// The default zone is UTC, the time zone of a Supabase database.
  init(_ text: String) throws(Malformed) {
    var scanner = Scanner(text)
    let day = try scanner.day()
    var seconds = 0
    var fraction = 0
    if scanner.skip("T") || scanner.skip("t") || scanner.skip(" ") {
      let hour = try scanner.number(digits: 1...2)
      guard scanner.skip(":") else { throw .syntax }
      let minute = try scanner.number(digits: 1...2)
      let second = scanner.skip(":") ? try scanner.number(digits: 1...2) : 0
      guard hour <= 24, minute < 60, second <= 60, hour < 24 || minute + second == 0 else { throw .range }
      seconds = hour * 3600 + minute * 60 + second
      if scanner.skip(".") { fraction = scanner.fraction() }
      seconds -= try scanner.zone()
    }
    guard scanner.isAtEnd else { throw .syntax }
    let microseconds = (Int64(day.daysSince1970) * 86_400 + Int64(seconds)) * 1_000_000 + Int64(fraction)
    guard let timestamp = Timestamp(microseconds: microseconds) else { throw .range }
    self = timestamp
  }

  private struct Scanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
      rest = Substring(text.trimmingCharacters(in: .whitespaces)).utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard let first = rest.first, UInt32(first) == character.value else { return false }
      rest = rest.dropFirst()
      return true
    }

    private mutating func digits(_ count: Int) -> [Int] {
      let digits = rest.prefix(min(count, rest.count)).prefix { (48...57).contains($0) }.map { Int($0) - 48 }
      rest = rest.dropFirst(digits.count)
      return digits
    }

    mutating func number(digits range: ClosedRange<Int>) throws(Malformed) -> Int {
      let digits = digits(range.upperBound)
      guard range.contains(digits.count) else { throw .syntax }
      return digits.reduce(0) { $0 * 10 + $1 }
    }

    mutating func day() throws(Malformed) -> CivilDate {
      let year = try number(digits: 4...4)
      guard skip("-") else { throw .syntax }
      let month = try number(digits: 1...2)
      guard skip("-") else { throw .syntax }
      let day = try number(digits: 1...2)
      guard (1...12).contains(month), (1...31).contains(day) else { throw .field }
      guard let date = CivilDate(year: year, month: month, day: day) else { throw .range }
      return date
    }

    /// Microseconds, rounded up to a whole second at most.
    mutating func fraction() -> Int {
      let digits = digits(.max)
      let kept = (digits + [0, 0, 0, 0, 0, 0, 0]).prefix(7).reduce(0) { $0 * 10 + $1 }
      return (kept + 5) / 10
    }

    /// Parses a time zone, and returns the seconds east of Greenwich.
    mutating func zone() throws(Malformed) -> Int {
      _ = skip(" ")
      if isAtEnd || skip("Z") || skip("z") { return 0 }
      if ["utc", "gmt"].contains(String(Substring(rest)).lowercased()) {
        rest = rest.dropFirst(3)
        return 0
      }
      let sign: Int
      if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { throw .syntax }
      let hours = try number(digits: 1...2)
      let minutes = skip(":") || !isAtEnd ? try number(digits: 2...2) : 0
      guard hours <= 15, minutes < 60 else { throw .zone }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}

/// A day of the Gregorian calendar in the years 1 to 9999, as a PostgreSQL `date`.
package struct CivilDate: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The year, from 1 to 9999.
  package let year: Int
  /// The month, from 1 to 12.
  package let month: Int
  /// The day, from 1 to the length of the month.
  package let day: Int

  /// Creates a day, or `nil` if it does not exist or is outside the years 1 to 9999.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the day a number of days after 1 January 1970, or `nil` outside the years 1 to 9999.
  ///
  /// Counts in eras of 400 years that begin on 1 March, so that the leap day is the last of a year.
  package init?(daysSince1970 days: Int) {
    guard (-719_162...2_932_896).contains(days) else { return nil }
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    self.init(
      year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// The number of days since 1 January 1970.
  package var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The notation `2016-01-15`.
  package var description: String {
    "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
  }

  /// Returns whether a day is earlier than another one.
  package static func < (one: CivilDate, other: CivilDate) -> Bool {
    (one.year, one.month, one.day) < (other.year, other.month, other.day)
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// Returns a decimal number, padded with zeros to a width.
func padded(_ number: Int, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
