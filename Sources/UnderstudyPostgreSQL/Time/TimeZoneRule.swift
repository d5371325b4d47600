import Foundation

/// The time zone of a session: a fixed offset, or a zone of the tz database.
package enum TimeZoneRule: Hashable, Sendable {
  case fixed(seconds: Int)
  case named(String)
}

extension TimeZoneRule {
  package static let utc = Self.fixed(seconds: 0)

  /// Reads the name of a zone as `AT TIME ZONE` does: an abbreviation, a name of the tz database, or POSIX's notation
  /// such as `UTC+3`, whose offsets are west of Greenwich.
  package init?(name: String) {
    let lowercased = name.lowercased()
    if lowercased == "utc" || lowercased == "gmt" {
      self = .utc
    } else if let offset = Self.abbreviations[lowercased] {
      self = .fixed(seconds: offset)
    } else if let identifier = Self.identifiers[lowercased] {
      self = .named(identifier)
    } else if let offset = Self.offset(ofPOSIX: name) {
      self = .fixed(seconds: offset)
    } else {
      return nil
    }
  }

  /// The name that `SHOW timezone` prints.
  package var name: String {
    switch self {
    case .named(let name): name
    case .fixed(0): "UTC"
    case .fixed(let seconds):
      "<\(Self.text(ofOffset: seconds))>\(Self.text(ofOffset: -seconds).drop { $0 == "+" })"
    }
  }

  private static func offset(ofPOSIX name: String) -> Int? {
    var rest = Substring(name)
    if rest.first == "<" {
      guard let end = rest.firstIndex(of: ">") else { return nil }
      rest = rest[rest.index(after: end)...]
    } else {
      rest = rest.drop { $0.isLetter }
    }
    var sign = -1
    if rest.first == "+" || rest.first == "-" { if rest.removeFirst() == "-" { sign = 1 } }
    let parts = rest.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...3).contains(parts.count), let hours = parts[0], (0...167).contains(hours) else { return nil }
    var seconds = hours * 3600
    for (part, unit) in zip(parts.dropFirst(), [60, 1]) {
      guard let part, (0...59).contains(part) else { return nil }
      seconds += part * unit
    }
    return sign * seconds
  }

  /// `+01`, `-03:30`, `+00:19:32`.
  static func text(ofOffset seconds: Int) -> String {
    let size = abs(seconds)
    var text = (seconds < 0 ? "-" : "+") + padded(size / 3600, to: 2)
    if size % 3600 != 0 { text += ":" + padded(size / 60 % 60, to: 2) }
    if size % 60 != 0 { text += ":" + padded(size % 60, to: 2) }
    return text
  }

  private var zone: TimeZone? {
    if case .named(let name) = self { TimeZone(identifier: name) } else { nil }
  }

  /// The seconds east of Greenwich at a moment, in microseconds since 2000-01-01 UTC.
  package func offset(at moment: Int64) -> Int {
    switch self {
    case .fixed(let seconds): return seconds
    case .named:
      let seconds = CivilCalendar.floorDivide(moment - CivilCalendar.unixEpoch, 1_000_000).quotient
      return zone?.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))) ?? 0
    }
  }

  /// The offset at a moment of local time.
  ///
  /// A time that a clock skips is read with the offset before, one that it shows twice with the offset after
  /// (`DetermineTimeZoneOffset`).
  package func offset(atLocal local: Int64) -> Int {
    guard case .named = self else { return offset(at: local) }
    let day = CivilCalendar.microsecondsPerDay
    let (before, after) = (offset(at: local - day), offset(at: local + day))
    if before == after { return before }
    let isBefore = offset(at: local - Int64(before) * 1_000_000) == before
    let isAfter = offset(at: local - Int64(after) * 1_000_000) == after
    return isAfter || !isBefore && isAfter ? after : before
  }

  /// The abbreviation that `to_char` prints for `TZ`.
  package func abbreviation(at moment: Int64) -> String {
    switch self {
    case .fixed(0): return "UTC"
    case .fixed(let seconds): return Self.text(ofOffset: seconds)
    case .named(let name):
      let offset = offset(at: moment)
      if let known = Self.names[name]?[offset] { return known }
      return Self.text(ofOffset: offset)
    }
  }

  private static let identifiers = Dictionary(
    TimeZone.knownTimeZoneIdentifiers.map { ($0.lowercased(), $0) }
      + ["Etc/UTC", "Etc/GMT", "Universal", "Zulu", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT"]
      .map { ($0.lowercased(), $0) }
      + (-14...12).filter { $0 != 0 }.map {
        ("etc/gmt\($0 > 0 ? "+" : "")\($0)", "Etc/GMT\($0 > 0 ? "+" : "")\($0)")
      },
    uniquingKeysWith: { first, _ in first })

  /// Abbreviations with their offsets in seconds (PostgreSQL documentation, B.4; the set `Default`).
  static let abbreviations: [String: Int] = {
    let hours: [(String, Double)] = [
      ("z", 0), ("zulu", 0), ("ut", 0), ("utc", 0), ("gmt", 0), ("wet", 0), ("west", 1), ("wetdst", 1),
      ("bst", 1), ("cet", 1), ("met", 1), ("mez", 1), ("cest", 2), ("mest", 2), ("mesz", 2), ("cetdst", 2),
      ("eet", 2), ("eest", 3), ("eetdst", 3), ("sast", 2), ("ist", 2), ("idt", 3), ("msk", 3), ("msd", 4),
      ("eat", 3), ("pkt", 5), ("pkst", 6), ("npt", 5.75), ("ict", 7), ("wib", 7), ("cct", 8), ("hkt", 8),
      ("pht", 8),
      ("sgt", 8), ("myt", 8), ("awst", 8), ("jst", 9), ("kst", 9), ("acst", 9.5), ("acdt", 10.5),
      ("sat", 9.5), ("aest", 10), ("aedt", 11), ("nzst", 12), ("nzdt", 13), ("nzt", 12),
      ("nst", -3.5), ("ndt", -2.5), ("nft", -3.5), ("ast", -4), ("adt", -3), ("art", -3), ("brt", -3),
      ("brst", -2),
      ("est", -5), ("edt", -4), ("cst", -6), ("cdt", -5), ("mst", -7), ("mdt", -6), ("pst", -8), ("pdt", -7),
      ("akst", -9), ("akdt", -8), ("hst", -10),
    ]
    return Dictionary(uniqueKeysWithValues: hours.map { ($0.0, Int($0.1 * 3600)) })
  }()

  /// The abbreviations of the zones that have some of letters.
  private static let names: [String: [Int: String]] = {
    let groups: [([Int: String], [String])] = [
      (
        [-18_000: "EST", -14_400: "EDT"],
        ["America/New_York", "America/Toronto", "America/Detroit", "US/Eastern"]
      ),
      ([-21_600: "CST", -18_000: "CDT"], ["America/Chicago", "America/Winnipeg", "US/Central"]),
      (
        [-25_200: "MST", -21_600: "MDT"],
        ["America/Denver", "America/Edmonton", "America/Phoenix", "US/Mountain"]
      ),
      ([-28_800: "PST", -25_200: "PDT"], ["America/Los_Angeles", "America/Vancouver", "US/Pacific"]),
      ([0: "GMT", 3600: "BST"], ["Europe/London"]), ([0: "GMT", 3600: "IST"], ["Europe/Dublin"]),
      ([0: "WET", 3600: "WEST"], ["Europe/Lisbon"]),
      (
        [3600: "CET", 7200: "CEST"],
        [
          "Europe/Berlin", "Europe/Paris", "Europe/Vienna", "Europe/Zurich", "Europe/Madrid", "Europe/Rome",
          "Europe/Amsterdam", "Europe/Brussels", "Europe/Prague", "Europe/Warsaw", "Europe/Stockholm",
          "Europe/Oslo",
          "Europe/Copenhagen", "Europe/Budapest",
        ]
      ),
      (
        [7200: "EET", 10_800: "EEST"],
        ["Europe/Athens", "Europe/Helsinki", "Europe/Kiev", "Europe/Bucharest"]
      ),
      ([10_800: "MSK"], ["Europe/Moscow"]), ([19_800: "IST"], ["Asia/Kolkata", "Asia/Calcutta"]),
      ([32_400: "JST"], ["Asia/Tokyo"]), ([32_400: "KST"], ["Asia/Seoul"]),
      ([28_800: "CST"], ["Asia/Shanghai"]),
      ([28_800: "HKT"], ["Asia/Hong_Kong"]),
      ([36_000: "AEST", 39_600: "AEDT"], ["Australia/Sydney", "Australia/Melbourne"]),
      ([43_200: "NZST", 46_800: "NZDT"], ["Pacific/Auckland"]),
      ([0: "UTC"], ["Etc/UTC", "Zulu", "Universal"]),
      ([0: "GMT"], ["Etc/GMT"]),
    ]
    return Dictionary(
      groups.flatMap { names, zones in zones.map { ($0, names) } }, uniquingKeysWith: { first, _ in first })
  }()
}

/// A decimal number, padded with zeros to a width.
func padded(_ number: Int, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
