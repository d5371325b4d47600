/// The fields of `extract`, `date_part` and `date_trunc` (PostgreSQL documentation, 9.9.1).
enum DateTimeField: Equatable {
  case unit(IntervalReader.Unit)
  case quarter, epoch, dayOfWeek, isoDayOfWeek, dayOfYear, isoYear, julian
  case timezone, timezoneHour, timezoneMinute

  private static let others: [String: DateTimeField] = [
    "quarter": .quarter, "qtr": .quarter, "epoch": .epoch, "dow": .dayOfWeek, "isodow": .isoDayOfWeek,
    "doy": .dayOfYear, "isoyear": .isoYear, "julian": .julian, "jd": .julian, "j": .julian,
    "timezone": .timezone,
    "timezone_h": .timezoneHour, "timezone_m": .timezoneMinute,
  ]

  private static func error(_ name: String, _ type: DataType, isKnown: Bool) -> PostgreSQLError {
    PostgreSQLError(
      isKnown ? "0A000" : "22023",
      "unit \"\(name)\" not \(isKnown ? "supported" : "recognized") for type \(type.displayName)")
  }

  /// - Parameters:
  ///   - name: In lower case, for the error.
  ///   - isTruncation: Whether it is for `date_trunc`, which does not know the fields that only `extract` has.
  init(_ name: String, of type: DataType, isTruncation: Bool = false) throws(PostgreSQLError) {
    if let unit = IntervalReader.Unit.named(name) {
      self = .unit(unit)
    } else if let other = Self.others[String(name.prefix(10))],
      !isTruncation || [.quarter, .timezone, .timezoneHour, .timezoneMinute].contains(other)
    {
      self = other
    } else {
      throw Self.error(name, type, isKnown: false)
    }
  }

  static func notSupported(_ name: String, _ type: DataType) -> PostgreSQLError {
    error(name, type, isKnown: true)
  }

  // MARK: extract

  private static func number(_ value: Int64, places: Int = 0) -> Numeric {
    var scale: Int64 = 1
    for _ in 0..<places { scale *= 10 }
    guard case .finite(let number) = Numeric(value), places > 0 else { return Numeric(value) }
    return .finite(number.divided(by: Numeric.Finite(Int(scale)), scale: places, isRounded: true))
  }

  /// The fields of a time of day: microseconds to hours, and the seconds since midnight.
  private func value(ofTime microseconds: Int64) -> Numeric? {
    switch self {
    case .unit(.microsecond): Self.number(microseconds % 60_000_000)
    case .unit(.millisecond): Self.number(microseconds % 60_000_000, places: 3)
    case .unit(.second): Self.number(microseconds % 60_000_000, places: 6)
    case .unit(.minute): Self.number(microseconds / 60_000_000 % 60)
    case .unit(.hour): Self.number(microseconds / 3_600_000_000)
    case .epoch: Self.number(microseconds, places: 6)
    default: nil
    }
  }

  private func value(ofOffset offset: Int) -> Numeric? {
    switch self {
    case .timezone: Numeric(offset)
    case .timezoneHour: Numeric(offset / 3600)
    case .timezoneMinute: Numeric(offset / 60 % 60)
    default: nil
    }
  }

  private func value(ofDate days: Int) -> Numeric? {
    let (year, month, day) = CivilCalendar.date(days: days)
    func count(_ length: Int) -> Int { year > 0 ? (year + length - 1) / length : -((length - year) / length) }
    switch self {
    case .unit(.day): return Numeric(day)
    case .unit(.month): return Numeric(month)
    case .quarter: return Numeric((month - 1) / 3 + 1)
    case .unit(.week): return Numeric(CivilCalendar.isoWeek(days: days).week)
    case .unit(.year): return Numeric(year > 0 ? year : year - 1)
    case .unit(.decade): return Numeric(CivilCalendar.floorDivide(year, 10).quotient)
    case .unit(.century): return Numeric(count(100))
    case .unit(.millennium): return Numeric(count(1000))
    case .julian: return Numeric(days + CivilCalendar.julianDayOfEpoch)
    case .isoYear:
      let isoYear = CivilCalendar.isoWeek(days: days).year
      return Numeric(isoYear > 0 ? isoYear : isoYear - 1)
    case .dayOfWeek: return Numeric(CivilCalendar.dayOfWeek(days: days))
    case .isoDayOfWeek: return Numeric(CivilCalendar.isoDayOfWeek(days: days))
    case .dayOfYear: return Numeric(days - CivilCalendar.days(year: year, month: 1, day: 1) + 1)
    default: return nil
    }
  }

  /// The fields that grow with time are infinite where it is; those that repeat are null.
  private func infinite(isNegative: Bool) -> Numeric? {
    switch self {
    case .unit(.year), .unit(.decade), .unit(.century), .unit(.millennium), .julian, .isoYear, .epoch:
      .infinity(isNegative: isNegative)
    default: nil
    }
  }

  /// - Returns: Nil for null.
  static func extract(
    _ name: String, from value: Value, _ type: DataType, _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Numeric? {
    let name = name.lowercased()
    let field = try DateTimeField(name, of: type)
    let result: Numeric?
    switch value {
    case .time(let time): result = field.value(ofTime: time)
    case .timetz(let time, let offset):
      if field == .epoch {
        result = number(time - Int64(offset) * 1_000_000, places: 6)
      } else {
        result = field.value(ofTime: time) ?? field.value(ofOffset: Int(offset))
      }
    case .date(let days):
      let isTime = field.value(ofTime: 0) != nil && field != .epoch || field.value(ofOffset: 0) != nil
      if isTime { throw notSupported(name, type) }
      if days == .max || days == .min { return field.infinite(isNegative: days < 0) }
      result = field == .epoch ? Numeric((Int64(days) + 10_957) * 86_400) : field.value(ofDate: Int(days))
    case .timestamp(let timestamp):
      if !Moments.isFinite(timestamp) { return field.infinite(isNegative: timestamp < 0) }
      if type == .timestamp, field.value(ofOffset: 0) != nil { throw notSupported(name, type) }
      result = try field.value(ofTimestamp: timestamp, zone: type == .timestamptz ? context.timeZone : nil)
    case .interval(let interval): result = field.value(ofInterval: interval)
    default: Value.mismatch("date or time", value)
    }
    guard let result else { throw notSupported(name, type) }
    return result
  }

  private func value(ofTimestamp timestamp: Int64, zone: TimeZoneRule?) throws(PostgreSQLError) -> Numeric? {
    if self == .epoch {
      let (shifted, overflow) = timestamp.subtractingReportingOverflow(CivilCalendar.unixEpoch)
      guard overflow else { return Self.number(shifted, places: 6) }
      let sum = try Numeric(timestamp) - Numeric(CivilCalendar.unixEpoch)
      return try (sum / Numeric(1_000_000)).rounded(to: 6)
    }
    let offset = zone?.offset(at: timestamp) ?? 0
    let local = timestamp &+ Int64(offset) * 1_000_000
    let (days, time) = CivilCalendar.floorDivide(local, CivilCalendar.microsecondsPerDay)
    if self == .julian {
      return try Numeric(days + Int64(CivilCalendar.julianDayOfEpoch))
        + (Numeric(time) / Numeric(CivilCalendar.microsecondsPerDay))
    }
    return value(ofTime: time) ?? value(ofDate: Int(days)) ?? value(ofOffset: offset)
  }

  private func value(ofInterval interval: Interval) -> Numeric? {
    let (years, months) = (Int64(interval.months / 12), Int64(interval.months % 12))
    switch self {
    case .unit(.day): return Numeric(Int(interval.days))
    case .unit(.month): return Numeric(months)
    case .quarter: return Numeric(months / 3 + 1)
    case .unit(.year): return Numeric(years)
    case .unit(.decade): return Numeric(years / 10)
    case .unit(.century): return Numeric(years / 100)
    case .unit(.millennium): return Numeric(years / 1000)
    case .epoch:
      // Years of 365.25 days and months of 30.
      let seconds = (years * 1461 + months * 120 + Int64(interval.days) * 4) * 21_600
      guard case .finite(let whole) = Numeric(seconds),
        case .finite(let rest) = Self.number(interval.microseconds, places: 6)
      else { return nil }
      return .finite(whole.adding(rest))
    default: return value(ofTime: interval.microseconds)
    }
  }

  // MARK: date_trunc

  /// Truncates a local time.
  private func truncated(_ civil: CivilTime) -> CivilTime? {
    var result = civil
    guard case .unit(let unit) = self else {
      guard self == .quarter else { return nil }
      result = CivilTime()
      (result.year, result.month) = (civil.year, (civil.month - 1) / 3 * 3 + 1)
      return result
    }
    switch unit {
    case .microsecond: return result
    case .millisecond:
      result.microsecond -= result.microsecond % 1000
      return result
    case .week: return CivilTime(days: civil.days + 1 - CivilCalendar.isoDayOfWeek(days: civil.days))
    default: break
    }
    let order: [IntervalReader.Unit] = [.second, .minute, .hour, .day, .month, .year]
    let level = order.firstIndex(of: unit) ?? order.count
    result.microsecond = 0
    if level >= 1 { result.second = 0 }
    if level >= 2 { result.minute = 0 }
    if level >= 3 { result.hour = 0 }
    if level >= 4 { result.day = 1 }
    if level >= 5 { result.month = 1 }
    let year = civil.year
    switch unit {
    case .decade: result.year = CivilCalendar.floorDivide(year, 10).quotient * 10
    case .century: result.year = year > 0 ? (year + 99) / 100 * 100 - 99 : -((100 - year) / 100) * 100 + 1
    case .millennium:
      result.year = year > 0 ? (year + 999) / 1000 * 1000 - 999 : -((1000 - year) / 1000) * 1000 + 1
    default: break
    }
    return result
  }

  static func truncate(
    _ timestamp: Int64, to name: String, _ type: DataType, zone: TimeZoneRule? = nil
  ) throws(PostgreSQLError) -> Int64 {
    let name = name.lowercased()
    guard Moments.isFinite(timestamp) else { return timestamp }
    let field = try DateTimeField(name, of: type, isTruncation: true)
    let offset = zone?.offset(at: timestamp) ?? 0
    let (local, overflow) = timestamp.addingReportingOverflow(Int64(offset) * 1_000_000)
    if overflow { throw Moments.outOfRange }
    guard let civil = field.truncated(CivilTime(timestamp: local)) else { throw notSupported(name, type) }
    guard let result = civil.local else { throw Moments.outOfRange }
    guard let zone else { return try Moments.checked(result) }
    // Times of day keep their offset; from days on it is that of the new time.
    if case .unit(let unit) = field, [.microsecond, .millisecond, .second, .minute, .hour].contains(unit) {
      return try Moments.checked(result - Int64(offset) * 1_000_000)
    }
    return try Moments.moment(ofLocal: result, zone)
  }

  static func truncate(_ interval: Interval, to name: String) throws(PostgreSQLError) -> Interval {
    let name = name.lowercased()
    let field = try DateTimeField(name, of: .interval, isTruncation: true)
    var result = interval
    func cut<Number: FixedWidthInteger>(_ value: Number, _ unit: Number) -> Number { value - value % unit }
    switch field {
    case .unit(.microsecond): break
    case .unit(.millisecond): result.microseconds = cut(interval.microseconds, 1000)
    case .unit(.second): result.microseconds = cut(interval.microseconds, 1_000_000)
    case .unit(.minute): result.microseconds = cut(interval.microseconds, 60_000_000)
    case .unit(.hour): result.microseconds = cut(interval.microseconds, 3_600_000_000)
    case .unit(.day): result.microseconds = 0
    case .unit(.month), .quarter, .unit(.year), .unit(.decade), .unit(.century), .unit(.millennium):
      let lengths: [IntervalReader.Unit: Int32] = [
        .year: 12, .decade: 120, .century: 1200, .millennium: 12_000,
      ]
      var length: Int32 = field == .quarter ? 3 : 1
      if case .unit(let unit) = field { length = lengths[unit] ?? 1 }
      result = Interval(months: cut(interval.months, length))
    default:
      var error = notSupported(name, .interval)
      if field == .unit(.week) { error.detail = "Months usually have fractional weeks." }
      throw error
    }
    return result
  }
}
