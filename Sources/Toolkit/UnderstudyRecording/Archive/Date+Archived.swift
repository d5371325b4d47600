import Foundation

extension Date {
  /// Parses an ISO 8601 date with a time zone and a fraction of any length.
  init?(archived text: String) {
    var whole = text
    var fraction = 0.0
    if let point = text.firstIndex(where: { $0 == "." || $0 == "," }) {
      let rest = text[text.index(after: point)...]
      let digits = rest.prefix { ("0"..."9").contains($0) }
      fraction = Double("0.\(digits)") ?? 0
      whole = String(text[..<point]) + rest.dropFirst(digits.count)
    }
    guard let date = try? Date.ISO8601FormatStyle().parse(whole) else { return nil }
    self = date + fraction
  }

  /// The date in UTC with milliseconds.
  ///
  /// Computed with Gregorian arithmetic, because a format style takes longer than the rest of recording an exchange.
  var archived: String {
    let seconds = timeIntervalSinceReferenceDate.rounded(.down)
    let since1970 = seconds + Date.timeIntervalBetween1970AndReferenceDate
    // From the year 1600, because Foundation uses the Julian calendar for dates before 1582, to the year 9999.
    guard since1970 >= -11_676_096_000, since1970 < 253_402_300_800 else {
      return Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(self)
    }
    let milliseconds = Int64((timeIntervalSinceReferenceDate - seconds) * 1000)
    let total = (Int64(since1970) + 62_167_219_200) * 1000 + milliseconds
    let date = Self.civil(day: Int(total / 86_400_000))
    let time = Int(total % 86_400_000)
    var text: [UInt8] = []
    text.reserveCapacity(24)
    func add(_ number: Int, _ digits: Int, _ separator: UInt8) {
      var divisor = [1, 10, 100, 1000][digits - 1]
      while divisor > 0 {
        text.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
        divisor /= 10
      }
      text.append(separator)
    }
    add(date.year, 4, UInt8(ascii: "-"))
    add(date.month, 2, UInt8(ascii: "-"))
    add(date.day, 2, UInt8(ascii: "T"))
    add(time / 3_600_000, 2, UInt8(ascii: ":"))
    add(time / 60_000 % 60, 2, UInt8(ascii: ":"))
    add(time / 1000 % 60, 2, UInt8(ascii: "."))
    add(time % 1000, 3, UInt8(ascii: "Z"))
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the date of a day, counted from the first day of the year 0.
  private static func civil(day: Int) -> (year: Int, month: Int, day: Int) {
    // A year that begins in March has its leap day at the end; 400 such years have 146,097 days.
    let day = day - 60 + 146_097
    let (era, dayOfEra) = day.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (
      (era - 1) * 400 + yearOfEra + (month >= 10 ? 1 : 0), month >= 10 ? month - 9 : month + 3,
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }
}
