// MARK: Input

extension DateTemplate {
  /// The fields that an input has given (`TmFromChar`).
  private struct Fields {
    var values: [Name: Int] = [:]
    var isPM: Bool?
    var isBC: Bool?
    var is12Hours = false
    var isISO: Bool?
    var yearDigits = 0
    var zoneSign = 0
    var fraction: Int?

    enum Name {
      case hour, minute, second, milliseconds, microseconds, secondsOfDay, year, month, day, dayOfYear
      case dayOfWeek, week, weekOfMonth, isoWeek, julian, century, zoneHour, zoneMinute
    }
  }

  /// Reads a text by the template.
  ///
  /// - Returns: The local time, an offset in seconds if the text has one, and the decimal places of `FF1` to `FF6`.
  func read(_ text: String) throws(PostgreSQLError) -> (civil: CivilTime, offset: Int?, fraction: Int?) {
    var reader = Reader(text: text, rest: Array(text.utf8)[...], nodes: nodes)
    try reader.read()
    return try reader.moment()
  }

  private struct Reader {
    let text: String
    var rest: ArraySlice<UInt8>
    let nodes: [Node]
    var fields = Fields()
    /// Spaces in the input that the template did not ask for.
    var extra = 0
    var isExact = false

    init(text: String, rest: ArraySlice<UInt8>, nodes: [Node]) {
      self.text = text
      self.rest = rest
      self.nodes = nodes
    }

    private mutating func skipSpaces() {
      while let byte = rest.first, byte.isSpace {
        rest.removeFirst()
        extra += 1
      }
    }

    private mutating func skipCharacter() {
      guard rest.popFirst() != nil else { return }
      while let byte = rest.first, byte & 0xC0 == 0x80 { rest.removeFirst() }
    }

    mutating func read() throws(PostgreSQLError) {
      for (index, node) in nodes.enumerated() {
        guard !rest.isEmpty else { return }
        if case .field(.exact, _, _, _, _) = node {
          isExact = true
          continue
        }
        if !isExact {
          if index == 0 { skipSpaces() } else if case .field = node { skipSpaces() }
        }
        switch node {
        case .separator:
          if isExact {
            skipCharacter()
          } else {
            extra -= 1
            if let byte = rest.first, byte.isSpace || byte.isPunctuation {
              rest.removeFirst()
              extra += 1
            }
          }
        case .text:
          if !isExact, extra > 0 { extra -= 1 } else { skipCharacter() }
        case .field(let pattern, _, let name, let isFilled, let ordinal):
          try field(pattern, name, index, isFilled, ordinal)
          if ordinal != nil, pattern.isNumber { rest = rest.dropFirst(2) }
          if !isExact {
            extra = 0
            skipSpaces()
          }
        }
      }
    }

    /// Whether nothing that reads digits follows, so that a number may have any length.
    private func isOpen(_ index: Int, _ ordinal: Letters?) -> Bool {
      if ordinal != nil { return true }
      guard index + 1 < nodes.count else { return true }
      switch nodes[index + 1] {
      case .field(let pattern, _, _, _, _): return !pattern.isNumber
      case .separator(let text), .text(let text): return text.utf8.first?.isDigit != true
      }
    }

    private mutating func number(
      _ name: String, _ length: Int, isOpen: Bool
    ) throws(PostgreSQLError) -> (value: Int, length: Int) {
      rest = rest.drop(while: \.isSpace)
      let shown = String(decoding: rest.prefix(length), as: UTF8.self)
      func invalid(_ detail: String, hint: String? = nil) -> PostgreSQLError {
        PostgreSQLError("22007", "invalid value \"\(shown)\" for \"\(name)\"", detail: detail, hint: hint)
      }
      let source = isOpen ? rest : rest.prefix(length)
      let hint =
        "If your source string is not fixed-width, try using the \"FM\" modifier."
      if !isOpen, source.count < length {
        throw PostgreSQLError(
          "22007", "source string too short for \"\(name)\" formatting field",
          detail: "Field requires \(length) characters, but only \(source.count) remain.", hint: hint)
      }
      let sign = source.prefix(1).filter { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
      let digits = source.dropFirst(sign.count).prefix(while: \.isDigit)
      guard !digits.isEmpty else { throw invalid("Value must be an integer.") }
      let used = sign.count + digits.count
      if !isOpen, used < length {
        throw invalid("Field requires \(length) characters, but only \(used) could be parsed.", hint: hint)
      }
      rest = rest.dropFirst(used)
      guard let value = Int32(String(decoding: sign + digits, as: UTF8.self)) else {
        throw PostgreSQLError(
          "22008", "value for \"\(name)\" in source string is out of range",
          detail: "Value must be in the range -2147483648 to 2147483647.")
      }
      return (Int(value), used)
    }

    private mutating func set(_ field: Fields.Name, _ value: Int, _ name: String) throws(PostgreSQLError) {
      if let known = fields.values[field], known != 0, known != value {
        throw PostgreSQLError(
          "22007", "conflicting values for \"\(name)\" field in formatting string",
          detail: "This value contradicts a previous setting for the same field type.")
      }
      fields.values[field] = value
    }

    private mutating func search(_ names: [String], _ name: String) throws(PostgreSQLError) -> Int {
      let lowercased = String(decoding: rest, as: UTF8.self).lowercased()
      // The longest name that matches, since one may begin another.
      let found = names.indices.filter { lowercased.hasPrefix(names[$0].lowercased()) }
        .max { names[$0].utf8.count < names[$1].utf8.count }
      guard let found else {
        let word = String(decoding: rest.prefix { !$0.isSpace }, as: UTF8.self)
        throw PostgreSQLError(
          "22007", "invalid value \"\(word)\" for \"\(name)\"",
          detail: "The given value did not match any of the allowed values for this field.")
      }
      rest = rest.dropFirst(names[found].utf8.count)
      return found
    }

    private mutating func setISO(_ isISO: Bool) throws(PostgreSQLError) {
      if let known = fields.isISO, known != isISO {
        throw PostgreSQLError(
          "22007", "invalid combination of date conventions",
          hint: "Do not mix Gregorian and ISO week date conventions in a formatting template.")
      }
      fields.isISO = isISO
    }

    private mutating func field(
      _ pattern: Pattern, _ name: String, _ index: Int, _ isFilled: Bool, _ ordinal: Letters?
    ) throws(PostgreSQLError) {
      let isOpen = isFilled || isOpen(index, ordinal)
      func take(_ field: Fields.Name, _ length: Int) throws(PostgreSQLError) {
        let (value, _) = try number(name, length, isOpen: isOpen)
        try set(field, value, name)
      }
      switch pattern {
      case .month, .monthName, .monthAbbreviation, .day, .dayOfYear, .week, .weekOfMonth, .year, .year3,
        .year2, .year1, .yearWithComma, .dayOfWeek, .roman:
        try setISO(false)
      case .isoYear, .isoYear3, .isoYear2, .isoYear1, .isoWeek, .isoDayOfWeek, .isoDayOfYear: try setISO(true)
      default: break
      }
      switch pattern {
      case .meridiemDotted:
        fields.isPM = try search(["a.m.", "p.m."], name) == 1
        fields.is12Hours = true
      case .meridiem:
        fields.isPM = try search(["am", "pm"], name) == 1
        fields.is12Hours = true
      case .eraDotted: fields.isBC = try search(["a.d.", "b.c."], name) == 1
      case .era: fields.isBC = try search(["ad", "bc"], name) == 1
      case .hour, .hour12:
        try take(.hour, 2)
        fields.is12Hours = true
      case .hour24: try take(.hour, 2)
      case .minute: try take(.minute, 2)
      case .second: try take(.second, 2)
      case .millisecond:
        let (value, length) = try number(name, 3, isOpen: isOpen)
        try set(.milliseconds, value * (length == 1 ? 100 : length == 2 ? 10 : 1), name)
      case .fraction1, .fraction2, .fraction3, .fraction4, .fraction5, .fraction6, .microsecond:
        let width = pattern == .microsecond ? 6 : Int(pattern.rawValue.suffix(1)) ?? 6
        let (value, length) = try number(name, width, isOpen: isOpen)
        if pattern != .microsecond { fields.fraction = width }
        let scale = [100_000, 10_000, 1000, 100, 10]
        try set(.microseconds, length <= 5 ? value * scale[length - 1] : value, name)
      case .secondsOfDay, .secondsOfDay4: try take(.secondsOfDay, name.utf8.count)
      case .zone, .offset:
        throw PostgreSQLError("0A000", "formatting field \"\(name)\" is only supported in to_char")
      case .zoneHour:
        if let byte = rest.first,
          byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: " ")
        {
          fields.zoneSign = byte == UInt8(ascii: "-") ? -1 : 1
          rest.removeFirst()
        } else {
          let before = rest.startIndex - 1
          let bytes = Array(text.utf8)
          let isMinus = extra > 0 && before >= 0 && bytes[before] == UInt8(ascii: "-")
          fields.zoneSign = isMinus ? -1 : 1
        }
        try take(.zoneHour, 2)
      case .zoneMinute:
        if fields.zoneSign == 0 { fields.zoneSign = 1 }
        try take(.zoneMinute, 2)
      case .monthName: try set(.month, search(DateTemplate.months, name) + 1, name)
      case .monthAbbreviation:
        try set(.month, search(DateTemplate.months.map { String($0.prefix(3)) }, name) + 1, name)
      case .month: try take(.month, 2)
      case .dayName: try set(.dayOfWeek, search(DateTemplate.days, name) + 1, name)
      case .dayAbbreviation:
        try set(.dayOfWeek, search(DateTemplate.days.map { String($0.prefix(3)) }, name) + 1, name)
      case .dayOfYear, .isoDayOfYear: try take(.dayOfYear, 3)
      case .day: try take(.day, 2)
      case .dayOfWeek: try take(.dayOfWeek, 1)
      case .isoDayOfWeek:
        let (value, _) = try number(name, 1, isOpen: isOpen)
        // Sunday is 1, as in the other conventions.
        try set(.dayOfWeek, value + 1 > 7 ? 1 : value + 1, name)
      case .week: try take(.week, 2)
      case .isoWeek: try take(.isoWeek, 2)
      case .quarter: _ = try number(name, 1, isOpen: isOpen)
      case .century: try take(.century, 2)
      case .yearWithComma:
        let thousands = try number(name, 9, isOpen: true).value
        guard rest.popFirst() == UInt8(ascii: ",") else {
          throw PostgreSQLError("22007", "invalid input string for \"Y,YYY\"")
        }
        try set(.year, thousands * 1000 + number(name, 3, isOpen: false).value, name)
        fields.yearDigits = 4
      case .year, .isoYear:
        try take(.year, 4)
        fields.yearDigits = 4
      case .year3, .isoYear3, .year2, .isoYear2, .year1, .isoYear1:
        let width =
          name.lowercased().drop { $0 == "i" }.utf8.count + (name.lowercased().hasPrefix("i") ? 1 : 0)
        let (value, length) = try number(name, width, isOpen: isOpen)
        try set(.year, length < 4 ? Self.nearest(value) : value, name)
        fields.yearDigits = width
      case .roman: try set(.month, search(DateTemplate.romans, name) + 1, name)
      case .weekOfMonth: try take(.weekOfMonth, 1)
      case .julian: try take(.julian, 1)
      case .exact: break
      }
    }

    /// The year nearest to 2020 that ends with the digits.
    private static func nearest(_ year: Int) -> Int {
      switch year {
      case ..<70: year + 2000
      case ..<100: year + 1900
      case ..<520: year + 2000
      case ..<1000: year + 1000
      default: year
      }
    }

    func moment() throws(PostgreSQLError) -> (civil: CivilTime, offset: Int?, fraction: Int?) {
      let values = fields.values
      func value(_ name: Fields.Name) -> Int { values[name] ?? 0 }
      let outOfRange = DateTimeFailure.field.error(text, type: "timestamp")
      let orderOutOfRange = DateTimeFailure.fieldOrder.error(text, type: "timestamp")
      var civil = CivilTime()
      var seconds = value(.second)
      var (hour, minute) = (value(.hour), value(.minute))
      if value(.secondsOfDay) != 0 {
        (hour, minute, seconds) = (
          value(.secondsOfDay) / 3600, value(.secondsOfDay) / 60 % 60, value(.secondsOfDay) % 60
        )
      }
      if fields.is12Hours {
        guard (1...12).contains(hour) else {
          throw PostgreSQLError(
            "22007", "hour \"\(hour)\" is invalid for the 12-hour clock",
            hint: "Use the 24-hour clock, or give an hour between 1 and 12.")
        }
        if fields.isPM == true, hour < 12 { hour += 12 }
        if fields.isPM != true, hour == 12 { hour = 0 }
      }
      var year = value(.year)
      let isBC = fields.isBC == true
      if year != 0 {
        var century = value(.century)
        if century != 0, fields.yearDigits <= 2 {
          if isBC { century = -century }
          year %= 100
          if year > 0 {
            year = century >= 0 ? year + (century - 1) * 100 : (century + 1) * 100 - year + 1
          } else {
            year = century * 100 + (century >= 0 ? 0 : 1)
          }
        } else {
          if isBC { year = -year }
          if year < 0 { year += 1 }
        }
      } else if value(.century) != 0 {
        let century = isBC ? -value(.century) : value(.century)
        year = century >= 0 ? (century - 1) * 100 + 1 : century * 100 + 1
      }
      var (month, day) = (values[.month] ?? 1, values[.day] ?? 1)
      if let julian = values[.julian], julian != 0 {
        (year, month, day) = CivilCalendar.date(days: julian - CivilCalendar.julianDayOfEpoch)
      }
      var dayOfYear = value(.dayOfYear)
      if value(.week) != 0 { dayOfYear = (value(.week) - 1) * 7 + 1 }
      if value(.weekOfMonth) != 0 { day = (value(.weekOfMonth) - 1) * 7 + 1 }
      if value(.isoWeek) != 0 {
        var days = CivilCalendar.days(isoYear: year, week: value(.isoWeek))
        if value(.dayOfWeek) > 0 { days += value(.dayOfWeek) > 1 ? value(.dayOfWeek) - 2 : 6 }
        (year, month, day) = CivilCalendar.date(days: days)
      } else if dayOfYear != 0, month <= 1 || day <= 1 {
        guard year != 0 || fields.isBC == true || values[.year] != nil else {
          throw PostgreSQLError("22007", "cannot calculate day of year without year information")
        }
        if fields.isISO == true {
          (year, month, day) = CivilCalendar.date(
            days: CivilCalendar.days(isoYear: year, week: 1) + dayOfYear - 1)
        } else {
          let length = CivilCalendar.isLeap(year) ? 366 : 365
          guard (1...length).contains(dayOfYear) else { throw outOfRange }
          (year, month, day) = CivilCalendar.date(
            days: CivilCalendar.days(year: year, month: 1, day: 1) + dayOfYear - 1)
        }
      }
      guard (1...12).contains(month), (1...31).contains(day) else { throw orderOutOfRange }
      guard day <= CivilCalendar.length(ofMonth: month, year: year) else { throw outOfRange }
      let microseconds = value(.microseconds) + value(.milliseconds) * 1000
      guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(seconds),
        (0..<1_000_000).contains(microseconds)
      else {
        throw outOfRange
      }
      (civil.year, civil.month, civil.day) = (year, month, day)
      (civil.hour, civil.minute, civil.second, civil.microsecond) = (hour, minute, seconds, microseconds)
      guard fields.zoneSign != 0 else { return (civil, nil, fields.fraction) }
      let (hours, minutes) = (value(.zoneHour), value(.zoneMinute))
      guard (0...15).contains(hours), (0...59).contains(minutes) else {
        throw DateTimeFailure.zone.error(text, type: "timestamp")
      }
      return (civil, fields.zoneSign * (hours * 3600 + minutes * 60), fields.fraction)
    }
  }
}
