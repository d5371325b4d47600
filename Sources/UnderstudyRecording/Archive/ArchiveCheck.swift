import Foundation
import UnderstudyTransport

/// Looks through a document for what no reader could use.
///
/// A member that HAR 1.2 knows must have its type or be null; only what an exchange cannot do without must be there.
struct ArchiveCheck {
  struct Problem {
    let path: [JSONValue.Step]
    let message: String
  }

  private enum Kind {
    case text
    case number
    case count

    case object
    case list
    case base64
  }

  private var path: [JSONValue.Step] = []
  private var problem: Problem?

  static func problem(in document: JSONValue) -> Problem? {
    var check = ArchiveCheck()
    check.document(document)
    return check.problem
  }

  private mutating func document(_ document: JSONValue) {
    guard case .object = document else { return refuse("an object with the member log", document) }
    require(document, "log", .object) { check, log in
      check.expect(log, [("version", .text), ("creator", .object), ("browser", .object), ("pages", .list)])
      check.require(log, "entries", .list) { check, entries in
        check.each(entries) { $0.entry($1) }
      }
    }
  }

  private mutating func entry(_ entry: JSONValue) {
    expect(
      entry,
      [
        ("startedDateTime", .text), ("time", .number), ("cache", .object), ("timings", .object),
        ("pageref", .text), ("serverIPAddress", .text), ("connection", .text),
      ])
    enter(entry, "timings") { check, timings in
      check.expect(
        timings,
        ["send", "wait", "receive", "blocked", "dns", "connect", "ssl"].map { ($0, .number) })
    }
    require(entry, "request", .object) { check, request in
      check.require(request, "method", .text)
      check.require(request, "url", .text)
      check.message(request)
      check.expect(request, [("queryString", .list), ("postData", .object)])
      check.enter(request, "queryString") { $0.pairs($1) }
      check.enter(request, "postData") { check, body in
        check.expect(body, [("mimeType", .text), ("text", .text), ("params", .list), ("_encoding", .text)])
        if body["_encoding"]?.stringValue == "base64" { check.expect(body, [("text", .base64)]) }
        check.enter(body, "params") { $0.pairs($1) }
      }
    }
    require(entry, "response", .object) { check, response in
      check.require(response, "status", .count)
      check.message(response)
      check.expect(response, [("statusText", .text), ("redirectURL", .text), ("content", .object)])
      check.enter(response, "content") { $0.content($1) }
    }
  }

  /// What a request and a response have in common.
  private mutating func message(_ message: JSONValue) {
    expect(
      message,
      [
        ("httpVersion", .text), ("headers", .list), ("cookies", .list), ("headersSize", .number),
        ("bodySize", .number),
      ])
    enter(message, "headers") { $0.pairs($1) }
    enter(message, "cookies") { $0.pairs($1) }
  }

  private mutating func content(_ content: JSONValue) {
    expect(content, [("size", .number), ("mimeType", .text), ("text", .text), ("encoding", .text)])
    if content["encoding"]?.stringValue == "base64" { expect(content, [("text", .base64)]) }
    expect(content, [("_stream", .object)])
    enter(content, "_stream") { check, stream in
      check.expect(stream, [("chunks", .list), ("end", .object)])
      check.enter(stream, "chunks") { check, chunks in
        check.each(chunks) { check, chunk in
          check.require(chunk, "size", .count)
          check.expect(chunk, [("time", .number)])
        }
      }
      check.enter(stream, "end") { $0.expect($1, [("time", .number), ("code", .text), ("message", .text)]) }
    }
  }

  private mutating func pairs(_ list: JSONValue) {
    each(list) { check, pair in
      check.require(pair, "name", .text)
      check.expect(pair, [("value", .text)])
    }
  }

  // MARK: Rules

  /// Each element is an object.
  private mutating func each(_ list: JSONValue, _ body: (inout Self, JSONValue) -> Void) {
    guard case .array(let elements) = list else { return }
    for (index, element) in elements.enumerated() where problem == nil {
      path.append(.element(index))
      if case .object = element { body(&self, element) } else { refuse("an object", element) }
      path.removeLast()
    }
  }

  private mutating func enter(_ object: JSONValue, _ name: String, _ body: (inout Self, JSONValue) -> Void) {
    guard problem == nil, let value = object[name], value != .null else { return }
    path.append(.member(name))
    body(&self, value)
    path.removeLast()
  }

  private mutating func expect(_ object: JSONValue, _ members: [(name: String, kind: Kind)]) {
    for member in members {
      enter(object, member.name) { check, value in
        if !check.fits(value, member.kind) { check.refuse(check.words(for: member.kind), value) }
      }
    }
  }

  private mutating func require(
    _ object: JSONValue, _ name: String, _ kind: Kind, _ body: (inout Self, JSONValue) -> Void = { _, _ in }
  ) {
    guard problem == nil else { return }
    switch object[name] {
    case nil:
      problem = Problem(path: path, message: "The member \(name) is missing here")
    case .some(.null):
      path.append(.member(name))
      refuse(words(for: kind), .null)
      path.removeLast()
    case .some:
      expect(object, [(name, kind)])
      enter(object, name, body)
    }
  }

  private mutating func refuse(_ expected: String, _ value: JSONValue) {
    guard problem == nil else { return }
    problem = Problem(path: path, message: "Expected \(expected) here, and found \(value.kindInWords)")
  }

  private func fits(_ value: JSONValue, _ kind: Kind) -> Bool {
    switch (kind, value) {
    case (.text, .string), (.object, .object), (.list, .array): true
    case (.number, .number): value.numberValue?.isFinite == true
    case (.count, .number): value.integerValue.map { $0 >= 0 } ?? false
    case (.base64, .string(let text)): Self.isBase64(text)
    default: false
    }
  }

  /// Four characters of the alphabet at a time, padded at the end (RFC 4648 §4), without decoding them.
  private static func isBase64(_ text: String) -> Bool {
    let digits = text.utf8.prefix { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
    let padding = text.utf8.dropFirst(digits.count)
    return padding.count <= 2 && padding.allSatisfy { $0 == UInt8(ascii: "=") } && text.utf8.count % 4 == 0
  }

  private func words(for kind: Kind) -> String {
    switch kind {
    case .text: "a string"
    case .number: "a number"
    case .count: "a whole number that is not negative"
    case .object: "an object"
    case .list: "an array"
    case .base64: "base64"
    }
  }
}

extension JSONValue {
  /// What kind of value it is, for a sentence.
  fileprivate var kindInWords: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .number(let digits): "the number \(digits)"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
