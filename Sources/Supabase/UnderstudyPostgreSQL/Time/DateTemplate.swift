/// A template of `to_char`, `to_date` and `to_timestamp` (PostgreSQL documentation, 9.8).
struct DateTemplate {
  enum Letters { case upper, lower, capitalized }

  enum Pattern: String, CaseIterable {
    case meridiemDotted = "A.M.", meridiem = "AM", eraDotted = "A.D.", era = "AD"
    case century = "CC", dayName = "DAY", dayOfYear = "DDD", day = "DD", dayAbbreviation = "DY", dayOfWeek =
      "D"
    case fraction1 = "FF1", fraction2 = "FF2", fraction3 = "FF3", fraction4 = "FF4", fraction5 = "FF5",
      fraction6 = "FF6"
    case exact = "FX"
    case hour24 = "HH24", hour12 = "HH12", hour = "HH"
    case isoDayOfYear = "IDDD", isoDayOfWeek = "ID", isoWeek = "IW", isoYear = "IYYY", isoYear3 = "IYY",
      isoYear2 = "IY",
      isoYear1 = "I"
    case julian = "J", minute = "MI", month = "MM", monthName = "MONTH", monthAbbreviation = "MON",
      millisecond = "MS"
    case offset = "OF", quarter = "Q", roman = "RM", secondsOfDay = "SSSSS", secondsOfDay4 = "SSSS", second =
      "SS"
    case zoneHour = "TZH", zoneMinute = "TZM", zone = "TZ", microsecond = "US", week = "WW", weekOfMonth = "W"
    case yearWithComma = "Y,YYY", year = "YYYY", year3 = "YYY", year2 = "YY", year1 = "Y"

    /// Whether the pattern reads a number, so that one before it may not take its digits.
    var isNumber: Bool {
      switch self {
      case .meridiemDotted, .meridiem, .eraDotted, .era, .dayName, .dayAbbreviation, .exact, .monthName,
        .monthAbbreviation, .offset, .roman, .zone, .zoneHour:
        false
      default: true
      }
    }
  }

  enum Node {
    /// - Parameter name: The pattern as written, for messages.
    case field(Pattern, letters: Letters, name: String, isFilled: Bool, ordinal: Letters?)
    /// Of spaces and punctuation, one of which an input may have or not.
    case separator(String)
    case text(String)
  }

  private(set) var nodes: [Node] = []

  /// Patterns with their spellings, the longest first.
  private static let spellings: [(text: [UInt8], pattern: Pattern, letters: Letters)] = {
    var spellings: [(String, Pattern, Letters)] = []
    for pattern in Pattern.allCases {
      spellings.append((pattern.rawValue, pattern, .upper))
      spellings.append((pattern.rawValue.lowercased(), pattern, .lower))
    }
    for (text, pattern) in [
      ("P.M.", Pattern.meridiemDotted), ("PM", .meridiem), ("B.C.", .eraDotted), ("BC", .era),
    ] {
      spellings.append((text, pattern, .upper))
      spellings.append((text.lowercased(), pattern, .lower))
    }
    for (text, pattern) in [
      ("Day", Pattern.dayName), ("Dy", .dayAbbreviation), ("Month", .monthName), ("Mon", .monthAbbreviation),
    ] { spellings.append((text, pattern, .capitalized)) }
    return spellings.map { (Array($0.0.utf8), $0.1, $0.2) }.sorted { $0.0.count > $1.0.count }
  }()

  init(_ text: String) {
    var rest = Array(text.utf8)[...]
    func hasPrefix(_ prefix: String) -> Bool { rest.starts(with: prefix.utf8) }
    while !rest.isEmpty {
      var (isFilled, isTranslated) = (false, false)
      while hasPrefix("FM") || hasPrefix("fm") || hasPrefix("TM") || hasPrefix("tm") {
        if hasPrefix("FM") || hasPrefix("fm") { isFilled = true } else { isTranslated = true }
        rest.removeFirst(2)
      }
      if let found = Self.spellings.first(where: { rest.starts(with: $0.text) }) {
        rest.removeFirst(found.text.count)
        var ordinal: Letters?
        var hasSuffix = true
        while hasSuffix {
          if hasPrefix("TH") {
            ordinal = .upper
          } else if hasPrefix("th") {
            ordinal = .lower
          } else if !hasPrefix("SP") && !hasPrefix("sp") {
            hasSuffix = false
          }
          if hasSuffix { rest.removeFirst(2) }
        }
        nodes.append(
          .field(
            found.pattern, letters: found.letters, name: String(decoding: found.text, as: UTF8.self),
            // Translated names are not padded.
            isFilled: isFilled || isTranslated && [.monthName, .dayName].contains(found.pattern),
            ordinal: ordinal))
      } else if rest.first == UInt8(ascii: "\"") {
        rest.removeFirst()
        while let byte = rest.first, byte != UInt8(ascii: "\"") {
          if byte == UInt8(ascii: "\\"), rest.count > 1 { rest.removeFirst() }
          nodes.append(.text(Self.character(&rest)))
        }
        if !rest.isEmpty { rest.removeFirst() }
      } else if !rest.isEmpty {
        // Outside of quotes a backslash is special only before a quote.
        if rest.starts(with: "\\\"".utf8) { rest.removeFirst() }
        let isSeparator = rest.first.map { $0.isSpace || $0.isPunctuation } ?? false
        let character = Self.character(&rest)
        nodes.append(isSeparator && character != "\"" ? .separator(character) : .text(character))
      }
    }
  }

  private static func character(_ rest: inout ArraySlice<UInt8>) -> String {
    var bytes = [rest.removeFirst()]
    while let byte = rest.first, byte & 0xC0 == 0x80 { bytes.append(rest.removeFirst()) }
    return String(decoding: bytes, as: UTF8.self)
  }

  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November",
    "December",
  ]
  static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  static let romans = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"]

  static func apply(_ letters: Letters, to name: String) -> String {
    switch letters {
    case .upper: name.uppercased()
    case .lower: name.lowercased()
    case .capitalized: name
    }
  }

  /// The suffix of an ordinal number: `st`, `nd`, `rd` or `th`.
  static func ordinal(_ digits: String, _ letters: Letters) -> String {
    let last = digits.utf8.suffix(2).map { Int($0) - 48 }
    let isTeen = last.count == 2 && last[0] == 1
    let suffix =
      switch last.last {
      case 1? where !isTeen: "st"
      case 2? where !isTeen: "nd"
      case 3? where !isTeen: "rd"
      default: "th"
      }
    return apply(letters, to: suffix)
  }
}

// MARK: Output

extension DateTemplate {
  /// What a template shows: a moment, or an interval.
  struct Moment {
    var civil: CivilTime
    /// Nil of an interval, whose parts are not those of a calendar.
    var days: Int?
    var dayOfYear: Int
    /// Seconds east of Greenwich and the zone's abbreviation; nil without a zone.
    var offset: Int?
    var abbreviation: String?

    init(timestamp: Int64, offset: Int? = nil, abbreviation: String? = nil) {
      civil = CivilTime(timestamp: timestamp, offset: offset ?? 0)
      days = civil.days
      dayOfYear = civil.dayOfYear
      self.offset = offset
      self.abbreviation = abbreviation
    }

    init(_ interval: Interval) {
      civil = CivilTime(days: 0, time: 0)
      (civil.year, civil.month, civil.day) = (
        Int(interval.months / 12), Int(interval.months % 12), Int(interval.days)
      )
      civil.hour = Int(interval.microseconds / 3_600_000_000)
      civil.minute = Int(interval.microseconds / 60_000_000 % 60)
      civil.second = Int(interval.microseconds / 1_000_000 % 60)
      civil.microsecond = Int(interval.microseconds % 1_000_000)
      dayOfYear = Int(interval.months) * 30 + Int(interval.days)
    }

    /// The days since 2000-01-01 of a date whose month and day may be none of the calendar's (`date2j`).
    var approximateDays: Int {
      if let days { return days }
      let isLate = civil.month > 2
      let (month, year) = (civil.month + (isLate ? 1 : 13), civil.year + (isLate ? 4800 : 4799))
      let century = year / 100
      let julian = year * 365 - 32_167 + year / 4 - century + century / 4 + 7834 * month / 256 + civil.day
      return julian - CivilCalendar.julianDayOfEpoch
    }
  }

  func text(of moment: Moment) throws(PostgreSQLError) -> String {
    var result = ""
    for node in nodes {
      switch node {
      case .separator(let text), .text(let text): result += text
      case .field(let pattern, let letters, _, let isFilled, let ordinal):
        let text = try Self.text(pattern, letters, isFilled, moment)
        result += text
        if let ordinal, pattern.isNumber { result += Self.ordinal(text, ordinal) }
      }
    }
    return result
  }

  private static func padded(_ number: Int, _ width: Int, _ isFilled: Bool) -> String {
    if isFilled { return String(number) }
    return number < 0
      ? "-" + UnderstudyPostgreSQL.padded(-number, to: width) : UnderstudyPostgreSQL.padded(number, to: width)
  }

  private static func text(
    _ pattern: Pattern, _ letters: Letters, _ isFilled: Bool, _ moment: Moment
  ) throws(PostgreSQLError) -> String {
    let civil = moment.civil
    /// The years of an interval are not counted from Christ.
    let year = moment.days == nil || civil.year > 0 ? civil.year : 1 - civil.year
    func name(_ text: String) -> String {
      let name = apply(letters, to: text)
      return isFilled || name.utf8.count >= 9
        ? name : name + String(repeating: " ", count: 9 - name.utf8.count)
    }
    func days() throws(PostgreSQLError) -> Int {
      guard let days = moment.days else {
        throw PostgreSQLError(
          "22007", "invalid format specification for an interval value",
          hint: "Intervals are not tied to specific calendar dates.")
      }
      return days
    }
    func isoYear() -> Int {
      let year = CivilCalendar.isoWeek(days: moment.approximateDays).year
      return moment.days == nil || year > 0 ? year : 1 - year
    }
    /// A number of the width, of which a sign is a part.
    func fitted(_ number: Int, _ width: Int) -> String {
      if isFilled { return String(number) }
      return number < 0
        ? "-" + UnderstudyPostgreSQL.padded(-number, to: width - 1) : padded(number, width, false)
    }
    let signWidth = year < 0 ? 1 : 0
    switch pattern {
    case .meridiemDotted: return apply(letters, to: civil.hour % 24 >= 12 ? "P.M." : "A.M.")
    case .meridiem: return apply(letters, to: civil.hour % 24 >= 12 ? "PM" : "AM")
    case .eraDotted:
      _ = try days()
      return apply(letters, to: civil.year <= 0 ? "B.C." : "A.D.")
    case .era:
      _ = try days()
      return apply(letters, to: civil.year <= 0 ? "BC" : "AD")
    case .hour, .hour12: return padded(civil.hour % 12 == 0 ? 12 : civil.hour % 12, 2, isFilled)
    case .hour24: return padded(civil.hour, 2, isFilled)
    case .minute: return padded(civil.minute, 2, isFilled)
    case .second: return padded(civil.second, 2, isFilled)
    case .fraction1: return padded(civil.microsecond / 100_000, 1, false)
    case .fraction2: return padded(civil.microsecond / 10_000, 2, false)
    case .fraction3, .millisecond: return padded(civil.microsecond / 1000, 3, false)
    case .fraction4: return padded(civil.microsecond / 100, 4, false)
    case .fraction5: return padded(civil.microsecond / 10, 5, false)
    case .fraction6, .microsecond: return padded(civil.microsecond, 6, false)
    case .secondsOfDay, .secondsOfDay4: return String(civil.hour * 3600 + civil.minute * 60 + civil.second)
    case .zone:
      _ = try days()
      return moment.abbreviation.map { apply(letters, to: $0) } ?? ""
    case .zoneHour:
      _ = try days()
      let offset = moment.offset ?? 0
      return (offset < 0 ? "-" : "+") + padded(abs(offset) / 3600, 2, false)
    case .zoneMinute:
      _ = try days()
      return padded(abs(moment.offset ?? 0) / 60 % 60, 2, false)
    case .offset:
      _ = try days()
      let offset = moment.offset ?? 0
      let minutes = abs(offset) / 60 % 60
      return (offset < 0 ? "-" : "+") + padded(abs(offset) / 3600, 2, isFilled)
        + (minutes == 0 ? "" : ":" + padded(minutes, 2, false))
    case .monthName:
      _ = try days()
      return name(months[civil.month - 1])
    case .monthAbbreviation:
      _ = try days()
      return apply(letters, to: String(months[civil.month - 1].prefix(3)))
    case .month: return padded(civil.month, 2, isFilled)
    case .dayName: return name(Self.days[CivilCalendar.dayOfWeek(days: try days())])
    case .dayAbbreviation:
      return apply(letters, to: String(Self.days[CivilCalendar.dayOfWeek(days: try days())].prefix(3)))
    case .dayOfYear: return padded(moment.dayOfYear, 3, isFilled)
    case .isoDayOfYear:
      let days = moment.approximateDays
      let start = CivilCalendar.days(isoYear: CivilCalendar.isoWeek(days: days).year, week: 1)
      return padded(days - start + 1, 3, isFilled)
    case .day: return fitted(civil.day, 2)
    case .dayOfWeek: return String(CivilCalendar.dayOfWeek(days: try days()) + 1)
    case .isoDayOfWeek: return String(CivilCalendar.isoDayOfWeek(days: try days()))
    case .week: return fitted((moment.dayOfYear - 1) / 7 + 1, 2)
    case .isoWeek: return padded(CivilCalendar.isoWeek(days: moment.approximateDays).week, 2, isFilled)
    case .quarter: return civil.month == 0 ? "" : String((civil.month - 1) / 3 + 1)
    case .century:
      let century =
        moment.days == nil
        ? civil.year / 100 : civil.year > 0 ? (civil.year - 1) / 100 + 1 : civil.year / 100 - 1
      return padded(century, 2, isFilled)
    case .yearWithComma:
      return "\(year / 1000),"
        + (year < 0 ? "-" + padded(-year % 1000, 2, false) : padded(year % 1000, 3, false))
    case .year: return padded(year, 4, isFilled)
    case .year3: return padded(year % 1000, 3, isFilled)
    case .year2: return padded(year % 100, 2, isFilled)
    case .year1: return String(year % 10)
    case .isoYear: return fitted(isoYear(), 4 + signWidth)
    case .isoYear3: return fitted(isoYear() % 1000, 3 + signWidth)
    case .isoYear2: return fitted(isoYear() % 100, 2 + signWidth)
    case .isoYear1: return String(isoYear() % 10)
    case .roman:
      // Of an interval the months may be none or negative.
      if moment.days == nil, civil.month == 0, civil.year == 0 { return "" }
      let month =
        civil.month == 0 ? (civil.year >= 0 ? 12 : 1) : civil.month < 0 ? 13 + civil.month : civil.month
      let numeral = apply(letters, to: romans[month - 1])
      return isFilled || numeral.utf8.count >= 4
        ? numeral : numeral + String(repeating: " ", count: 4 - numeral.utf8.count)
    case .weekOfMonth: return String((civil.day - 1) / 7 + 1)
    case .julian: return String(moment.approximateDays + CivilCalendar.julianDayOfEpoch)
    case .exact: return ""
    }
  }

}
