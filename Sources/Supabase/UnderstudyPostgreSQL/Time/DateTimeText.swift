// The texts of dates, times and intervals with `DateStyle` ISO and `IntervalStyle` postgres, and their input.

/// Writes dates and times as PostgreSQL does with `DateStyle` ISO (documentation, 8.5.2).
enum DateTimeText {
  static func date(_ days: Int32) -> String {
    if days == .max { return "infinity" }
    if days == .min { return "-infinity" }
    let (year, month, day) = CivilCalendar.date(days: Int(days))
    return self.date(year, month, day) + (year > 0 ? "" : " BC")
  }

  private static func date(_ year: Int, _ month: Int, _ day: Int) -> String {
    padded(year > 0 ? year : 1 - year, to: 4) + "-" + padded(month, to: 2) + "-" + padded(day, to: 2)
  }

  static func time(_ microseconds: Int64) -> String {
    padded(Int(microseconds / 3_600_000_000), to: 2) + ":"
      + padded(Int(microseconds / 60_000_000 % 60), to: 2) + ":"
      + seconds(microseconds % 60_000_000)
  }

  /// Two digits and the fraction without zeros at its end.
  private static func seconds(_ microseconds: Int64) -> String {
    let text = padded(Int(microseconds / 1_000_000), to: 2)
    let fraction = Int(microseconds % 1_000_000)
    if fraction == 0 { return text }
    var digits = padded(fraction, to: 6)
    while digits.last == "0" { digits.removeLast() }
    return text + "." + digits
  }

  static func timestamp(_ value: Int64, separator: String = " ") -> String {
    timestamp(value, separator, suffix: "")
  }

  private static func timestamp(_ value: Int64, _ separator: String, suffix: String) -> String {
    if value == .max { return "infinity" }
    if value == .min { return "-infinity" }
    let civil = CivilTime(timestamp: value)
    return date(civil.year, civil.month, civil.day) + separator + time(civil.time) + suffix
      + (civil.year > 0 ? "" : " BC")
  }

  static func timestamptz(_ value: Int64, zone: TimeZoneRule, separator: String = " ") -> String {
    if value == .max || value == .min { return timestamp(value) }
    let offset = zone.offset(at: value)
    return timestamp(
      value + Int64(offset) * 1_000_000, separator, suffix: TimeZoneRule.text(ofOffset: offset))
  }

  static func timetz(_ value: Int64, offset: Int32) -> String {
    time(value) + TimeZoneRule.text(ofOffset: Int(offset))
  }

  /// The style `postgres` (documentation, 8.5.5).
  static func interval(_ value: Interval) -> String {
    var text = ""
    var isAfterNegative = false
    func append(_ number: Int, _ unit: String) {
      guard number != 0 else { return }
      if !text.isEmpty { text += " " }
      if isAfterNegative, number > 0 { text += "+" }
      text += "\(number) \(unit)" + (number == 1 ? "" : "s")
      isAfterNegative = number < 0
    }
    append(Int(value.months / 12), "year")
    append(Int(value.months % 12), "mon")
    append(Int(value.days), "day")
    guard text.isEmpty || value.microseconds != 0 else { return text }
    if !text.isEmpty { text += " " }
    if value.microseconds < 0 { text += "-" } else if isAfterNegative { text += "+" }
    let size = value.microseconds.magnitude
    text += padded(Int(size / 3_600_000_000), to: 2) + ":" + padded(Int(size / 60_000_000 % 60), to: 2) + ":"
    return text + seconds(Int64(size % 60_000_000))
  }
}

/// Reads dates and times.
enum DateTimeInput {
  private static func read<Result>(
    _ text: String, type: String, _ body: () throws(DateTimeFailure) -> Result
  ) throws(PostgreSQLError) -> Result {
    do { return try body() } catch { throw error.error(text, type: type) }
  }

  /// Midnight of today, in days since 2000-01-01, where the session is.
  static func today(_ context: any FunctionContext) -> Int {
    let now = context.transactionTime
    let local = now + Int64(context.timeZone.offset(at: now)) * 1_000_000
    return Int(CivilCalendar.floorDivide(local, CivilCalendar.microsecondsPerDay).quotient)
  }

  static func date(_ text: String, _ context: any FunctionContext) throws(PostgreSQLError) -> Int32 {
    let reader = try read(text, type: "date") { () throws(DateTimeFailure) in try DateTimeReader(text) }
    let days: Int
    switch reader.moment {
    case .infinity: return .max
    case .minusInfinity: return .min
    case .epoch: days = -10_957
    case .now: days = today(context)
    case .day(let offset): days = today(context) + offset
    case .fields: days = reader.civil.days
    }
    guard CivilCalendar.dates.contains(days) else {
      throw PostgreSQLError("22008", "date out of range: \"\(text)\"")
    }
    return Int32(days)
  }

  static func time(_ text: String, fraction: Int?, _ context: any FunctionContext) throws(PostgreSQLError)
    -> Int64
  {
    let type = "time"
    let reader = try read(text, type: type) { () throws(DateTimeFailure) in
      try DateTimeReader(text, isTimeOnly: true)
    }
    switch reader.moment {
    case .fields: break
    case .now:
      let now = context.transactionTime
      let local = now + Int64(context.timeZone.offset(at: now)) * 1_000_000
      return rounded(
        CivilCalendar.floorDivide(local, CivilCalendar.microsecondsPerDay).remainder, fraction: fraction)
    default: throw DateTimeFailure.syntax.error(text, type: type)
    }
    if let zone = reader.zone, case .named = zone, !reader.fields.isSuperset(of: .date) {
      throw DateTimeFailure.syntax.error(text, type: type)
    }
    return rounded(reader.civil.time, fraction: fraction)
  }

  static func timetz(
    _ text: String, fraction: Int?, _ context: any FunctionContext
  ) throws(PostgreSQLError) -> (Int64, Int32) {
    let type = "time with time zone"
    let reader = try read(text, type: type) { () throws(DateTimeFailure) in
      try DateTimeReader(text, isTimeOnly: true)
    }
    switch reader.moment {
    case .fields: break
    case .now:
      let now = context.transactionTime
      let offset = context.timeZone.offset(at: now)
      let local = now + Int64(offset) * 1_000_000
      let time = CivilCalendar.floorDivide(local, CivilCalendar.microsecondsPerDay).remainder
      return (rounded(time, fraction: fraction), Int32(offset))
    default: throw DateTimeFailure.syntax.error(text, type: type)
    }
    let hasDate = reader.fields.isSuperset(of: .date)
    let offset: Int
    if let known = reader.offset {
      offset = known
    } else if let zone = reader.zone {
      if case .named = zone, !hasDate { throw DateTimeFailure.syntax.error(text, type: type) }
      offset = zone.offset(atLocal: reader.civil.timestamp ?? 0)
    } else {
      let local =
        hasDate
        ? reader.civil.timestamp ?? 0
        : Int64(today(context)) * CivilCalendar.microsecondsPerDay + reader.civil.time
      offset = context.timeZone.offset(atLocal: local)
    }
    return (rounded(reader.civil.time, fraction: fraction), Int32(offset))
  }

  static func timestamp(
    _ text: String, fraction: Int?, withZone: Bool, _ context: any FunctionContext
  ) throws(PostgreSQLError) -> Int64 {
    let type = withZone ? "timestamp with time zone" : "timestamp"
    let reader = try read(text, type: type) { () throws(DateTimeFailure) in try DateTimeReader(text) }
    let zone = context.timeZone
    var civil = reader.civil
    switch reader.moment {
    case .infinity: return .max
    case .minusInfinity: return .min
    case .epoch: return CivilCalendar.unixEpoch
    case .now:
      let now = context.transactionTime
      return rounded(withZone ? now : now + Int64(zone.offset(at: now)) * 1_000_000, fraction: fraction)
    case .day(let offset):
      (civil.year, civil.month, civil.day) = CivilCalendar.date(days: today(context) + offset)
    case .fields: break
    }
    let outOfRange = PostgreSQLError("22008", "timestamp out of range: \"\(text)\"")
    guard let local = civil.local else { throw outOfRange }
    guard withZone else {
      guard CivilCalendar.timestamps.contains(local) else { throw outOfRange }
      return rounded(local, fraction: fraction)
    }
    let offset = reader.offset ?? (reader.zone ?? zone).offset(atLocal: local)
    let (moment, overflow) = local.subtractingReportingOverflow(Int64(offset) * 1_000_000)
    guard !overflow, CivilCalendar.timestamps.contains(moment) else { throw outOfRange }
    return rounded(moment, fraction: fraction)
  }

  static func interval(_ text: String, fraction: Int?) throws(PostgreSQLError) -> Interval {
    var interval = try read(text, type: "interval") { () throws(DateTimeFailure) in
      try IntervalReader.interval(text)
    }
    interval.microseconds = rounded(interval.microseconds, fraction: fraction)
    return interval
  }

  /// An interval of a type that has only some fields.
  static func interval(
    _ text: String, _ fields: IntervalFields, fraction: Int?
  ) throws(PostgreSQLError) -> Interval {
    let interval = try read(text, type: "interval") { () throws(DateTimeFailure) in
      try IntervalReader.interval(text, fields)
    }
    return fields.restrict(interval, fraction: fraction)
  }

  /// Rounds to decimal places of a second, half away from zero.
  static func rounded(_ microseconds: Int64, fraction: Int?) -> Int64 {
    guard let fraction, fraction < 6, microseconds != .max, microseconds != .min else { return microseconds }
    var scale: Int64 = 1
    for _ in max(fraction, 0)..<6 { scale *= 10 }
    let half = scale / 2
    return microseconds >= 0
      ? (microseconds &+ half) / scale * scale : -((-microseconds &+ half) / scale * scale)
  }
}
