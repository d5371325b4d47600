extension Interval {
  static let outOfRange = PostgreSQLError("22008", "interval out of range")

  private static func combine(
    _ one: Interval, _ other: Interval, _ months: (Int32, Int32) -> (partialValue: Int32, overflow: Bool),
    _ time: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
  ) throws(PostgreSQLError) -> Interval {
    let results = (
      months(one.months, other.months), months(one.days, other.days),
      time(one.microseconds, other.microseconds)
    )
    if results.0.overflow || results.1.overflow || results.2.overflow { throw outOfRange }
    return Interval(
      months: results.0.partialValue, days: results.1.partialValue, microseconds: results.2.partialValue)
  }

  static func + (left: Interval, right: Interval) throws(PostgreSQLError) -> Interval {
    try combine(left, right, { $0.addingReportingOverflow($1) }, { $0.addingReportingOverflow($1) })
  }

  static func - (left: Interval, right: Interval) throws(PostgreSQLError) -> Interval {
    try combine(left, right, { $0.subtractingReportingOverflow($1) }, { $0.subtractingReportingOverflow($1) })
  }

  static prefix func - (value: Interval) throws(PostgreSQLError) -> Interval { try Interval() - value }

  /// Multiplies each part, and passes the fractions of months and days on to the parts below (`interval_mul`).
  static func * (left: Interval, factor: Double) throws(PostgreSQLError) -> Interval {
    try left.scaled { $0 * factor }
  }

  static func / (left: Interval, divisor: Double) throws(PostgreSQLError) -> Interval {
    guard divisor != 0 else { throw .divisionByZero }
    return try left.scaled { $0 / divisor }
  }

  private func scaled(_ operation: (Double) -> Double) throws(PostgreSQLError) -> Interval {
    func whole<Number: FixedWidthInteger>(_ value: Double) throws(PostgreSQLError) -> Number {
      guard let number = Number(exactly: value.rounded(.towardZero)) else { throw Self.outOfRange }
      return number
    }
    func rounded(_ value: Double) -> Double { (value * 1_000_000).rounded(.toNearestOrEven) / 1_000_000 }
    let months: Int32 = try whole(operation(Double(self.months)))
    var days: Int32 = try whole(operation(Double(self.days)))
    let restOfMonths = rounded((operation(Double(self.months)) - Double(months)) * 30)
    let restOfDays =
      operation(Double(self.days)) - Double(days) + restOfMonths - restOfMonths.rounded(.towardZero)
    var seconds = rounded(restOfDays * 86_400)
    if abs(seconds) >= 86_400 {
      let more: Int32 = try whole(seconds / 86_400)
      days = try Self.sum(days, more)
      seconds -= Double(more) * 86_400
    }
    days = try Self.sum(days, whole(restOfMonths))
    let time = (operation(Double(microseconds)) + seconds * 1_000_000).rounded(.toNearestOrEven)
    return Interval(months: months, days: days, microseconds: try whole(time))
  }

  /// The length in seconds with years of 365.25 days and months of 30, calculated with the errors of `date_part`.
  var seconds: Double {
    var result = Double(microseconds) / 1_000_000
    result += 365.25 * 86_400 * Double(months / 12)
    result += 30 * 86_400 * Double(months % 12)
    return result + 86_400 * Double(days)
  }

  private static func sum(_ one: Int32, _ other: Int32) throws(PostgreSQLError) -> Int32 {
    let (sum, overflow) = one.addingReportingOverflow(other)
    if overflow { throw outOfRange }
    return sum
  }

  // MARK: Justification (PostgreSQL documentation, 9.9)

  /// 24 hours become a day.
  func justifyingHours() throws(PostgreSQLError) -> Interval {
    var result = self
    let day = CivilCalendar.microsecondsPerDay
    result.days = try Self.sum(days, Int32(microseconds / day))
    result.microseconds = microseconds % day
    if result.days > 0, result.microseconds < 0 {
      result.microseconds += day
      result.days -= 1
    } else if result.days < 0, result.microseconds > 0 {
      result.microseconds -= day
      result.days += 1
    }
    return result
  }

  /// 30 days become a month.
  func justifyingDays() throws(PostgreSQLError) -> Interval {
    var result = self
    result.months = try Self.sum(months, days / 30)
    result.days = days % 30
    if result.months > 0, result.days < 0 {
      result.days += 30
      result.months -= 1
    } else if result.months < 0, result.days > 0 {
      result.days -= 30
      result.months += 1
    }
    return result
  }

  /// Both, with one sign in all parts.
  func justified() throws(PostgreSQLError) -> Interval {
    var result = self
    let day = CivilCalendar.microsecondsPerDay
    // Days first, where they and the time have one sign, so that their sum does not overflow.
    if days > 0 && microseconds > 0 || days < 0 && microseconds < 0 {
      result.months = try Self.sum(result.months, result.days / 30)
      result.days %= 30
    }
    result.days = try Self.sum(result.days, Int32(result.microseconds / day))
    result.microseconds %= day
    result.months = try Self.sum(result.months, result.days / 30)
    result.days %= 30
    if result.months > 0, result.days < 0 || result.days == 0 && result.microseconds < 0 {
      result.days += 30
      result.months -= 1
    } else if result.months < 0, result.days > 0 || result.days == 0 && result.microseconds > 0 {
      result.days -= 30
      result.months += 1
    }
    if result.days > 0, result.microseconds < 0 {
      result.microseconds += day
      result.days -= 1
    } else if result.days < 0, result.microseconds > 0 {
      result.microseconds -= day
      result.days += 1
    }
    return result
  }
}

extension Moments {
  /// Adds months, then days, then a time; a day that the month does not have becomes its last one
  /// (`timestamp_pl_interval`).
  ///
  /// - Parameter zone: The zone whose calendar counts months and days, for `timestamptz`.
  static func add(
    _ timestamp: Int64, _ interval: Interval, zone: TimeZoneRule? = nil
  ) throws(PostgreSQLError) -> Int64 {
    guard isFinite(timestamp) else { return timestamp }
    var result = timestamp
    if interval.months != 0 || interval.days != 0 {
      if interval.months != 0 {
        var civil = CivilTime(
          timestamp: try zone.map { (zone) throws(PostgreSQLError) in try local(ofMoment: result, zone) }
            ?? result)
        let (years, month) = CivilCalendar.floorDivide(civil.month - 1 + Int(interval.months), 12)
        civil.year += years
        civil.month = month + 1
        civil.day = min(civil.day, CivilCalendar.length(ofMonth: civil.month, year: civil.year))
        result = try restored(civil.local, zone)
      }
      if interval.days != 0 {
        let shown =
          try zone.map { (zone) throws(PostgreSQLError) in try local(ofMoment: result, zone) } ?? result
        let (days, overflow) = Int64(interval.days).multipliedReportingOverflow(
          by: CivilCalendar.microsecondsPerDay)
        let (sum, isOver) = shown.addingReportingOverflow(days)
        result = try restored(overflow || isOver ? nil : sum, zone)
      }
    }
    let (sum, overflow) = result.addingReportingOverflow(interval.microseconds)
    return try checked(sum, overflow)
  }

  private static func restored(_ local: Int64?, _ zone: TimeZoneRule?) throws(PostgreSQLError) -> Int64 {
    guard let local else { throw outOfRange }
    guard let zone else { return try checked(local) }
    return try moment(ofLocal: local, zone)
  }

  /// The time between two moments, in days and less.
  static func difference(_ one: Int64, _ other: Int64) throws(PostgreSQLError) -> Interval {
    guard isFinite(one), isFinite(other) else {
      throw PostgreSQLError("22008", "cannot subtract infinite timestamps")
    }
    return try Interval(microseconds: one &- other).justifyingHours()
  }

  /// `age`: the difference in years, months and days as a calendar counts them.
  ///
  /// - Parameter zone: The zone whose calendar counts, for `timestamptz`.
  static func age(_ one: Int64, _ other: Int64, zone: TimeZoneRule? = nil) throws(PostgreSQLError) -> Interval
  {
    // `infinity` is read as the last moment there is.
    guard one != .min, other != .min else { throw outOfRange }
    let first = CivilTime(timestamp: one, offset: zone?.offset(at: one) ?? 0)
    let second = CivilTime(timestamp: other, offset: zone?.offset(at: other) ?? 0)
    let sign = one < other ? -1 : 1
    var time = sign * Int(first.time - second.time)
    var days = sign * (first.day - second.day)
    var months = sign * ((first.year - second.year) * 12 + first.month - second.month)
    if time < 0 {
      time += Int(CivilCalendar.microsecondsPerDay)
      days -= 1
    }
    if days < 0 {
      let earlier = one < other ? first : second
      days += CivilCalendar.length(ofMonth: earlier.month, year: earlier.year)
      months -= 1
    }
    return Interval(
      months: Int32(sign * months), days: Int32(sign * days), microseconds: Int64(sign * time))
  }
}
