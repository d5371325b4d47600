import Foundation
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyText

/// A check for members that HAR 1.2 requires and that are missing in a readable file.
///
/// The same problem in several places is one warning, with their number and the first place.
struct FormatCheck {
  struct Warning: Encodable, Equatable {
    /// The problem, such as `log.entries[].cache is missing`.
    let message: String
    var count: Int
    /// The first position, such as `log.entries[0]`.
    let place: String
    /// Its line, from 1.
    let line: Int

    init(message: String, count: Int, place: String, line: Int) {
      (self.message, self.count, self.place, self.line) = (message, count, place, line)
    }

    /// Creates the warning about an entry that violates HAR 1.2.
    init(_ odd: HTTPArchiveError) {
      self.init(
        message: "\(odd.field ?? "log"): \(odd.message)", count: 1,
        place: odd.entryIndex.map { "log.entries[\($0)]" } ?? "log", line: odd.line ?? 1)
    }
  }

  /// The rules of HAR 1.2 for an object.
  private indirect enum Rule {
    case object(
      required: [String] = [], oneOf: [String] = [], dates: [String] = [],
      members: [(name: String, rule: Rule)] = [])
    case list(of: Rule)
  }

  private var path: [JSONValue.Step] = []
  private var warnings: [Warning] = []
  private var places: [[JSONValue.Step]] = []
  private var indexOfMessage: [String: Int] = [:]
  private var pages: Set<String> = []

  /// Returns the warnings about a document, in the order of their first positions.
  ///
  /// - Parameters:
  ///   - archive: The document.
  ///   - data: The text of the document.
  static func warnings(about archive: HTTPArchive, in data: Data) -> [Warning] {
    var check = FormatCheck()
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = data.starts(with: mark) ? data.dropFirst(mark.count) : data
    // As written: the archive lacks the entries that cannot be read.
    let json = archive.warnings.isEmpty ? archive.json : (try? JSONValue(parsing: text)) ?? archive.json
    if case .array(let pages)? = json["log"]?["pages"] {
      check.pages = Set(pages.compactMap { $0["id"]?.stringValue })
    }
    check.check(json, document)
    return zip(check.warnings, JSONLines.lines(of: check.places, in: text)).map { warning, line in
      Warning(message: warning.message, count: warning.count, place: warning.place, line: line)
    }
  }

  private mutating func check(_ value: JSONValue, _ rule: Rule) {
    switch (rule, value) {
    case (.list(let rule), .array(let elements)):
      for (index, element) in elements.enumerated() {
        enter(.element(index)) { $0.check(element, rule) }
      }
    case (.object(let required, let alternatives, let dates, let members), .object):
      for name in required {
        switch value[name] {
        case nil: warn("\(member(name)) is missing", at: path)
        case .null?: warn("\(member(name)) is null", at: path + [.member(name)])
        default: break
        }
      }
      if let first = alternatives.first, alternatives.allSatisfy({ value[$0] == nil }) {
        warn(
          "\(member(first)) and \(Words.list(Array(alternatives.dropFirst()))) are missing", at: path)
      }
      for name in dates {
        guard let text = value[name]?.stringValue, !Self.isDate(text) else { continue }
        warn("\(member(name)) is not a date in ISO 8601", at: path + [.member(name)])
      }
      if let page = value["pageref"]?.stringValue, !pages.contains(page) {
        warn(
          "\(member("pageref")) is not the id of a page in log.pages", at: path + [.member("pageref")])
      }
      for (name, rule) in members {
        guard let value = value[name] else { continue }
        enter(.member(name)) { $0.check(value, rule) }
      }
    // An invalid type is an error that the reader of the archive reports.
    default: break
    }
  }

  private mutating func enter(_ step: JSONValue.Step, _ body: (inout Self) -> Void) {
    path.append(step)
    body(&self)
    path.removeLast()
  }

  /// Returns the path of a member of this object, without the indices of elements.
  private func member(_ name: String) -> String {
    (path + [.member(name)]).reduce(into: "") { text, step in
      switch step {
      case .member(let name): text += text.isEmpty ? name : ".\(name)"
      case .element: text += "[]"
      }
    }
  }

  private mutating func warn(_ message: String, at place: [JSONValue.Step]) {
    if let index = indexOfMessage[message] {
      warnings[index].count += 1
    } else {
      indexOfMessage[message] = warnings.count
      warnings.append(Warning(message: message, count: 1, place: JSONValue.Step.text(of: place), line: 0))
      places.append(place)
    }
  }

  /// Returns whether a text is a date and a time with a time zone (HAR 1.2, `startedDateTime`).
  static func isDate(_ text: String) -> Bool {
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    func fits(_ bytes: some Collection<UInt8>, _ pattern: StaticString) -> Bool {
      pattern.withUTF8Buffer { pattern in
        bytes.count == pattern.count
          && zip(bytes, pattern).allSatisfy { $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 }
      }
    }
    let bytes = Array(text.utf8)
    guard fits(bytes.prefix(19), "0000-00-00T00:00:00") else { return false }
    let limits = [(5, 1...12), (8, 1...31), (11, 0...24), (14, 0...59), (17, 0...60)]
    for (place, range) in limits {
      let number = Int(bytes[place] - UInt8(ascii: "0")) * 10 + Int(bytes[place + 1] - UInt8(ascii: "0"))
      guard range.contains(number) else { return false }
    }
    var rest = bytes[19...]
    if let point = rest.first, point == UInt8(ascii: ".") || point == UInt8(ascii: ",") {
      let digits = rest.dropFirst().prefix(while: isDigit)
      guard !digits.isEmpty else { return false }
      rest = rest[digits.endIndex...]
    }
    return fits(rest, "Z") || ["+00:00", "-00:00", "+0000", "-0000"].contains { fits(rest, $0) }
  }

  // MARK: - HAR 1.2

  private static var document: Rule {
    let tool = Rule.object(required: ["name", "version"])
    let page = Rule.object(
      required: ["startedDateTime", "id", "title", "pageTimings"], dates: ["startedDateTime"])
    let log = Rule.object(
      required: ["version", "creator", "entries"],
      members: [
        ("creator", tool), ("browser", tool), ("pages", .list(of: page)), ("entries", .list(of: entry)),
      ])
    return .object(members: [("log", log)])
  }

  private static var entry: Rule {
    let state = Rule.object(
      required: ["lastAccess", "eTag", "hitCount"], dates: ["expires", "lastAccess"])
    return .object(
      required: ["startedDateTime", "time", "request", "response", "cache", "timings"],
      dates: ["startedDateTime"],
      members: [
        ("request", request), ("response", response),
        ("cache", .object(members: [("beforeRequest", state), ("afterRequest", state)])),
        ("timings", .object(required: ["send", "wait", "receive"])),
      ])
  }

  private static var request: Rule {
    let body = Rule.object(
      required: ["mimeType"], oneOf: ["text", "params"],
      members: [("params", .list(of: .object(required: ["name"])))])
    return .object(
      required: message + ["method", "url", "queryString"],
      members: lists + [("queryString", pairs), ("postData", body)])
  }

  private static var response: Rule {
    .object(
      required: message + ["status", "statusText", "content", "redirectURL"],
      members: lists + [("content", .object(required: ["size", "mimeType"]))])
  }

  private static let message = ["httpVersion", "cookies", "headers", "headersSize", "bodySize"]

  private static var lists: [(name: String, rule: Rule)] {
    [
      ("headers", pairs), ("cookies", .list(of: .object(required: ["name", "value"], dates: ["expires"]))),
    ]
  }

  private static var pairs: Rule { .list(of: .object(required: ["name", "value"])) }
}
