extension Operators {
  static let dates: [Operator] = moments + days + times + intervals

  /// An operator that is written in both orders.
  private static func commutative(
    _ left: DataType, _ symbol: String, _ right: DataType, returns result: DataType,
    _ operation: @escaping @Sendable (Value, Value, any FunctionContext) throws(PostgreSQLError) -> Value
  ) -> [Operator] {
    [
      Operator(
        left, symbol, right, returns: result,
        .scalar { arguments, context throws(PostgreSQLError) in
          try operation(arguments[0], arguments[1], context)
        }),
      Operator(
        right, symbol, left, returns: result,
        .scalar { arguments, context throws(PostgreSQLError) in
          try operation(arguments[1], arguments[0], context)
        }),
    ]
  }

  private static func ordered(
    _ left: DataType, _ symbol: String, _ right: DataType, returns result: DataType,
    _ operation: @escaping @Sendable (Value, Value, any FunctionContext) throws(PostgreSQLError) -> Value
  ) -> [Operator] {
    Array(commutative(left, symbol, right, returns: result, operation).prefix(1))
  }

  private static let moments: [Operator] = moments(.timestamp) + moments(.timestamptz)

  private static func moments(_ type: DataType) -> [Operator] {
    let add: @Sendable (Value, Interval, any FunctionContext) throws(PostgreSQLError) -> Value = {
      time, interval, context throws(PostgreSQLError) in
      let zone = type == .timestamp ? nil : context.timeZone
      return .timestamp(try Moments.add(time.asTimestamp, interval, zone: zone))
    }
    let sums = commutative(type, "+", .interval, returns: type) {
      time, interval, context throws(PostgreSQLError) in
      try add(time, interval.asInterval, context)
    }
    let differences = ordered(type, "-", .interval, returns: type) {
      time, interval, context throws(PostgreSQLError) in
      try add(time, -interval.asInterval, context)
    }
    let spans = ordered(type, "-", type, returns: .interval) { one, other, _ throws(PostgreSQLError) in
      .interval(try Moments.difference(one.asTimestamp, other.asTimestamp))
    }
    return sums + differences + spans
  }

  private static let days: [Operator] =
    ([
      commutative(.date, "+", .integer, returns: .date) { date, count, _ throws(PostgreSQLError) in
        try sum(date, count, sign: 1)
      },
      ordered(.date, "-", .integer, returns: .date) { date, count, _ throws(PostgreSQLError) in
        try sum(date, count, sign: -1)
      },
      ordered(.date, "-", .date, returns: .integer) { one, other, _ throws(PostgreSQLError) in
        guard one.asDate.isFinite, other.asDate.isFinite else {
          throw PostgreSQLError("22008", "cannot subtract infinite dates")
        }
        return .integer(Int64(one.asDate.value) - Int64(other.asDate.value))
      },
      commutative(.date, "+", .interval, returns: .timestamp) { date, interval, _ throws(PostgreSQLError) in
        .timestamp(try Moments.add(date.asDate.timestamp, interval.asInterval))
      },
      ordered(.date, "-", .interval, returns: .timestamp) { date, interval, _ throws(PostgreSQLError) in
        .timestamp(try Moments.add(date.asDate.timestamp, -interval.asInterval))
      },
      commutative(.date, "+", .time, returns: .timestamp) { date, time, _ throws(PostgreSQLError) in
        let midnight = try date.asDate.timestamp
        guard Moments.isFinite(midnight) else { return .timestamp(midnight) }
        return .timestamp(try Moments.checked(midnight + time.asTime))
      },
      commutative(.date, "+", .timetz, returns: .timestamptz) { date, time, _ throws(PostgreSQLError) in
        guard case .timetz(let clock, let offset) = time else { Value.mismatch("timetz", time) }
        let midnight = try date.asDate.timestamp
        guard Moments.isFinite(midnight) else { return .timestamp(midnight) }
        return .timestamp(try Moments.checked(midnight + clock - Int64(offset) * 1_000_000))
      },
    ] as [[Operator]]).flatMap { $0 }

  private static func sum(_ date: Value, _ count: Value, sign: Int64) throws(PostgreSQLError) -> Value {
    guard case .integer(let days) = count else { Value.mismatch("integer", count) }
    guard date.asDate.isFinite else { return date }
    let sum = Int64(date.asDate.value) + sign * days
    guard CivilCalendar.dates.contains(Int(sum)) else { throw PostgreSQLError("22008", "date out of range") }
    return .date(Int32(sum))
  }

  private static let times: [Operator] =
    ([
      commutative(.time, "+", .interval, returns: .time) { time, interval, _ throws(PostgreSQLError) in
        .time(wrapped(time.asTime, interval.asInterval.microseconds))
      },
      ordered(.time, "-", .interval, returns: .time) { time, interval, _ throws(PostgreSQLError) in
        .time(wrapped(time.asTime, 0 &- interval.asInterval.microseconds))
      },
      ordered(.time, "-", .time, returns: .interval) { one, other, _ throws(PostgreSQLError) in
        .interval(Interval(microseconds: one.asTime - other.asTime))
      },
      commutative(.timetz, "+", .interval, returns: .timetz) { time, interval, _ throws(PostgreSQLError) in
        guard case .timetz(let clock, let offset) = time else { Value.mismatch("timetz", time) }
        return .timetz(wrapped(clock, interval.asInterval.microseconds), offset: offset)
      },
      ordered(.timetz, "-", .interval, returns: .timetz) { time, interval, _ throws(PostgreSQLError) in
        guard case .timetz(let clock, let offset) = time else { Value.mismatch("timetz", time) }
        return .timetz(wrapped(clock, 0 &- interval.asInterval.microseconds), offset: offset)
      },
    ] as [[Operator]]).flatMap { $0 }

  /// A time of day after midnight begins again.
  private static func wrapped(_ time: Int64, _ added: Int64) -> Int64 {
    CivilCalendar.floorDivide(time &+ added, CivilCalendar.microsecondsPerDay).remainder
  }

  private static let intervals: [Operator] =
    ([
      ordered(.interval, "+", .interval, returns: .interval) { one, other, _ throws(PostgreSQLError) in
        .interval(try one.asInterval + other.asInterval)
      },
      ordered(.interval, "-", .interval, returns: .interval) { one, other, _ throws(PostgreSQLError) in
        .interval(try one.asInterval - other.asInterval)
      },
      commutative(.interval, "*", .double, returns: .interval) {
        interval, factor, _ throws(PostgreSQLError) in
        .interval(try interval.asInterval * [factor].double(0))
      },
      ordered(.interval, "/", .double, returns: .interval) { interval, divisor, _ throws(PostgreSQLError) in
        .interval(try interval.asInterval / [divisor].double(0))
      },
      [
        Operator(
          nil, "-", .interval, returns: .interval,
          .scalar { arguments, _ throws(PostgreSQLError) in .interval(try -arguments[0].asInterval) })
      ],
    ] as [[Operator]]).flatMap { $0 }
}

extension Value {
  /// The microseconds of a `time`.
  var asTime: Int64 {
    guard case .time(let time) = self else { Value.mismatch("time", self) }
    return time
  }
}
