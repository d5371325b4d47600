import Foundation

/// Why a date, a time or an interval cannot be read.
enum DateTimeFailure: Error, Equatable {
  case syntax
  case field
  /// A field that another order of day and month could make right.
  case fieldOrder
  case interval
  case intervalRange
  case zone
  case unknownZone(String)

  /// The error of PostgreSQL (`DateTimeParseError`).
  func error(_ text: String, type: String) -> PostgreSQLError {
    switch self {
    case .syntax: PostgreSQLError("22007", "invalid input syntax for type \(type): \"\(text)\"")
    case .field: PostgreSQLError("22008", "date/time field value out of range: \"\(text)\"")
    case .fieldOrder:
      PostgreSQLError(
        "22008", "date/time field value out of range: \"\(text)\"",
        hint: "Perhaps you need a different \"datestyle\" setting.")
    case .interval: PostgreSQLError("22015", "interval field value out of range: \"\(text)\"")
    case .intervalRange: PostgreSQLError("22008", "interval out of range")
    case .zone: PostgreSQLError("22009", "time zone displacement out of range: \"\(text)\"")
    case .unknownZone(let name): PostgreSQLError("22023", "time zone \"\(name)\" not recognized")
    }
  }
}

/// A part of the text of a date, a time or an interval, in lower case (PostgreSQL documentation, B.1).
struct DateTimeToken: Equatable {
  enum Kind { case number, date, time, zone, word, special }

  var kind: Kind
  var text: String

  static func tokens(of text: String) throws(DateTimeFailure) -> [DateTimeToken] {
    var scanner = Scanner(rest: Array(text.utf8)[...])
    var tokens: [DateTimeToken] = []
    while let token = try scanner.next() { tokens.append(token) }
    // PostgreSQL reads at most 25 fields.
    guard tokens.count <= 25 else { throw .syntax }
    return tokens
  }

  private struct Scanner {
    var rest: ArraySlice<UInt8>
    var taken: [UInt8] = []

    mutating func take(while isPart: (UInt8) -> Bool) {
      while let byte = rest.first, isPart(byte) {
        taken.append((65...90).contains(byte) ? byte + 32 : byte)
        rest.removeFirst()
      }
    }

    mutating func next() throws(DateTimeFailure) -> DateTimeToken? {
      while let first = rest.first {
        taken = []
        if first.isSpace {
          rest.removeFirst()
        } else if first.isDigit {
          return DateTimeToken(kind: numeric(), text: String(decoding: taken, as: UTF8.self))
        } else if first == UInt8(ascii: ".") {
          take { $0 == UInt8(ascii: ".") }
          if taken.count > 1 { throw .syntax }
          take(while: \.isDigit)
          return DateTimeToken(kind: .number, text: String(decoding: taken, as: UTF8.self))
        } else if first.isLetter {
          return DateTimeToken(kind: word(), text: String(decoding: taken, as: UTF8.self))
        } else if first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
          return DateTimeToken(kind: try signed(), text: String(decoding: taken, as: UTF8.self))
        } else if first.isPunctuation {
          rest.removeFirst()
        } else {
          throw .syntax
        }
      }
      return nil
    }

    private mutating func numeric() -> Kind {
      take(while: \.isDigit)
      guard let delimiter = rest.first else { return .number }
      if delimiter == UInt8(ascii: ":") {
        take { $0.isDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        return .time
      }
      guard delimiter == UInt8(ascii: "-") || delimiter == UInt8(ascii: "/") || delimiter == UInt8(ascii: ".")
      else { return .number }
      taken.append(delimiter)
      rest.removeFirst()
      if rest.first?.isDigit == true {
        var kind = delimiter == UInt8(ascii: ".") ? Kind.number : .date
        take(while: \.isDigit)
        if rest.first == delimiter {
          kind = .date
          take { $0.isDigit || $0 == delimiter }
        }
        return kind
      }
      // A date with a month of letters; a trailing point belongs to a number.
      if delimiter == UInt8(ascii: "."), rest.first?.isLetter != true { return .number }
      take { $0.isLetter || $0.isDigit || $0 == delimiter }
      return .date
    }

    private mutating func word() -> Kind {
      take(while: \.isLetter)
      let isDate =
        switch rest.first {
        case UInt8(ascii: "-")?, UInt8(ascii: "/")?, UInt8(ascii: ".")?: true
        case let byte? where byte == UInt8(ascii: "+") || byte.isDigit:
          DateTimeWord.fields[String(decoding: taken, as: UTF8.self)] == nil
        default: false
        }
      guard isDate else { return .word }
      take { $0.isLetter || $0.isDigit || "+-/_.:".utf8.contains($0) }
      return .date
    }

    private mutating func signed() throws(DateTimeFailure) -> Kind {
      taken.append(rest.removeFirst())
      rest = rest.drop(while: \.isSpace)
      guard let next = rest.first else { throw .syntax }
      if next.isDigit {
        take { $0.isDigit || ":.-".utf8.contains($0) }
        return .zone
      }
      guard next.isLetter else { throw .syntax }
      take(while: \.isLetter)
      return .special
    }
  }
}

extension UInt8 {
  var isDigit: Bool { (48...57).contains(self) }
  var isLetter: Bool { (97...122).contains(self) || (65...90).contains(self) }
  var isSpace: Bool { self == 32 || (9...13).contains(self) }
  var isPunctuation: Bool { (33...126).contains(self) && !isDigit && !isLetter }
}

/// The words of dates and times (PostgreSQL documentation, B.3 and 8.5).
enum DateTimeWord: Equatable {
  case month(Int)
  case dayOfWeek
  case now, today, tomorrow, yesterday, epoch, infinity, minusInfinity, allBalls
  case isPM(Bool)
  case isBC(Bool)
  case filler
  case timeFollows
  case daylightSaving
  /// `jd` and the units of ISO 8601's basic format, which numbers follow.
  case prefix(Character)

  static let fields: [String: DateTimeWord] = {
    var words: [String: DateTimeWord] = [
      "now": .now, "today": .today, "tomorrow": .tomorrow, "yesterday": .yesterday, "epoch": .epoch,
      "infinity": .infinity, "-infinity": .minusInfinity, "allballs": .allBalls,
      "am": .isPM(false), "pm": .isPM(true), "ad": .isBC(false), "bc": .isBC(true), "at": .filler,
      "on": .filler, "t": .timeFollows, "dst": .daylightSaving, "j": .prefix("j"), "jd": .prefix("j"),
      "julian": .prefix("j"), "y": .prefix("y"), "d": .prefix("d"), "h": .prefix("h"), "m": .prefix("m"),
      "mm": .prefix("m"), "s": .prefix("s"),
    ]
    let months = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
      "november", "december",
    ]
    for (index, name) in months.enumerated() {
      words[name] = .month(index + 1)
      words[String(name.prefix(3))] = .month(index + 1)
    }
    words["sept"] = .month(9)
    for name in [
      "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sun", "mon", "tue",
      "tues",
      "wed", "weds", "thu", "thur", "thurs", "fri", "sat",
    ] { words[name] = .dayOfWeek }
    return words
  }()

  /// Words are known by their first ten characters (`TOKMAXLEN`).
  static func field(_ text: String) -> DateTimeWord? { fields[String(text.prefix(10))] }
}
