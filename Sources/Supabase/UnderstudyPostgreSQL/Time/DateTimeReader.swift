import Foundation

/// What the text of a date or a time says, read by the rules of PostgreSQL (documentation, B.1) with `DateStyle`
/// `ISO, MDY`.
struct DateTimeReader {
  enum Moment: Equatable {
    case fields
    case infinity, minusInfinity, epoch
    case now
    /// Midnight of the day, in days from today.
    case day(Int)
  }

  struct Fields: OptionSet {
    var rawValue: Int
    static let year = Self(rawValue: 1)
    static let month = Self(rawValue: 2)
    static let day = Self(rawValue: 4)
    static let dayOfYear = Self(rawValue: 8)
    static let time = Self(rawValue: 16)
    static let zone = Self(rawValue: 32)
    /// Before or after noon, before or after Christ, a day of the week.
    static let marker = Self(rawValue: 64)
    static let date: Self = [.year, .month, .day]
  }

  private(set) var moment = Moment.fields
  private(set) var civil = CivilTime()
  private(set) var fields: Fields = []
  /// Seconds east of Greenwich, if the text has an offset.
  private(set) var offset: Int?
  /// The zone, if the text names one.
  private(set) var zone: TimeZoneRule?

  private var year = 0
  private var month = 0
  private var day = 0
  private var dayOfYear = 0
  private var isShortYear = false
  private var hasNamedMonth = false
  private var isBC: Bool?
  private var isPM: Bool?
  private var prefix: Character?
  private var julianDay: Int?
  private let isTimeOnly: Bool

  /// - Parameter isTimeOnly: Whether a date may be missing, as of `time`.
  init(_ text: String, isTimeOnly: Bool = false) throws(DateTimeFailure) {
    self.isTimeOnly = isTimeOnly
    let tokens = try DateTimeToken.tokens(of: text)
    guard !tokens.isEmpty else { throw .syntax }
    // A time may follow a date; other words before or after a time are zones.
    let mayBeginWithDate =
      !isTimeOnly || tokens.count >= 2 && (tokens.last?.kind == .date || tokens[1].kind == .time)
    for (index, token) in tokens.enumerated() {
      if token.kind == .date, token.text.utf8.first?.isDigit != true, !(index == 0 && mayBeginWithDate),
        isTimeOnly
      {
        try setZone(named: token.text)
      } else {
        try read(token)
      }
    }
    try finish()
  }

  private mutating func add(_ found: Fields) throws(DateTimeFailure) {
    guard fields.isDisjoint(with: found) else { throw .syntax }
    fields.formUnion(found)
  }

  private var hasDate: Bool { fields.isSuperset(of: .date) }

  private mutating func read(_ token: DateTimeToken) throws(DateTimeFailure) {
    let text = token.text
    switch token.kind {
    case .date:
      if fields.isSuperset(of: [.month, .day]) || prefix != nil {
        try readZoneOrTime(text)
      } else {
        try readDate(text)
      }
    case .time:
      if prefix == "t" { prefix = nil }
      guard prefix == nil else { throw .syntax }
      let time = try ClockReader(text)
      civil.hour = time.hour
      civil.minute = time.minute
      civil.second = time.second
      civil.microsecond = time.microsecond
      try add(.time)
    case .zone:
      try add(.zone)
      offset = try Self.offset(text)
    case .number:
      if let unit = prefix {
        try readPrefixed(text, unit)
      } else {
        try readNumber(text)
      }
    case .word, .special: try readWord(text)
    }
  }

  private mutating func setZone(named name: String) throws(DateTimeFailure) {
    guard let zone = TimeZoneRule(name: name) else { throw .unknownZone(name) }
    try add(.zone)
    self.zone = zone
  }

  private mutating func readZoneOrTime(_ text: String) throws(DateTimeFailure) {
    guard text.utf8.first?.isDigit == true || prefix != nil else { return try setZone(named: text) }
    // `hhmmss-zz`: a time of digits with an offset.
    guard prefix == "t" || prefix == nil, let index = text.firstIndex(where: { $0 == "-" || $0 == "+" })
    else {
      throw .syntax
    }
    prefix = nil
    offset = try Self.offset(String(text[index...]))
    try readConcatenated(String(text[..<index]))
    try add(.zone)
  }

  private mutating func readPrefixed(_ text: String, _ unit: Character) throws(DateTimeFailure) {
    prefix = nil
    switch unit {
    case "t": try readConcatenated(text)
    case "j":
      guard let number = Double(text), number < 2_200_000_000 else { throw .field }
      julianDay = Int(number)
      try add(.date)
      let fraction = number - number.rounded(.down)
      if text.contains(".") {
        try add(.time)
        let time = (fraction * 86_400_000_000).rounded()
        let clock = CivilTime(days: 0, time: Int64(time))
        (civil.hour, civil.minute, civil.second) = (clock.hour, clock.minute, clock.second)
        civil.microsecond = clock.microsecond
      }
    default: throw .syntax
    }
  }

  private mutating func readNumber(_ text: String) throws(DateTimeFailure) {
    let point = text.firstIndex(of: ".")
    let length = text.utf8.count
    if isTimeOnly {
      if point != nil, fields.isDisjoint(with: .date), text.prefix(while: { $0 != "." }).utf8.count <= 2 {
        throw .syntax
      }
      return try readConcatenated(text)
    }
    if point != nil, fields.isDisjoint(with: .date) {
      try readDate(text)
    } else if let point, text[..<point].utf8.count > 2 {
      try readConcatenated(text)
    } else if length >= 6, !hasDate || !fields.contains(.time) {
      try readConcatenated(text)
    } else {
      try readField(text)
    }
  }

  /// A date whose parts have separators.
  ///
  /// Letters are the month.
  private mutating func readDate(_ text: String) throws(DateTimeFailure) {
    var parts: [String] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      rest = rest.drop { !$0.isDigit && !$0.isLetter }
      guard let first = rest.first else { throw .syntax }
      let part = first.isDigit ? rest.prefix(while: \.isDigit) : rest.prefix(while: \.isLetter)
      parts.append(String(decoding: part, as: UTF8.self))
      rest = rest.dropFirst(part.count)
      if let separator = rest.first, !separator.isDigit, !separator.isLetter {
        rest.removeFirst()
        if rest.isEmpty, separator != UInt8(ascii: ".") { break }
      }
    }
    for part in parts where part.utf8.first?.isLetter == true {
      switch DateTimeWord.field(part) {
      case .month(let number)?:
        try add(.month)
        month = number
        hasNamedMonth = true
      case .filler?: break
      default: throw .syntax
      }
    }
    for part in parts where part.utf8.first?.isDigit == true { try readField(part) }
    // A date with separators comes first.
    guard hasDate, fields.isDisjoint(with: [.time, .marker]) else { throw .syntax }
  }

  /// A number whose place and length say what it is (`DecodeNumber`).
  private mutating func readField(_ text: String) throws(DateTimeFailure) {
    let digits = text.prefix { $0 != "." }
    let length = text.utf8.count
    if text.contains(".") {
      if digits.utf8.count > 2 { return try readConcatenated(text) }
      civil.microsecond = ClockReader.microseconds(text.dropFirst(digits.utf8.count))
    }
    guard let value = Int32(digits).map(Int.init) else { throw .field }
    let known = fields.intersection(.date)
    if length == 3, known == .year, (1...366).contains(value) {
      dayOfYear = value
      return try add([.dayOfYear, .month, .day])
    }
    switch known {
    case []: if length >= 3 { try setYear(value, length) } else { try setMonth(value) }
    case .year: try setMonth(value)
    case .month where hasNamedMonth && length >= 3: try setYear(value, length)
    case .month: try setDay(value)
    case [.year, .month] where hasNamedMonth && length >= 3 && isShortYear:
      day = year
      year = value
      isShortYear = false
      try add(.day)
    case [.year, .month]: try setDay(value)
    case .day: try setMonth(value)
    case [.month, .day]: try setYear(value, length)
    case .date: try readConcatenated(text)
    default: throw .syntax
    }
  }

  private mutating func setYear(_ value: Int, _ length: Int) throws(DateTimeFailure) {
    try add(.year)
    year = value
    isShortYear = length <= 2
  }

  private mutating func setMonth(_ value: Int) throws(DateTimeFailure) {
    try add(.month)
    month = value
  }

  private mutating func setDay(_ value: Int) throws(DateTimeFailure) {
    try add(.day)
    day = value
  }

  /// `20240131`, `240131`, `040506.789`, `0405` (`DecodeNumberField`).
  private mutating func readConcatenated(_ text: String) throws(DateTimeFailure) {
    let digits = Array(text.utf8.prefix { $0 != UInt8(ascii: ".") })
    guard digits.allSatisfy(\.isDigit) else { throw .syntax }
    func number(_ range: some RangeExpression<Int>) -> Int {
      digits[range].reduce(0) { min($0, 1 << 27) * 10 + Int($1 - 48) }
    }
    if text.contains(".") {
      civil.microsecond = ClockReader.microseconds(text.dropFirst(digits.count))
    } else if !isTimeOnly, !hasDate, digits.count >= 6 {
      try add(.date)
      day = number((digits.count - 2)...)
      month = number((digits.count - 4)..<(digits.count - 2))
      year = number(..<(digits.count - 4))
      isShortYear = digits.count == 6
      return
    }
    guard !fields.contains(.time), digits.count == 6 || digits.count == 4 else { throw .syntax }
    try add(.time)
    civil.hour = number(0..<2)
    civil.minute = number(2..<4)
    civil.second = digits.count == 6 ? number(4..<6) : 0
  }

  private mutating func readWord(_ text: String) throws(DateTimeFailure) {
    if let word = DateTimeWord.field(text), TimeZoneRule.abbreviations[text] == nil {
      try read(word)
    } else {
      guard let zone = TimeZoneRule(name: text), text.utf8.first?.isLetter == true else { throw .syntax }
      try add(.zone)
      self.zone = zone
    }
  }

  private mutating func read(_ word: DateTimeWord) throws(DateTimeFailure) {
    switch word {
    case .now:
      try add([.date, .time, .zone])
      moment = .now
    case .today, .tomorrow, .yesterday:
      try add(.date)
      moment = .day(word == .today ? 0 : word == .tomorrow ? 1 : -1)
    case .epoch, .infinity, .minusInfinity:
      try add([.date, .time, .zone])
      moment = word == .epoch ? .epoch : word == .infinity ? .infinity : .minusInfinity
    case .allBalls:
      try add([.time, .zone])
      offset = 0
    case .month(let number):
      // A number that was taken for the month is the day.
      if fields.contains(.month), !hasNamedMonth, !fields.contains(.day), (1...31).contains(month) {
        day = month
        fields.remove(.month)
        try add(.day)
      }
      try add(.month)
      month = number
      hasNamedMonth = true
    case .isPM(let value):
      guard isPM == nil else { throw .syntax }
      isPM = value
      fields.insert(.marker)
    case .isBC(let value):
      guard isBC == nil else { throw .syntax }
      isBC = value
      fields.insert(.marker)
    case .dayOfWeek: fields.insert(.marker)
    case .filler: break
    case .timeFollows:
      guard hasDate || isTimeOnly else { throw .syntax }
      prefix = "t"
    case .daylightSaving:
      guard fields.contains(.zone), let before = offset else { throw .syntax }
      offset = before + 3600
    case .prefix(let unit): prefix = unit
    }
  }

  private mutating func finish() throws(DateTimeFailure) {
    if moment != .fields {
      if case .day = moment { try checkTime() }
      return
    }
    if let julianDay {
      (civil.year, civil.month, civil.day) = CivilCalendar.date(
        days: julianDay - CivilCalendar.julianDayOfEpoch)
      return try checkTime()
    }
    try checkTime()
    if fields.contains(.year) { try checkYear() }
    if fields.contains(.dayOfYear) {
      let date = CivilCalendar.date(days: CivilCalendar.days(year: year, month: 1, day: 1) + dayOfYear - 1)
      (year, month, day) = date
    }
    if fields.contains(.month), !(1...12).contains(month) { throw .fieldOrder }
    if fields.contains(.day), !(1...31).contains(day) { throw .fieldOrder }
    guard hasDate else {
      guard isTimeOnly, fields.contains(.time) else { throw .syntax }
      return
    }
    guard day <= CivilCalendar.length(ofMonth: month, year: year) else { throw .field }
    (civil.year, civil.month, civil.day) = (year, month, day)
    if isTimeOnly, !fields.contains(.time) { throw .syntax }
  }

  private mutating func checkYear() throws(DateTimeFailure) {
    if isBC == true {
      guard year > 0 else { throw .field }
      year = 1 - year
    } else if isShortYear {
      year += year < 70 ? 2000 : 1900
    } else if year <= 0 {
      throw .field
    }
  }

  private mutating func checkTime() throws(DateTimeFailure) {
    if let isPM {
      guard civil.hour <= 12 else { throw .field }
      if isPM, civil.hour != 12 { civil.hour += 12 }
      if !isPM, civil.hour == 12 { civil.hour = 0 }
    }
    guard civil.hour < 24 || civil.hour == 24 && civil.minute + civil.second + civil.microsecond == 0 else {
      throw .field
    }
  }

  /// Reads an offset such as `+02`, `-0330` or `+05:30:15`.
  static func offset(_ text: String) throws(DateTimeFailure) -> Int {
    let digits = text.dropFirst()
    let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) })
    else {
      throw .syntax
    }
    var numbers = parts.map { Int($0) ?? 1_000_000 }
    if parts.count == 1, digits.utf8.count > 2 { numbers = [numbers[0] / 100, numbers[0] % 100] }
    while numbers.count < 3 { numbers.append(0) }
    guard numbers[0] <= 15, numbers[1] < 60, numbers[2] < 60 else { throw .zone }
    return (text.first == "-" ? -1 : 1) * (numbers[0] * 3600 + numbers[1] * 60 + numbers[2])
  }
}

/// A time of day with colons: `hh:mm`, `hh:mm:ss.fff`, `mm:ss.fff` (`DecodeTime`).
struct ClockReader {
  var hour = 0
  var minute = 0
  var second = 0
  var microsecond = 0

  init(_ text: String) throws(DateTimeFailure) {
    let whole = text.prefix { $0 != "." }
    let hasFraction = whole.endIndex != text.endIndex
    let parts = whole.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { throw .syntax }
    var numbers: [Int] = []
    for part in parts {
      // A missing number is read as zero, as `strtol` does.
      guard part.utf8.allSatisfy(\.isDigit) else { throw .syntax }
      guard let number = part.isEmpty ? 0 : Int(part), number < Int.max / 3600 else { throw .field }
      numbers.append(number)
    }
    if hasFraction {
      let fraction = text.dropFirst(whole.utf8.count)
      guard fraction.dropFirst().utf8.allSatisfy(\.isDigit) else { throw .syntax }
      microsecond = Self.microseconds(fraction)
    }
    if numbers.count == 2 { if hasFraction { numbers.insert(0, at: 0) } else { numbers.append(0) } }
    (hour, minute, second) = (numbers[0], numbers[1], numbers[2])
    guard minute < 60, second <= 60 else { throw .field }
  }

  /// Rounds a fraction such as `.1234567` to microseconds.
  static func microseconds(_ fraction: Substring) -> Int {
    Int(((Double("0" + fraction) ?? 0) * 1_000_000).rounded(.toNearestOrEven))
  }
}
