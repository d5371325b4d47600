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
    } else if let identifier = Self.identifiers[lowercased] ?? Self.capitalized(lowercased) {
      self = .named(identifier)
    } else if let offset = Self.offset(ofPOSIX: name) {
      self = .fixed(seconds: offset)
    } else {
      return nil
    }
  }

  /// A value of the setting `TimeZone`.
  struct Setting {
    var rule: TimeZoneRule
    /// What `SHOW timezone` prints, which reads as the same zone.
    var name: String
  }

  /// Reads a value of the setting `TimeZone`: an interval or hours, which are east of Greenwich, the name of a zone, or
  /// POSIX's notation, whose offsets are west of it (`check_timezone`).
  static func setting(_ text: String) throws(PostgreSQLError) -> Setting {
    func invalid(_ detail: String? = nil) -> PostgreSQLError {
      PostgreSQLError("22023", "invalid value for parameter \"TimeZone\": \"\(text)\"", detail: detail)
    }
    func offset(seconds: Double) throws(PostgreSQLError) -> Setting {
      guard seconds.magnitude < 168 * 3600 else { throw invalid("UTC timezone offset is out of range.") }
      let rule = Self.fixed(seconds: Int(seconds))
      return Setting(rule: rule, name: rule.posixName)
    }
    let lowercased = text.lowercased()
    if lowercased.hasPrefix("interval") {
      let quoted = lowercased.dropFirst("interval".count).drop { $0 == " " }
      guard quoted.count >= 2, quoted.first == "'", quoted.last == "'",
        let interval = try? DateTimeInput.interval(String(quoted.dropFirst().dropLast()), fraction: nil)
      else { throw invalid() }
      if interval.months != 0 { throw invalid("Cannot specify months in time zone interval.") }
      if interval.days != 0 { throw invalid("Cannot specify days in time zone interval.") }
      return try offset(seconds: Double(interval.microseconds / 1_000_000))
    }
    if let hours = Double(text.drop { $0 == " " }) { return try offset(seconds: hours * 3600) }
    if ["utc", "gmt"].contains(lowercased) { return Setting(rule: .utc, name: text.uppercased()) }
    if let seconds = zonesWithoutSummerTime[lowercased] {
      return Setting(rule: .fixed(seconds: seconds), name: text.uppercased())
    }
    if let identifier = identifiers[lowercased] ?? capitalized(lowercased) {
      return Setting(rule: .named(identifier), name: identifier)
    }
    guard let offset = Self.offset(ofPOSIX: text) else { throw invalid() }
    return Setting(rule: .fixed(seconds: offset), name: text)
  }

  /// Zones of the tz database that are named as an abbreviation and have one offset.
  private static let zonesWithoutSummerTime = ["est": -18_000, "mst": -25_200, "hst": -36_000, "uct": 0]

  /// The value of a setting, which of `TimeZone` is the zone's own name.
  static func checked(_ value: String, ofSetting name: String) throws(PostgreSQLError) -> String {
    name.lowercased() == "timezone" ? try setting(value).name : value
  }

  /// Whether `pg_timezone_names` lists a name, which is compared exactly.
  package static func isListed(_ name: String) -> Bool {
    if ["UTC", "GMT", "EST", "MST", "HST"].contains(name) { return true }
    return Self(name: name) == .named(name)
  }

  /// The name that `SHOW timezone` prints.
  package var name: String {
    switch self {
    case .named(let name): name
    case .fixed(0): "UTC"
    case .fixed: posixName
    }
  }

  /// `<+05:30>-05:30`, of an offset.
  private var posixName: String {
    guard case .fixed(let seconds) = self else { return name }
    // PostgreSQL writes both signs, and that of no offset as `<+00>-00`.
    let west = Self.text(ofOffset: -seconds)
    return "<\(Self.text(ofOffset: seconds))>\(seconds == 0 ? "-00" : String(west))"
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
      let seconds = CivilCalendar.floorDivide(moment, 1_000_000).quotient + 946_684_800
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
    let (before, after) = (offset(at: local &- day), offset(at: local &+ day))
    if before == after { return before }
    let isAfter = offset(at: local &- Int64(after) * 1_000_000) == after
    return isAfter ? after : before
  }

  /// The abbreviation that `to_char` prints for `TZ`.
  package func abbreviation(at moment: Int64) -> String {
    switch self {
    case .fixed(0): return "UTC"
    case .fixed(let seconds): return Self.text(ofOffset: seconds)
    case .named(let name):
      let offset = offset(at: moment)
      if let known = Self.names[name]?[offset] { return known }
      // Before the zones of today every place had its own time.
      if offset % 60 != 0 { return "LMT" }
      return Self.text(ofOffset: offset)
    }
  }

  /// The known identifiers by their lower case, with names that Foundation knows but does not list.
  private static let identifiers = Dictionary(
    TimeZone.knownTimeZoneIdentifiers.map { ($0.lowercased(), $0) }
      + unlisted.filter { TimeZone(identifier: $0) != nil }.map { ($0.lowercased(), $0) },
    uniquingKeysWith: { first, _ in first })

  private static let unlisted: [String] =
    [
      "Etc/UTC", "Etc/GMT", "Universal", "Zulu", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT", "Cuba", "Egypt",
      "Eire",
      "GB", "Hongkong", "Iceland", "Iran", "Israel", "Jamaica", "Japan", "Libya", "Navajo", "NZ", "NZ-CHAT",
      "Poland",
      "Portugal", "PRC", "ROC", "ROK", "Singapore", "Turkey", "W-SU", "Africa/Asmara",
      "America/Argentina/Buenos_Aires", "America/Port-au-Prince", "Asia/Ust-Nera", "Africa/Porto-Novo",
    ] + (-14...12).filter { $0 != 0 }.map { "Etc/GMT\($0 > 0 ? "+" : "")\($0)" }

  /// Old and new names of zones, such as `Asia/Kolkata`, in their usual case.
  private static func capitalized(_ name: String) -> String? {
    guard name.contains("/"),
      name.utf8.allSatisfy({ $0.isLetter || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "_") })
    else { return nil }
    let small: Set = ["of", "es", "au", "da"]
    let words = name.split(separator: "/", omittingEmptySubsequences: false).map { part in
      part.split(separator: "_", omittingEmptySubsequences: false).map { word in
        small.contains(String(word)) ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
      }.joined(separator: "_")
    }
    let identifier = words.joined(separator: "/")
    return TimeZone(identifier: identifier) == nil ? nil : identifier
  }

  /// Abbreviations with their offsets in seconds.
  static let abbreviations: [String: Int] = {
    var offsets: [String: Int] = [:]
    let words = abbreviationsInMinutes.split { $0 == " " || $0 == "\n" }
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      offsets[String(words[index])] = (Int(words[index + 1]) ?? 0) * 60
    }
    return offsets
  }()

  /// PostgreSQL's set `Default` (documentation, B.4): abbreviations and minutes east of Greenwich.
  private static let abbreviationsInMinutes = """
    acdt 630 acsst 630 acst 570 act -300 acwst 525 adt -180 aedt 660 aesst 660 aest 600 aft 270 akdt
    -480 akst -540 almst 420 almt 360 amst 240 amt -240 anast 720 anat 720 arst -180 art -180 ast -240
    awsst 540 awst 480 azost 0 azot -60 azst 240 azt 240 bdst 120 bdt 360 bnt 480 bort 480 bot -240 bra
    -180 brst -120 brt -180 bst 60 btt 360 cadt 630 cast 570 cct 480 cdt -300 cest 120 cet 60 cetdst 120
    chadt 825 chast 765 chut 600 ckt -600 clst -180 clt -180 cot -300 cst -360 cxt 420 davt 420 ddut 600
    easst -300 east -300 eat 180 edt -240 eest 180 eet 120 eetdst 180 egst 0 egt -60 est -300 fet 180
    fjst 780 fjt 720 fkst -180 fkt -180 fnst -60 fnt -120 galt -360 gamt -540 gest 240 get 240 gft -180
    gilt 720 gmt 0 gyt -240 hkt 480 hst -600 ict 420 idt 180 iot 360 irkst 480 irkt 480 irt 210 ist 120
    jayt 540 jst 540 kdt 600 kgst 360 kgt 360 kost 660 krast 420 krat 420 kst 540 lhdt 660 lhst 630 ligt
    600 lint 840 lkt 330 magst 660 magt 660 mart -570 mawt 300 mdt -360 mest 120 mesz 120 met 60 metdst
    120 mez 60 mht 720 mmt 390 mpt 600 msd 240 msk 180 mst -420 must 300 mut 240 mvt 300 myt 480 ndt
    -150 nft -210 novst 420 novt 420 npt 345 nst -210 nut -660 nzdt 780 nzst 720 nzt 720 omsst 360 omst
    360 pdt -420 pet -300 petst 720 pett 720 pgt 600 pht 480 pkst 360 pkt 300 pmdt -120 pmst -180 pont
    660 pst -480 pwt 540 pyst -180 pyt -180 ret 240 sadt 630 sast 120 sct 240 sgt 480 taht -600 tft 300
    tjt 300 tkt 780 tmt 300 tot 780 trut 600 tvt 720 uct 0 ulast 540 ulat 480 ut 0 utc 0 uyst -120 uyt
    -180 uzst 360 uzt 300 vet -240 vlast 600 vlat 600 volt 180 vut 660 wadt 480 wakt 720 wast 420 wat 60
    wdt 540 wet 0 wetdst 60 wft 720 wgst -120 wgt -180 xjt 360 yakst 540 yakt 540 yapt 600 yekst 360
    yekt 300 z 0 zulu 0
    """

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
