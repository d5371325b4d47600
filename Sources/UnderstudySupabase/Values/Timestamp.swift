import Foundation

/// A moment in whole microseconds since 1970, which is what PostgreSQL's `timestamptz` keeps.
struct Timestamp: Comparable {
  /// Of 64 bits everywhere; the `Int` of a watch has 32.
  let microseconds: Int64

  /// The years 1 to 9999, in microseconds since 1970.
  private static let range: ClosedRange<Int64> =
    -62_135_596_800_000_000...253_402_300_799_999_999

  /// The nearest microsecond, or `nil` outside the years 1 to 9999.
  init?(_ date: Date) {
    let rounded = (date.timeIntervalSince1970 * 1_000_000).rounded()
    guard rounded.magnitude < 1e18 else { return nil }
    self.init(microseconds: Int64(rounded))
  }

  private init?(microseconds: Int64) {
    guard Self.range.contains(microseconds) else { return nil }
    self.microseconds = microseconds
  }

  /// 1 January 1970.
  static let epoch = Timestamp(unchecked: 0)

  private init(unchecked microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The beginning of a day in UTC; of 1 January 1970 without one.
  init(startOf day: CivilDate?) {
    // The calendar has the same years.
    self.init(unchecked: Int64(day?.daysSince1970 ?? 0) * 86_400_000_000)
  }

  /// One microsecond later.
  var next: Timestamp { Timestamp(microseconds: microseconds + 1) ?? self }

  /// The day in UTC.
  var day: CivilDate? {
    CivilDate(daysSince1970: Int(Self.floored(microseconds, by: 86_400_000_000).quotient))
  }

  static func < (one: Timestamp, other: Timestamp) -> Bool { one.microseconds < other.microseconds }

  /// Counted from 2001, as a `Date` is, and the fraction by itself: so that it is the one that a client makes of the text.
  var date: Date {
    let (seconds, fraction) = Self.floored(microseconds, by: 1_000_000)
    return Date(timeIntervalSinceReferenceDate: Double(seconds - 978_307_200) + Double(fraction) / 1_000_000)
  }

  /// As PostgreSQL prints it in UTC: with a `T` in JSON, with a space in a message, trailing zeros cut off.
  func text(separator: String, offset: String) -> String {
    let (seconds, fraction) = Self.floored(microseconds, by: 1_000_000)
    let (days, time) = Self.floored(seconds, by: 86_400)
    var text = CivilDate(daysSince1970: Int(days))?.description ?? ""
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
  /// What kept a text from being a date or a timestamp.
  enum Malformed: Error {
    /// 22007.
    case syntax
    /// 22008.
    case range
    /// 22008, for a month or a day that no calendar has.
    case field
    /// 22009.
    case zone
  }

  /// Reads the ISO 8601 forms that PostgreSQL takes: a day, and after a `T` or a space a time and a zone.
  ///
  /// Without a zone it is UTC, the time zone of a Supabase database.
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

  /// Reads a day; a time after it is checked and dropped, as PostgreSQL does for a `date`.
  static func day(_ text: String) throws(Malformed) -> CivilDate {
    _ = try Timestamp(text)
    var scanner = Scanner(text)
    return try scanner.day()
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

    /// Microseconds, rounded; at most what makes the next second.
    mutating func fraction() -> Int {
      let digits = digits(.max)
      let kept = (digits + [0, 0, 0, 0, 0, 0, 0]).prefix(7).reduce(0) { $0 * 10 + $1 }
      return (kept + 5) / 10
    }

    /// Seconds east of Greenwich.
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
