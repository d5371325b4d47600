extension Cast {
  static let times: [Entry] = [
    Entry(
      .date, .timestamp, .implicit,
      { value, _ throws(PostgreSQLError) in .timestamp(try value.asDate.timestamp) }),
    Entry(
      .date, .timestamptz, .implicit,
      { value, context throws(PostgreSQLError) in
        .timestamp(try Moments.moment(ofLocal: try value.asDate.timestamp, context.timeZone))
      }
    ),
    Entry(
      .time, .interval, .implicit,
      { value, _ throws(PostgreSQLError) in
        guard case .time(let time) = value else { return value }
        return .interval(Interval(microseconds: time))
      }
    ),
    Entry(
      .time, .timetz, .implicit,
      { value, context throws(PostgreSQLError) in
        guard case .time(let time) = value else { return value }
        let local = Int64(DateTimeInput.today(context)) * CivilCalendar.microsecondsPerDay + time
        return .timetz(time, offset: Int32(context.timeZone.offset(atLocal: local)))
      }
    ),
    Entry(
      .timetz, .time, .assignment,
      { value, _ throws(PostgreSQLError) in
        guard case .timetz(let time, _) = value else { return value }
        return .time(time)
      }
    ),
    Entry(
      .interval, .time, .assignment,
      { value, _ throws(PostgreSQLError) in
        guard case .interval(let interval) = value else { return value }
        return .time(
          CivilCalendar.floorDivide(interval.microseconds, CivilCalendar.microsecondsPerDay).remainder)
      }
    ),
    Entry(
      .timestamp, .timestamptz, .implicit,
      { value, context throws(PostgreSQLError) in
        .timestamp(try Moments.moment(ofLocal: value.asTimestamp, context.timeZone))
      }
    ),
    Entry(
      .timestamp, .date, .assignment,
      { value, _ throws(PostgreSQLError) in .date(Moments.date(of: value.asTimestamp)) }),
    Entry(
      .timestamp, .time, .assignment,
      { value, _ throws(PostgreSQLError) in Moments.time(of: value.asTimestamp) }),
    Entry(
      .timestamptz, .timestamp, .assignment,
      { value, context throws(PostgreSQLError) in
        .timestamp(try Moments.local(ofMoment: value.asTimestamp, context.timeZone))
      }
    ),
    Entry(
      .timestamptz, .date, .assignment,
      { value, context throws(PostgreSQLError) in
        .date(Moments.date(of: try Moments.local(ofMoment: value.asTimestamp, context.timeZone)))
      }
    ),
    Entry(
      .timestamptz, .time, .assignment,
      { value, context throws(PostgreSQLError) in
        Moments.time(of: try Moments.local(ofMoment: value.asTimestamp, context.timeZone))
      }
    ),
    Entry(
      .timestamptz, .timetz, .assignment,
      { value, context throws(PostgreSQLError) in
        let moment = value.asTimestamp
        guard case .time(let time) = Moments.time(of: try Moments.local(ofMoment: moment, context.timeZone))
        else {
          return .null
        }
        return .timetz(time, offset: Int32(context.timeZone.offset(at: moment)))
      }
    ),
  ]
}

extension Value {
  /// The days of a `date`.
  var asDate: Days {
    guard case .date(let days) = self else { Value.mismatch("date", self) }
    return Days(days)
  }

  /// The microseconds of a `timestamp` or `timestamptz`.
  var asTimestamp: Int64 {
    guard case .timestamp(let value) = self else { Value.mismatch("timestamp", self) }
    return value
  }

  var asInterval: Interval {
    guard case .interval(let value) = self else { Value.mismatch("interval", self) }
    return value
  }
}

/// A value of `date`.
struct Days {
  var value: Int32

  init(_ value: Int32) { self.value = value }

  var isFinite: Bool { value != .max && value != .min }

  /// Midnight, in microseconds since 2000-01-01.
  var timestamp: Int64 {
    get throws(PostgreSQLError) {
      if value == .max { return .max }
      if value == .min { return .min }
      let (result, overflow) = Int64(value).multipliedReportingOverflow(by: CivilCalendar.microsecondsPerDay)
      guard !overflow, CivilCalendar.timestamps.contains(result) else {
        throw PostgreSQLError("22008", "date out of range for timestamp")
      }
      return result
    }
  }
}

/// Conversions between moments and local times, both in microseconds since 2000-01-01 00:00.
enum Moments {
  static func isFinite(_ timestamp: Int64) -> Bool { timestamp != .max && timestamp != .min }

  static let outOfRange = PostgreSQLError("22008", "timestamp out of range")

  static func checked(_ timestamp: Int64, _ overflow: Bool = false) throws(PostgreSQLError) -> Int64 {
    guard !overflow, CivilCalendar.timestamps.contains(timestamp) else { throw outOfRange }
    return timestamp
  }

  /// The moment at which a zone's clocks show a time.
  static func moment(ofLocal local: Int64, _ zone: TimeZoneRule) throws(PostgreSQLError) -> Int64 {
    guard isFinite(local) else { return local }
    let (moment, overflow) = local.subtractingReportingOverflow(
      Int64(zone.offset(atLocal: local)) * 1_000_000)
    return try checked(moment, overflow)
  }

  /// The time that a zone's clocks show at a moment.
  static func local(ofMoment moment: Int64, _ zone: TimeZoneRule) throws(PostgreSQLError) -> Int64 {
    guard isFinite(moment) else { return moment }
    let (local, overflow) = moment.addingReportingOverflow(Int64(zone.offset(at: moment)) * 1_000_000)
    return try checked(local, overflow)
  }

  static func date(of timestamp: Int64) -> Int32 {
    if timestamp == .max { return .max }
    if timestamp == .min { return .min }
    return Int32(CivilCalendar.floorDivide(timestamp, CivilCalendar.microsecondsPerDay).quotient)
  }

  /// Null if the timestamp is infinite.
  static func time(of timestamp: Int64) -> Value {
    guard isFinite(timestamp) else { return .null }
    return .time(CivilCalendar.floorDivide(timestamp, CivilCalendar.microsecondsPerDay).remainder)
  }
}
