package import Foundation

/// A moment in ISO 8601, as PostgreSQL, GoTrue and the message feed print it: `2026-01-03T12:00:00.123456+00:00`.
///
/// The fraction is optional, and the time zone may be `Z`, `+00`, `+0530` or `+05:30`. As in RFC 3339 §5.6, the letters
/// may be lower case, and the last minute of a day in UTC may have a leap second, which is read as the next second,
/// because a `Date` has none. `ISO8601DateFormatter` supports one of these forms at a time and truncates microseconds
/// to milliseconds.
package struct Timestamp: Hashable, Decodable, Sendable {
  package let date: Date

  /// Parses a moment; `nil` if the text has another form or the moment does not exist.
  package init?(_ text: String) {
    var rest = Substring(text).utf8
    guard let day = CalendarDate(String(decoding: rest.prefix(10), as: UTF8.self)) else { return nil }
    rest = rest.dropFirst(10)
    guard Self.take("T", &rest) || Self.take("t", &rest) || Self.take(" ", &rest) else { return nil }
    guard let hour = Self.takeNumber(&rest, upTo: 23), Self.take(":", &rest),
      let minute = Self.takeNumber(&rest, upTo: 59), Self.take(":", &rest),
      let second = Self.takeNumber(&rest, upTo: 60)
    else { return nil }

    var fraction = 0.0
    if Self.take(".", &rest) {
      let digits = rest.prefix(while: Self.isDigit)
      // Nine digits are more than a `Date` can represent.
      guard !digits.isEmpty, let number = Self.number(digits.prefix(9)) else { return nil }
      fraction = Double(number) / pow(10, Double(digits.prefix(9).count))
      rest = rest.dropFirst(digits.count)
    }

    guard let offset = Self.takeOffset(&rest), rest.isEmpty else { return nil }
    // The seconds of a distant day overflow `Int` on watchOS, which has 32 bits.
    let seconds = Int64(Self.daysSince2001(day)) * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
    // RFC 3339 §5.7: a leap second is inserted at the end of a day in UTC.
    guard second < 60 || seconds.isMultiple(of: 86_400) else { return nil }
    // Counted from 2001, as a `Date` is, so that no digit of the fraction is lost.
    date = Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let timestamp = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "Expected a moment such as 2026-01-03T12:00:00.123456+00:00, found \"\(text)\".")
    }
    self = timestamp
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static func number(_ digits: Substring.UTF8View) -> Int? {
    Int(String(decoding: digits, as: UTF8.self))
  }

  private static func take(_ character: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Parses two digits.
  private static func takeNumber(_ rest: inout Substring.UTF8View, upTo limit: Int) -> Int? {
    let digits = rest.prefix(2)
    guard digits.count == 2, digits.allSatisfy(isDigit), let number = number(digits),
      number <= limit
    else { return nil }
    rest = rest.dropFirst(2)
    return number
  }

  /// Parses an offset, in seconds east of Greenwich.
  private static func takeOffset(_ rest: inout Substring.UTF8View) -> Int? {
    if take("Z", &rest) || take("z", &rest) { return 0 }
    let sign: Int
    if take("+", &rest) { sign = 1 } else if take("-", &rest) { sign = -1 } else { return nil }
    guard let hours = takeNumber(&rest, upTo: 23) else { return nil }
    if rest.isEmpty { return sign * hours * 3600 }
    _ = take(":", &rest)
    guard let minutes = takeNumber(&rest, upTo: 59) else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  /// Days in the proleptic Gregorian calendar, as PostgreSQL counts them.
  ///
  /// The year starts in March, so that a leap day is its last day.
  private static func daysSince2001(_ day: CalendarDate) -> Int {
    let year = day.month > 2 ? day.year : day.year - 1
    let month = (day.month + 9) % 12
    return year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day.day - 1 - 730_791
  }
}
