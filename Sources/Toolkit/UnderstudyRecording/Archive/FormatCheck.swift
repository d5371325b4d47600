package import Foundation
import UnderstudyHTTP
import UnderstudyText

/// A check for members that HAR 1.2 requires and that reading does without.
///
/// The same problem in several places is one warning, with their number and the first place.
package struct FormatCheck {
  package struct Warning: Encodable, Equatable {
    /// The problem, such as `log.entries[].cache is missing`.
    package let message: String
    package fileprivate(set) var count: Int
    /// The first position, such as `log.entries[0]`.
    package let place: String
    /// Its line, from 1.
    package let line: Int
  }

  /// The rules of HAR 1.2 for an object.
  private indirect enum Rule {
    case object(
      required: [String] = [], oneOf: [String] = [], dates: [String] = [],
      members: [(name: String, rule: Rule)] = [])
    case list(of: Rule)
  }

  private let reader: JSONReader
  private var path: [JSONValue.Step] = []
  private var warnings: [Warning] = []
  private var indexOfMessage: [String: Int] = [:]
  private var pages: Set<String> = []

  private init(_ reader: JSONReader) {
    self.reader = reader
  }

  /// Returns the warnings about a readable document.
  ///
  /// - Parameters:
  ///   - archive: The document.
  ///   - data: The text of the document.
  package static func warnings(about archive: HTTPArchive, in data: Data) -> [Warning] {
    let text = archive.warnings.isEmpty ? data : LoneSurrogates.replaced(in: data)?.data ?? data
    return text.withUnsafeBytes { bytes in
      var check = FormatCheck(JSONReader(bytes))
      if case .array(let pages)? = archive.log["pages"] {
        check.pages = Set(pages.compactMap { $0["id"]?.stringValue })
      }
      let start = check.reader.endOfSpace(from: ArchiveScan.lengthOfMark(in: bytes))
      // Invalid JSON is an error that the reader of the archive reports.
      try? check.check(start, document)
      return check.warnings
    }
  }

  private mutating func check(_ start: Int, _ rule: Rule) throws(JSONValue.ParsingError) {
    switch (rule, reader.byte(at: start)) {
    case (.list(let rule), UInt8(ascii: "[")):
      for element in try reader.children(of: start) { try check(element.value, rule, in: element.step) }
    case (.object(let required, let alternatives, let dates, let members), UInt8(ascii: "{")):
      // Of members with the same name, the last one counts.
      let values = Dictionary(try reader.children(of: start).map { ($0.step, $0.value) }) { $1 }
      for name in required {
        let value = values[.member(name)]
        if let value, reader.byte(at: value) == UInt8(ascii: "n") {
          warn("\(member(name)) is null", at: path + [.member(name)], value)
        } else if value == nil {
          warn("\(member(name)) is missing", at: path, start)
        }
      }
      if let first = alternatives.first, alternatives.allSatisfy({ values[.member($0)] == nil }) {
        warn(
          "\(member(first)) and \(Words.list(Array(alternatives.dropFirst()))) are missing", at: path, start)
      }
      for name in dates {
        guard let (text, place) = try string(values[.member(name)]), !Self.isDate(text) else { continue }
        warn("\(member(name)) is not a date in ISO 8601", at: path + [.member(name)], place)
      }
      if let (page, place) = try string(values[.member("pageref")]), !pages.contains(page) {
        warn(
          "\(member("pageref")) is not the id of a page in log.pages", at: path + [.member("pageref")], place)
      }
      for (name, rule) in members {
        guard let value = values[.member(name)] else { continue }
        try check(value, rule, in: .member(name))
      }
    // An invalid type is an error that the reader of the archive reports.
    default: break
    }
  }

  private mutating func check(
    _ start: Int, _ rule: Rule, in step: JSONValue.Step
  ) throws(JSONValue.ParsingError) {
    path.append(step)
    try check(start, rule)
    path.removeLast()
  }

  /// Returns the string at a position, if there is one, with the position.
  private func string(_ start: Int?) throws(JSONValue.ParsingError) -> (text: String, start: Int)? {
    guard let start, reader.byte(at: start) == UInt8(ascii: "\"") else { return nil }
    return (reader.string(try reader.text(from: start)), start)
  }

  /// Returns the path of a member of this object, without the indices of elements.
  private func member(_ name: String) -> String {
    JSONValue.Step.text(of: path + [.member(name)], hasIndices: false)
  }

  private mutating func warn(_ message: String, at place: [JSONValue.Step], _ position: Int) {
    if let index = indexOfMessage[message] {
      warnings[index].count += 1
    } else {
      indexOfMessage[message] = warnings.count
      let line = 1 + reader.bytes[..<position].count { $0 == UInt8(ascii: "\n") }
      warnings.append(
        Warning(message: message, count: 1, place: JSONValue.Step.text(of: place), line: line))
    }
  }

  /// Returns whether a text is a date and a time with a time zone (HAR 1.2, `startedDateTime`).
  package static func isDate(_ text: String) -> Bool {
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

extension FormatCheck.Warning {
  /// Creates the warning about an entry that violates HAR 1.2.
  package init(_ odd: RecordingError.Violation) {
    self.init(
      message: "\(odd.field ?? "log"): \(odd.problem)", count: 1,
      place: odd.entryIndex.map { "log.entries[\($0)]" } ?? "log", line: odd.line)
  }
}
