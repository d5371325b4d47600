extension Functions {
  static let dates: [Function] = clocks + fields + differences + constructors + zones + tests

  // MARK: Clocks

  private static func clock(
    _ name: String, _ type: DataType,
    _ read: @escaping @Sendable (any FunctionContext) throws(PostgreSQLError) -> Value
  ) -> Function {
    Function(
      name, [.integer], optional: 1, returns: type, .stable,
      .scalar { arguments, context throws(PostgreSQLError) in
        let value = try read(context)
        guard case .integer(let places)? = arguments.first else { return value }
        return try TypeModifier.fraction(Int(places)).apply(to: value, type, isExplicit: true)
      })
  }

  private static let clocks: [Function] = [
    Function(
      "now", [], returns: .timestamptz, .stable,
      .scalar { _, context throws(PostgreSQLError) in .timestamp(context.transactionTime) }),
    Function(
      "transaction_timestamp", [], returns: .timestamptz, .stable,
      .scalar { _, context throws(PostgreSQLError) in .timestamp(context.transactionTime) }),
    Function(
      "statement_timestamp", [], returns: .timestamptz, .stable,
      .scalar { _, context throws(PostgreSQLError) in .timestamp(context.statementTime) }),
    Function(
      "clock_timestamp", [], returns: .timestamptz, .volatile,
      .scalar { _, context throws(PostgreSQLError) in .timestamp(context.clockTime) }),
    clock("current_timestamp", .timestamptz) { context throws(PostgreSQLError) in
      .timestamp(context.transactionTime)
    },
    clock("localtimestamp", .timestamp) { context throws(PostgreSQLError) in
      .timestamp(try Moments.local(ofMoment: context.transactionTime, context.timeZone))
    },
    clock("current_time", .timetz) { context throws(PostgreSQLError) in
      let local = try Moments.local(ofMoment: context.transactionTime, context.timeZone)
      let time = CivilCalendar.floorDivide(local, CivilCalendar.microsecondsPerDay).remainder
      return .timetz(time, offset: Int32(context.timeZone.offset(at: context.transactionTime)))
    },
    clock("localtime", .time) { context throws(PostgreSQLError) in
      Moments.time(of: try Moments.local(ofMoment: context.transactionTime, context.timeZone))
    },
    Function(
      "current_date", [], returns: .date, .stable,
      .scalar { _, context throws(PostgreSQLError) in .date(Int32(DateTimeInput.today(context))) }),
  ]

  // MARK: Fields

  private static let fields: [Function] =
    [DataType.timestamptz, .timestamp, .date, .time, .timetz, .interval].flatMap { type in
      [
        Function(
          "extract", [.text, type], returns: .numeric, type == .timestamptz ? .stable : .immutable,
          .scalar { arguments, context throws(PostgreSQLError) in
            let field = try DateTimeField.extract(arguments.text(0), from: arguments[1], type, context)
            return field.map(Value.numeric) ?? .null
          }),
        Function(
          "date_part", [.text, type], returns: .double, type == .timestamptz ? .stable : .immutable,
          .scalar { arguments, context throws(PostgreSQLError) in
            var (value, type) = (arguments[1], type)
            // A date is read as midnight.
            if type == .date { (value, type) = (.timestamp(try value.asDate.timestamp), .timestamp) }
            let name = arguments.text(0)
            if case .interval(let interval) = value, name.lowercased() == "epoch" {
              return .double(interval.seconds)
            }
            let field = try DateTimeField.extract(name, from: value, type, context)
            return field.map { .double($0.double) } ?? .null
          }),
      ]
    }
    + [
      Function(
        "date_trunc", [.text, .timestamp], returns: .timestamp,
        .scalar { arguments, _ throws(PostgreSQLError) in
          .timestamp(try DateTimeField.truncate(arguments[1].asTimestamp, to: arguments.text(0), .timestamp))
        }),
      Function(
        "date_trunc", [.text, .timestamptz], returns: .timestamptz, .stable,
        .scalar { arguments, context throws(PostgreSQLError) in
          .timestamp(
            try DateTimeField.truncate(
              arguments[1].asTimestamp, to: arguments.text(0), .timestamptz, zone: context.timeZone))
        }),
      Function(
        "date_trunc", [.text, .timestamptz, .text], returns: .timestamptz, .stable,
        .scalar { arguments, _ throws(PostgreSQLError) in
          .timestamp(
            try DateTimeField.truncate(
              arguments[1].asTimestamp, to: arguments.text(0), .timestamptz, zone: zone(arguments.text(2))))
        }),
      Function(
        "date_trunc", [.text, .interval], returns: .interval,
        .scalar { arguments, _ throws(PostgreSQLError) in
          .interval(try DateTimeField.truncate(arguments[1].asInterval, to: arguments.text(0)))
        }),
    ]
    + [DataType.timestamp, .timestamptz].map { type in
      Function(
        "date_bin", [.interval, type, type], returns: type,
        .scalar { arguments, _ throws(PostgreSQLError) in
          .timestamp(try bin(arguments[0].asInterval, arguments[1].asTimestamp, arguments[2].asTimestamp))
        })
    }

  private static func bin(_ stride: Interval, _ time: Int64, _ origin: Int64) throws(PostgreSQLError) -> Int64
  {
    guard Moments.isFinite(time) else { return time }
    guard Moments.isFinite(origin) else { throw PostgreSQLError("22008", "origin out of range") }
    guard stride.months == 0 else {
      throw PostgreSQLError("0A000", "timestamps cannot be binned into intervals containing months or years")
    }
    let (days, overflow) = Int64(stride.days).multipliedReportingOverflow(
      by: CivilCalendar.microsecondsPerDay)
    let (length, isOver) = days.addingReportingOverflow(stride.microseconds)
    if overflow || isOver { throw Interval.outOfRange }
    guard length > 0 else { throw PostgreSQLError("22008", "stride must be greater than zero") }
    let (difference, isFar) = time.subtractingReportingOverflow(origin)
    if isFar { throw Interval.outOfRange }
    return try Moments.checked(time - CivilCalendar.floorDivide(difference, length).remainder)
  }

  // MARK: Differences

  private static let differences: [Function] = [
    Function(
      "age", [.timestamp, .timestamp], returns: .interval,
      .scalar { arguments, _ throws(PostgreSQLError) in
        .interval(try Moments.age(arguments[0].asTimestamp, arguments[1].asTimestamp))
      }),
    Function(
      "age", [.timestamptz, .timestamptz], returns: .interval,
      .scalar { arguments, context throws(PostgreSQLError) in
        .interval(
          try Moments.age(arguments[0].asTimestamp, arguments[1].asTimestamp, zone: context.timeZone))
      }),
    Function(
      "age", [.timestamp], returns: .interval, .stable,
      .scalar { arguments, context throws(PostgreSQLError) in
        .interval(try Moments.age(midnight(context), arguments[0].asTimestamp))
      }),
    Function(
      "age", [.timestamptz], returns: .interval, .stable,
      .scalar { arguments, context throws(PostgreSQLError) in
        let zone = context.timeZone
        return .interval(
          try Moments.age(
            Moments.moment(ofLocal: midnight(context), zone), arguments[0].asTimestamp, zone: zone))
      }),
    interval("justify_hours") { value throws(PostgreSQLError) in try value.justifyingHours() },
    interval("justify_days") { value throws(PostgreSQLError) in try value.justifyingDays() },
    interval("justify_interval") { value throws(PostgreSQLError) in try value.justified() },
  ]

  private static func midnight(_ context: any FunctionContext) -> Int64 {
    Int64(DateTimeInput.today(context)) * CivilCalendar.microsecondsPerDay
  }

  private static func interval(
    _ name: String, _ change: @escaping @Sendable (Interval) throws(PostgreSQLError) -> Interval
  ) -> Function {
    Function(
      name, [.interval], returns: .interval,
      .scalar { arguments, _ throws(PostgreSQLError) in .interval(try change(arguments[0].asInterval)) })
  }

  // MARK: Constructors

  private static let constructors: [Function] = [
    Function(
      "make_date", [.integer, .integer, .integer], returns: .date,
      .scalar { arguments, _ throws(PostgreSQLError) in
        let days = try days(arguments.integer(0), arguments.integer(1), arguments.integer(2))
        guard CivilCalendar.dates.contains(days) else {
          throw PostgreSQLError("22008", "date out of range: \(written(arguments))")
        }
        return .date(Int32(days))
      }
    ).naming("year", "month", "day"),
    Function(
      "make_time", [.integer, .integer, .double], returns: .time,
      .scalar { arguments, _ throws(PostgreSQLError) in
        .time(try time(arguments.integer(0), arguments.integer(1), arguments.double(2)))
      }
    ).naming("hour", "min", "sec"),
    Function(
      "make_timestamp", [.integer, .integer, .integer, .integer, .integer, .double], returns: .timestamp,
      .scalar { arguments, _ throws(PostgreSQLError) in
        let timestamp = try timestamp(arguments)
        guard CivilCalendar.timestamps.contains(timestamp) else { throw outOfRange(arguments) }
        return .timestamp(timestamp)
      }
    ).naming("year", "month", "mday", "hour", "min", "sec"),
    Function(
      "make_timestamptz", [.integer, .integer, .integer, .integer, .integer, .double], returns: .timestamptz,
      .stable,
      .scalar { arguments, context throws(PostgreSQLError) in
        .timestamp(try Moments.moment(ofLocal: timestamp(arguments), context.timeZone))
      }
    ).naming("year", "month", "mday", "hour", "min", "sec"),
    Function(
      "make_timestamptz", [.integer, .integer, .integer, .integer, .integer, .double, .text],
      returns: .timestamptz, .stable,
      .scalar { arguments, _ throws(PostgreSQLError) in
        .timestamp(try Moments.moment(ofLocal: timestamp(arguments), zone(ofTimestamp: arguments.text(6))))
      }
    ).naming("year", "month", "mday", "hour", "min", "sec", "timezone"),
    Function(
      "make_interval", [.integer, .integer, .integer, .integer, .integer, .integer, .double], optional: 7,
      returns: .interval, .scalar { arguments, _ throws(PostgreSQLError) in try makeInterval(arguments) }
    ).naming(
      "years", "months", "weeks", "days", "hours", "mins", "secs",
      defaults: Array(repeating: .integer(0), count: 6) + [.double(0)]),
    Function(
      "to_timestamp", [.double], returns: .timestamptz,
      .scalar { arguments, _ throws(PostgreSQLError) in
        let seconds = arguments.double(0)
        if seconds.isNaN { throw PostgreSQLError("22008", "timestamp cannot be NaN") }
        if seconds.isInfinite { return .timestamp(seconds < 0 ? .min : .max) }
        guard seconds > -211_813_488_000 + 946_684_800 - 1_000_000_000, seconds < 9_224_318_016_000 else {
          throw PostgreSQLError("22008", "timestamp out of range: \"\(generalNotation(seconds))\"")
        }
        let micros = ((seconds - 946_684_800) * 1_000_000).rounded(.toNearestOrEven)
        guard let moment = Int64(exactly: micros), CivilCalendar.timestamps.contains(moment) else {
          throw PostgreSQLError("22008", "timestamp out of range: \"\(generalNotation(seconds))\"")
        }
        return .timestamp(moment)
      }),
  ]

  /// A number as C's `%g` writes it.
  private static func generalNotation(_ value: Double) -> String {
    let notation = DecimalNotation(value, significantDecimals: 6)
    return (-4..<6).contains(notation.exponent) ? notation.fixed : notation.scientific
  }

  private static func days(_ year: Int, _ month: Int, _ day: Int) throws(PostgreSQLError) -> Int {
    // Negative years are before Christ, and there is no year 0.
    let astronomical = year < 0 ? year + 1 : year
    guard year != 0, (1...12).contains(month), day >= 1, abs(year) < 6_000_000,
      day <= CivilCalendar.length(ofMonth: month, year: astronomical)
    else {
      throw PostgreSQLError(
        "22008", "date field value out of range: \(year)-\(padded(month, to: 2))-\(padded(day, to: 2))")
    }
    return CivilCalendar.days(year: astronomical, month: month, day: day)
  }

  private static func time(_ hour: Int, _ minute: Int, _ second: Double) throws(PostgreSQLError) -> Int64 {
    let microseconds = (second * 1_000_000).rounded(.toNearestOrEven)
    guard (0...24).contains(hour), (0...59).contains(minute), second >= 0, microseconds <= 60_000_000,
      hour < 24 || minute == 0 && microseconds == 0
    else {
      throw PostgreSQLError(
        "22008", "time field value out of range: \(hour):\(padded(minute, to: 2)):\(seconds(second))")
    }
    return Int64(hour * 60 + minute) * 60_000_000 + Int64(microseconds)
  }

  /// A date as messages show it, with an astronomical year.
  private static func written(_ arguments: [Value]) -> String {
    let year = arguments.integer(0)
    return
      "\(year < 0 ? year + 1 : year)-\(padded(arguments.integer(1), to: 2))-\(padded(arguments.integer(2), to: 2))"
  }

  private static func outOfRange(_ arguments: [Value]) -> PostgreSQLError {
    let time =
      "\(arguments.integer(3)):\(padded(arguments.integer(4), to: 2)):\(seconds(arguments.double(5)))"
    return PostgreSQLError("22008", "timestamp out of range: \(written(arguments)) \(time)")
  }

  /// Seconds as C's `%02g` writes them.
  private static func seconds(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    let text = generalNotation(value)
    return text.utf8.count < 2 ? "0" + text : text
  }

  /// The local time of six arguments; it may be out of range by as much as a zone is away from UTC.
  private static func timestamp(_ arguments: [Value]) throws(PostgreSQLError) -> Int64 {
    let days = try days(arguments.integer(0), arguments.integer(1), arguments.integer(2))
    let time = try time(arguments.integer(3), arguments.integer(4), arguments.double(5))
    guard (-2_451_546...106_751_984).contains(days) else { throw outOfRange(arguments) }
    return Int64(days) * CivilCalendar.microsecondsPerDay + time
  }

  private static func makeInterval(_ arguments: [Value]) throws(PostgreSQLError) -> Value {
    func integer(_ index: Int) -> Int64 { index < arguments.count ? arguments.int64(index) : 0 }
    let seconds = arguments.count > 6 ? arguments.double(6) : 0
    let micros = (seconds * 1_000_000).rounded(.toNearestOrEven)
    let months = integer(0) * 12 + integer(1)
    let days = integer(2) * 7 + integer(3)
    let minutes = integer(4) * 60 + integer(5)
    guard let fraction = Int64(exactly: micros) else { throw Interval.outOfRange }
    let (time, overflow) = (minutes * 60_000_000).addingReportingOverflow(fraction)
    if overflow { throw Interval.outOfRange }
    // PostgreSQL 15 does not check the months and the days.
    return .interval(
      Interval(
        months: Int32(truncatingIfNeeded: months), days: Int32(truncatingIfNeeded: days), microseconds: time))
  }

  // MARK: Zones

  /// A zone by its name, or an error.
  static func zone(_ name: String) throws(PostgreSQLError) -> TimeZoneRule {
    guard let zone = TimeZoneRule(name: name) else {
      throw PostgreSQLError("22023", "time zone \"\(name)\" not recognized")
    }
    return zone
  }

  /// Unlike in `AT TIME ZONE`, an offset with a sign is east of Greenwich.
  private static func zone(ofTimestamp name: String) throws(PostgreSQLError) -> TimeZoneRule {
    if let first = name.utf8.first, first.isDigit {
      throw PostgreSQLError(
        "22023", "invalid input syntax for type numeric time zone: \"\(name)\"",
        hint: "Numeric time zones must have \"-\" or \"+\" as first character.")
    }
    guard name.hasPrefix("+") || name.hasPrefix("-") else { return try zone(name) }
    do { return .fixed(seconds: try DateTimeReader.offset(name)) } catch {
      throw PostgreSQLError(
        "22023",
        error == .zone
          ? "numeric time zone \"\(name)\" out of range" : "time zone \"\(name)\" not recognized")
    }
  }

  private static func zone(_ interval: Interval) throws(PostgreSQLError) -> TimeZoneRule {
    guard interval.months == 0, interval.days == 0 else {
      throw PostgreSQLError(
        "22023", "interval time zone \"\(DateTimeText.interval(interval))\" must not include months or days")
    }
    return .fixed(seconds: Int(interval.microseconds / 1_000_000))
  }

  private static let zones: [Function] = [DataType.text, .interval].flatMap { type -> [Function] in
    let read: @Sendable (Value) throws(PostgreSQLError) -> TimeZoneRule = { value throws(PostgreSQLError) in
      if case .interval(let interval) = value { return try zone(interval) }
      return try zone([value].text(0))
    }
    return [
      Function(
        "timezone", [type, .timestamp], returns: .timestamptz,
        .scalar { arguments, _ throws(PostgreSQLError) in
          let local = arguments[1].asTimestamp
          guard Moments.isFinite(local) else { return arguments[1] }
          return .timestamp(try Moments.moment(ofLocal: local, read(arguments[0])))
        }),
      Function(
        "timezone", [type, .timestamptz], returns: .timestamp,
        .scalar { arguments, _ throws(PostgreSQLError) in
          let moment = arguments[1].asTimestamp
          guard Moments.isFinite(moment) else { return arguments[1] }
          return .timestamp(try Moments.local(ofMoment: moment, read(arguments[0])))
        }),
      Function(
        "timezone", [type, .timetz], returns: .timetz, .stable,
        .scalar { arguments, context throws(PostgreSQLError) in
          guard case .timetz(let time, let offset) = arguments[1] else {
            Value.mismatch("timetz", arguments[1])
          }
          let target = try read(arguments[0]).offset(at: context.transactionTime)
          let shifted = time + Int64(target - Int(offset)) * 1_000_000
          return .timetz(
            CivilCalendar.floorDivide(shifted, CivilCalendar.microsecondsPerDay).remainder,
            offset: Int32(target))
        }),
    ]
  }

  // MARK: Tests

  private static let tests: [Function] =
    [DataType.date, .timestamp, .timestamptz, .interval].map { type in
      Function(
        "isfinite", [type], returns: .boolean,
        .scalar { arguments, _ throws(PostgreSQLError) in
          switch arguments[0] {
          case .date: .boolean(arguments[0].asDate.isFinite)
          case .timestamp(let time): .boolean(Moments.isFinite(time))
          default: .boolean(true)
          }
        })
    }
    + [DataType.time, .timetz, .timestamp, .timestamptz].map { type in
      Function(
        "overlaps", [type, type, type, type], returns: .boolean, isStrict: false, .immutable,
        .scalar { arguments, _ throws(PostgreSQLError) in
          overlap((arguments[0], arguments[1]), (arguments[2], arguments[3]))
        })
    }
    + [DataType.time, .timestamp, .timestamptz].flatMap { type in
      [(true, true), (true, false), (false, true)].map { isFirst, isSecond in
        Function(
          "overlaps", [type, isFirst ? .interval : type, type, isSecond ? .interval : type],
          returns: .boolean,
          isStrict: false, .stable,
          .scalar { arguments, context throws(PostgreSQLError) in
            func end(_ start: Value, _ length: Value, _ isLength: Bool) throws(PostgreSQLError) -> Value {
              guard isLength, !start.isNull, !length.isNull else { return isLength ? .null : length }
              if case .time(let time) = start {
                return .time(
                  CivilCalendar.floorDivide(
                    time &+ length.asInterval.microseconds, CivilCalendar.microsecondsPerDay
                  ).remainder)
              }
              return .timestamp(
                try Moments.add(
                  start.asTimestamp, length.asInterval, zone: type == .timestamptz ? context.timeZone : nil))
            }
            return overlap(
              (arguments[0], try end(arguments[0], arguments[1], isFirst)),
              (arguments[2], try end(arguments[2], arguments[3], isSecond)))
          })
      }
    }

  /// `OVERLAPS` with SQL's rules for nulls (`overlaps_timestamp`).
  private static func overlap(_ first: (Value, Value), _ second: (Value, Value)) -> Value {
    func order(_ one: Value, _ other: Value) -> Int { Value.compare(one, other, collation: .codePoints) }
    /// A period in order; one that has only an end begins there.
    func period(_ pair: (Value, Value)) -> (start: Value, end: Value)? {
      switch (pair.0.isNull, pair.1.isNull) {
      case (true, true): nil
      case (true, false): (pair.1, .null)
      case (false, true): (pair.0, .null)
      case (false, false): order(pair.0, pair.1) > 0 ? (pair.1, pair.0) : pair
      }
    }
    guard let first = period(first), let second = period(second) else { return .null }
    let starts = order(first.start, second.start)
    if starts == 0 { return first.end.isNull || second.end.isNull ? .null : .boolean(true) }
    let (earlier, later) = starts < 0 ? (first, second) : (second, first)
    if earlier.end.isNull { return .null }
    if order(later.start, earlier.end) < 0 { return .boolean(true) }
    return later.end.isNull ? .null : .boolean(false)
  }
}
