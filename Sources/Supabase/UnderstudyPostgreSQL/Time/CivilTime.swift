/// The Gregorian calendar, extended to all years (PostgreSQL documentation, B.6).
///
/// Years are astronomical: 0 is 1 BC. Days are counted from 2000-01-01.
enum CivilCalendar {
  /// The Julian day of 2000-01-01.
  static let julianDayOfEpoch = 2_451_545
  /// From 4714-11-24 BC to 5874897-12-31.
  static let dates = -2_451_545..<2_145_031_949
  /// From 4714-11-24 BC to the end of 294276.
  static let timestamps: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000
  static let microsecondsPerDay: Int64 = 86_400_000_000
  /// The microseconds from 1970-01-01 to 2000-01-01.
  static let unixEpoch: Int64 = -946_684_800_000_000

  static func days(year: Int, month: Int, day: Int) -> Int {
    // Years begin in March, so that the leap day is the last of a year.
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = floorDivide(shiftedYear, 400).quotient
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 730_425
  }

  static func date(days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = floorDivide(days + 730_425, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Sunday is 0.
  static func dayOfWeek(days: Int) -> Int { floorDivide(days + 6, 7).remainder }

  /// The week of ISO 8601 and its year.
  static func isoWeek(days: Int) -> (year: Int, week: Int) {
    // A week belongs to the year of its Thursday.
    let thursday = days + 4 - isoDayOfWeek(days: days)
    let year = date(days: thursday).year
    return (year, (thursday - self.days(year: year, month: 1, day: 1)) / 7 + 1)
  }

  /// Monday is 1, Sunday 7.
  static func isoDayOfWeek(days: Int) -> Int { floorDivide(days + 5, 7).remainder + 1 }

  /// The Monday of a week of ISO 8601.
  static func days(isoYear: Int, week: Int) -> Int {
    let fourth = days(year: isoYear, month: 1, day: 4)
    return fourth + 1 - isoDayOfWeek(days: fourth) + (week - 1) * 7
  }

  static func floorDivide<Number: FixedWidthInteger>(_ dividend: Number, _ divisor: Number)
    -> (quotient: Number, remainder: Number)
  {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// A moment as a calendar and a clock show it.
struct CivilTime: Equatable {
  /// Astronomical: 0 is 1 BC.
  var year = 2000
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  var microsecond = 0

  init() {}

  /// - Parameter timestamp: Microseconds since 2000-01-01 00:00.
  /// - Parameter offset: Seconds east of Greenwich.
  init(timestamp: Int64, offset: Int = 0) {
    let (days, time) = CivilCalendar.floorDivide(timestamp, CivilCalendar.microsecondsPerDay)
    let (more, local) = CivilCalendar.floorDivide(
      time + Int64(offset) * 1_000_000, CivilCalendar.microsecondsPerDay)
    self.init(days: Int(days + more), time: local)
  }

  init(days: Int, time: Int64 = 0) {
    (year, month, day) = CivilCalendar.date(days: days)
    hour = Int(time / 3_600_000_000)
    minute = Int(time / 60_000_000 % 60)
    second = Int(time / 1_000_000 % 60)
    microsecond = Int(time % 1_000_000)
  }

  var days: Int { CivilCalendar.days(year: year, month: month, day: day) }

  /// Microseconds since midnight.
  var time: Int64 { Int64((hour * 60 + minute) * 60 + second) * 1_000_000 + Int64(microsecond) }

  /// Microseconds since 2000-01-01 00:00; nil out of the range of timestamps.
  var timestamp: Int64? { local.flatMap { CivilCalendar.timestamps.contains($0) ? $0 : nil } }

  /// The same for a local time, which may be out of range as far as its moment is not.
  var local: Int64? {
    let (midnight, overflow) = Int64(days).multipliedReportingOverflow(by: CivilCalendar.microsecondsPerDay)
    let (result, isOver) = midnight.addingReportingOverflow(time)
    return overflow || isOver ? nil : result
  }

  var dayOfYear: Int { days - CivilCalendar.days(year: year, month: 1, day: 1) + 1 }
}
