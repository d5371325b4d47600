import Foundation

/// A moment as the forum prints it: `8:05 AM Jan 3, 2026` or `08:05 Jan 3, 2026`, depending on the reader's settings.
///
/// The names of months are those of en_US_POSIX, regardless of the device's locale. `DateFormatter` would also accept
/// invalid dates.
struct ForumDate {
  let date: Date

  /// Parses a moment; `nil` if the text has another form or the day does not exist.
  init?(_ text: String, in timeZone: TimeZone) {
    var words = text.htmlWords
    guard (4...5).contains(words.count), let clock = words.first.flatMap(Self.clock) else { return nil }
    words.removeFirst()
    var hour = clock.hour
    if words.count == 4 {
      guard (1...12).contains(hour), ["AM", "PM"].contains(words[0].uppercased()) else { return nil }
      hour = hour % 12 + (words.removeFirst().uppercased() == "PM" ? 12 : 0)
    } else if clock.digits != 2 {
      return nil
    }
    guard let month = Self.months.firstIndex(of: words[0]), words[1].hasSuffix(","),
      let day = Self.number(words[1].dropLast(), digits: 1...2),
      let year = Self.number(words[2], digits: 4...4)
    else { return nil }

    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let moment = calendar.date(
      from: DateComponents(year: year, month: month + 1, day: day, hour: hour, minute: clock.minute))
    // `Calendar` turns 30 February into 2 March. The hour is not compared: it does not exist when clocks are set
    // forward, and a forum with other daylight saving rules may print it.
    guard let moment, calendar.component(.day, from: moment) == day else { return nil }
    date = moment
  }

  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func clock(_ text: Substring) -> (hour: Int, minute: Int, digits: Int)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let hour = number(parts[0], digits: 1...2), hour < 24,
      let minute = number(parts[1], digits: 2...2), minute < 60
    else { return nil }
    return (hour, minute, parts[0].count)
  }

  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    digits.contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
  }
}

extension Int {
  /// Parses a number of ASCII digits; `nil` for any other text, for leading zeros, and for a number that overflows
  /// `Int`.
  init?(digits text: some StringProtocol) {
    guard text.utf8.allSatisfy(\.isDigit), text.utf8.count == 1 || text.utf8.first != UInt8(ascii: "0") else {
      return nil
    }
    self.init(text)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
