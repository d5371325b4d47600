/// Reads an interval in PostgreSQL's notations (documentation, 8.5.4): with units, `hh:mm:ss`, SQL's `years-months`, and
/// ISO 8601.
struct IntervalReader {
  private var years: Int32 = 0
  private var months: Int32 = 0
  private var days: Int32 = 0
  private var microseconds: Int64 = 0
  /// The fields of the type, of which the last is the unit of a number without one.
  private var fields: IntervalFields?

  static func interval(
    _ text: String, _ fields: IntervalFields? = nil
  ) throws(DateTimeFailure) -> Interval {
    var reader = IntervalReader(fields: fields)
    do {
      try reader.readTokens(text)
    } catch .field, .fieldOrder {
      throw .interval
    } catch .syntax {
      let trimmed = Array(text.utf8.drop(while: \.isSpace))
      guard trimmed.first == UInt8(ascii: "P") else { throw .syntax }
      reader = IntervalReader(fields: fields)
      try reader.readISO(trimmed)
    }
    guard let months = Int32(exactly: Int64(reader.years) * 12 + Int64(reader.months)) else {
      throw .intervalRange
    }
    return Interval(months: months, days: reader.days, microseconds: reader.microseconds)
  }

  // MARK: Units

  enum Unit: String, CaseIterable {
    case microsecond, millisecond, second, minute, hour, day, week, month, year, decade, century, millennium

    /// The abbreviations of units (PostgreSQL documentation, 9.9.1 and 8.5.4).
    static let names: [String: Unit] = [
      "us": .microsecond, "usec": .microsecond, "usecond": .microsecond, "useconds": .microsecond,
      "usecs": .microsecond, "microsecon": .microsecond, "ms": .millisecond, "msec": .millisecond,
      "mseconds": .millisecond, "msecs": .millisecond, "msecond": .millisecond, "millisecon": .millisecond,
      "s": .second, "sec": .second, "second": .second, "seconds": .second, "secs": .second, "m": .minute,
      "min": .minute, "mins": .minute, "minute": .minute, "minutes": .minute, "h": .hour, "hour": .hour,
      "hours": .hour, "hr": .hour, "hrs": .hour, "d": .day, "day": .day, "days": .day, "w": .week,
      "week": .week,
      "weeks": .week, "mon": .month, "mons": .month, "month": .month, "months": .month, "y": .year,
      "yr": .year,
      "yrs": .year, "year": .year, "years": .year, "dec": .decade, "decs": .decade, "decade": .decade,
      "decades": .decade, "c": .century, "cent": .century, "century": .century, "centuries": .century,
      "mil": .millennium, "mils": .millennium, "millennia": .millennium, "millennium": .millennium,
    ]

    static func named(_ name: String) -> Unit? { names[String(name.prefix(10))] }
  }

  private static func sum<Number: FixedWidthInteger>(
    _ left: Number, _ addend: Int64
  ) throws(DateTimeFailure) -> Number {
    guard let right = Number(exactly: addend) else { throw .interval }
    let (sum, overflow) = left.addingReportingOverflow(right)
    if overflow { throw .interval }
    return sum
  }

  private static func product(_ left: Int64, _ right: Int64) throws(DateTimeFailure) -> Int64 {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    if overflow { throw .interval }
    return product
  }

  /// Adds `value + fraction` of a unit; a fraction of a month or of a longer unit becomes days or months.
  private mutating func add(_ value: Int64, _ fraction: Double, _ unit: Unit) throws(DateTimeFailure) {
    switch unit {
    case .microsecond: try addTime(value, fraction, 1)
    case .millisecond: try addTime(value, fraction, 1000)
    case .second: try addTime(value, fraction, 1_000_000)
    case .minute: try addTime(value, fraction, 60_000_000)
    case .hour: try addTime(value, fraction, 3_600_000_000)
    case .day:
      days = try Self.sum(days, value)
      try addTime(0, fraction, CivilCalendar.microsecondsPerDay)
    case .week: try addDays(value, fraction, 7)
    case .month:
      months = try Self.sum(months, value)
      try addDays(0, fraction, 30)
    case .year: try addYears(value, fraction, 1)
    case .decade: try addYears(value, fraction, 10)
    case .century: try addYears(value, fraction, 100)
    case .millennium: try addYears(value, fraction, 1000)
    }
  }

  private mutating func addTime(_ value: Int64, _ fraction: Double, _ scale: Int64) throws(DateTimeFailure) {
    microseconds = try Self.sum(microseconds, Self.product(value, scale))
    let part = fraction * Double(scale)
    var whole = Int64(part)
    let rest = part - Double(whole)
    if rest > 0.5 { whole += 1 } else if rest < -0.5 { whole -= 1 }
    microseconds = try Self.sum(microseconds, whole)
  }

  private mutating func addDays(_ value: Int64, _ fraction: Double, _ scale: Int64) throws(DateTimeFailure) {
    days = try Self.sum(days, Self.product(value, scale))
    let part = fraction * Double(scale)
    days = try Self.sum(days, Int64(part))
    try addTime(0, part - part.rounded(.towardZero), CivilCalendar.microsecondsPerDay)
  }

  private mutating func addYears(_ value: Int64, _ fraction: Double, _ scale: Int64) throws(DateTimeFailure) {
    years = try Self.sum(years, Self.product(value, scale))
    months = try Self.sum(months, Int64((fraction * Double(scale) * 12).rounded(.toNearestOrEven)))
  }

  // MARK: Tokens

  /// Reads from right to left, since a unit follows its number (`DecodeInterval`).
  private mutating func readTokens(_ text: String) throws(DateTimeFailure) {
    var unit: Unit?
    var isAgo = false
    var found: Set<Unit> = []
    let tokens = try DateTimeToken.tokens(of: text)
    for (index, token) in tokens.enumerated().reversed() {
      switch token.kind {
      case .word, .special:
        if token.text == "ago" {
          guard index == tokens.count - 1 else { throw .syntax }
          isAgo = true
        } else if DateTimeWord.field(token.text) == .filler || token.text == "@" {
          continue
        } else {
          guard let named = Unit.named(token.text) else { throw .syntax }
          unit = named
        }
        continue
      case .time:
        try addClock(token.text, isNegative: false)
        guard found.isDisjoint(with: [.hour, .minute, .second]) else { throw .syntax }
        found.formUnion([.hour, .minute, .second])
        unit = .day
        continue
      case .zone where token.text.contains(":"):
        let isNegative = token.text.first == "-"
        try addClock(String(token.text.dropFirst()), isNegative: isNegative)
        guard found.isDisjoint(with: [.hour, .minute, .second]) else { throw .syntax }
        found.formUnion([.hour, .minute, .second])
        unit = .day
        continue
      case .zone, .date, .number: break
      }
      let (current, value, fraction) = try Self.number(token.text, unit ?? fields?.last ?? .second)
      try add(value, fraction, current)
      guard found.insert(current).inserted else { throw .syntax }
      if current == .second, fraction != 0 {
        guard found.insert(.millisecond).inserted, found.insert(.microsecond).inserted else { throw .syntax }
      }
      if current == .hour { unit = .day } else { unit = current }
    }
    guard !found.isEmpty else { throw .syntax }
    if isAgo {
      guard microseconds != .min, years != .min, months != .min, days != .min else { throw .interval }
      (years, months, days, microseconds) = (-years, -months, -days, -microseconds)
    }
  }

  private mutating func addClock(_ text: String, isNegative: Bool) throws(DateTimeFailure) {
    let clock = try ClockReader(text)
    let sign: Int64 = isNegative ? -1 : 1
    // Two numbers are minutes and seconds if the type has these fields alone (`DecodeTimeCommon`).
    let isMinutes = fields == .minuteToSecond && text.count { $0 == ":" } == 1 && !text.contains(".")
    let (hour, minute, second) =
      isMinutes
      ? (0, Int(clock.hour), Int(clock.minute)) : (Int(clock.hour), Int(clock.minute), Int(clock.second))
    let time = Int64((minute * 60) + second) * 1_000_000 + Int64(clock.microsecond)
    microseconds = try Self.sum(microseconds, Self.product(Int64(hour), sign * 3_600_000_000))
    microseconds = try Self.sum(microseconds, sign * time)
  }

  private static func number(_ text: String, _ unit: Unit) throws(DateTimeFailure) -> (Unit, Int64, Double) {
    var rest = Array(text.utf8)[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    let digits = rest.prefix(while: \.isDigit)
    rest = rest.dropFirst(digits.count)
    guard let size = digits.isEmpty ? 0 : Int64(String(decoding: digits, as: UTF8.self)) else {
      throw .interval
    }
    let value = isNegative ? -size : size
    switch rest.first {
    case nil: return (unit, value, 0)
    case UInt8(ascii: "-")?:
      // SQL's years and months.
      let monthDigits = rest.dropFirst()
      guard !monthDigits.isEmpty, monthDigits.allSatisfy(\.isDigit) else { throw .syntax }
      guard let months = Int64(String(decoding: monthDigits, as: UTF8.self)), months < 12 else {
        throw .field
      }
      return (.month, try sum(product(value, 12), isNegative ? -months : months), 0)
    case UInt8(ascii: ".")?:
      let fraction = String(decoding: rest, as: UTF8.self)
      guard rest.dropFirst().allSatisfy(\.isDigit) else { throw .syntax }
      let part = Double("0" + fraction) ?? 0
      return (unit, value, isNegative ? -part : part)
    default: throw .syntax
    }
  }

  // MARK: ISO 8601

  private mutating func readISO(_ bytes: [UInt8]) throws(DateTimeFailure) {
    var rest = bytes.dropFirst()
    guard !rest.isEmpty else { throw .syntax }
    var isDate = true
    var hasField = false
    while let first = rest.first {
      if first == UInt8(ascii: "T") {
        isDate = false
        hasField = false
        rest.removeFirst()
        continue
      }
      let start = rest
      let (value, fraction) = try Self.isoNumber(&rest)
      let width = start.prefix(while: \.isDigit).count
      let designator = rest.first
      if isDate, designator == nil || designator == UInt8(ascii: "T") || designator == UInt8(ascii: "-") {
        guard !hasField else { throw .syntax }
        try readAlternativeDate(value, fraction, width, &rest)
        continue
      }
      if !isDate, designator == nil || designator == UInt8(ascii: ":") {
        guard !hasField else { throw .syntax }
        return try readAlternativeTime(value, fraction, width, &rest)
      }
      rest.removeFirst()
      hasField = true
      switch (designator, isDate) {
      case (UInt8(ascii: "Y"), true): try add(value, fraction, .year)
      case (UInt8(ascii: "M"), true): try add(value, fraction, .month)
      case (UInt8(ascii: "W"), true): try add(value, fraction, .week)
      case (UInt8(ascii: "D"), true): try add(value, fraction, .day)
      case (UInt8(ascii: "H"), false): try add(value, fraction, .hour)
      case (UInt8(ascii: "M"), false): try add(value, fraction, .minute)
      case (UInt8(ascii: "S"), false): try add(value, fraction, .second)
      default: throw .syntax
      }
    }
  }

  /// `0001-02-03`, or `00010203` of the basic format.
  private mutating func readAlternativeDate(
    _ value: Int64, _ fraction: Double, _ width: Int, _ rest: inout ArraySlice<UInt8>
  ) throws(DateTimeFailure) {
    if width == 8, rest.first != UInt8(ascii: "-") {
      try add(value / 10_000, 0, .year)
      try add(value / 100 % 100, 0, .month)
      try add(value % 100, fraction, .day)
      return
    }
    try add(value, fraction, .year)
    for unit in [Unit.month, .day] where rest.first == UInt8(ascii: "-") {
      rest.removeFirst()
      let (value, fraction) = try Self.isoNumber(&rest)
      try add(value, fraction, unit)
    }
    guard rest.isEmpty || rest.first == UInt8(ascii: "T") else { throw .syntax }
  }

  /// `04:05:06`, or `040506` of the basic format.
  private mutating func readAlternativeTime(
    _ value: Int64, _ fraction: Double, _ width: Int, _ rest: inout ArraySlice<UInt8>
  ) throws(DateTimeFailure) {
    if width == 6, rest.isEmpty {
      try add(value / 10_000, 0, .hour)
      try add(value / 100 % 100, 0, .minute)
      try add(value % 100, fraction, .second)
      return
    }
    try add(value, fraction, .hour)
    for unit in [Unit.minute, .second] where rest.first == UInt8(ascii: ":") {
      rest.removeFirst()
      let (value, fraction) = try Self.isoNumber(&rest)
      try add(value, fraction, unit)
    }
    guard rest.isEmpty else { throw .syntax }
  }

  private static func isoNumber(_ rest: inout ArraySlice<UInt8>) throws(DateTimeFailure) -> (Int64, Double) {
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    let digits = rest.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
    rest = rest.dropFirst(digits.count)
    let parts = String(decoding: digits, as: UTF8.self).split(
      separator: ".", omittingEmptySubsequences: false)
    guard !digits.isEmpty, digits.first != UInt8(ascii: ".") || digits.count > 1, parts.count <= 2 else {
      throw .syntax
    }
    guard let value = parts[0].isEmpty ? 0 : Int64(parts[0]) else { throw .interval }
    let fraction = parts.count == 2 ? Double("0." + parts[1]) ?? 0 : 0
    return isNegative ? (-value, -fraction) : (value, fraction)
  }
}

extension IntervalFields {
  /// The field after which nothing is kept.
  var last: IntervalReader.Unit {
    switch self {
    case .year: .year
    case .month, .yearToMonth: .month
    case .day: .day
    case .hour, .dayToHour: .hour
    case .minute, .dayToMinute, .hourToMinute: .minute
    case .second, .dayToSecond, .hourToSecond, .minuteToSecond: .second
    }
  }

  /// The interval without what is smaller than the last field (`AdjustIntervalForTypmod`).
  func restrict(_ interval: Interval, fraction: Int?) -> Interval {
    var interval = interval
    switch last {
    case .year: interval = Interval(months: interval.months / 12 * 12, days: 0, microseconds: 0)
    case .month: interval = Interval(months: interval.months, days: 0, microseconds: 0)
    case .day: interval.microseconds = 0
    case .hour: interval.microseconds -= interval.microseconds % 3_600_000_000
    case .minute: interval.microseconds -= interval.microseconds % 60_000_000
    default: interval.microseconds = DateTimeInput.rounded(interval.microseconds, fraction: fraction)
    }
    return interval
  }
}
