import Foundation
import UnderstudyHTTP

/// A check of a document against HAR 1.2, on a tree of values and member by member.
struct ReferenceArchive {
  struct Problem {
    let offset: Int
    let field: String
  }

  private(set) var problems: [Problem] = []

  /// The first error in a document.
  static func problem(in document: ReferenceJSON) -> Problem? {
    var archive = ReferenceArchive()
    archive.document(document)
    // If several errors have the same position, the one found first: `min` returns the first of equal elements.
    return archive.problems.min { $0.offset < $1.offset }
  }

  private mutating func document(_ document: ReferenceJSON) {
    guard case .object = document.content else { return refuse(document, "the document") }
    let log = require(document, "", "log", isObject)
    texts(log, ["version"])
    objects(log, ["creator", "browser"])
    _ = list(log, "pages")
    if let list = require(log?.value, log?.path ?? "", "entries", isArray) {
      for entry in elements(list) { self.entry(entry) }
    }
  }

  private typealias Place = (value: ReferenceJSON, path: String)

  private mutating func entry(_ entry: Place) {
    texts(entry, ["startedDateTime", "pageref", "serverIPAddress", "connection"])
    numbers(entry, ["time"])
    objects(entry, ["cache"])
    numbers(object(entry, "timings"), ["send", "wait", "receive", "blocked", "dns", "connect", "ssl"])
    if let request = require(entry.value, entry.path, "request", isObject) {
      _ = require(request.value, request.path, "method", isText)
      _ = require(request.value, request.path, "url", isText)
      message(request)
      pairs(request, "queryString")
      let body = object(request, "postData")
      texts(body, ["mimeType", "text", "_encoding"])
      if body?.value["_encoding"]?.json.stringValue == "base64" { base64(body, "text") }
      pairs(body, "params")
    }
    if let response = require(entry.value, entry.path, "response", isObject) {
      _ = require(response.value, response.path, "status", isCount)
      message(response)
      texts(response, ["statusText", "redirectURL"])
      let content = object(response, "content")
      numbers(content, ["size"])
      texts(content, ["mimeType", "text", "encoding"])
      if content?.value["encoding"]?.json.stringValue == "base64" { base64(content, "text") }
      let stream = object(content, "_stream")
      for chunk in elements(list(stream, "chunks")) {
        _ = require(chunk.value, chunk.path, "size", isCount)
        numbers(chunk, ["time"])
      }
      let end = object(stream, "end")
      numbers(end, ["time"])
      texts(end, ["code", "message"])
    }
    for message in elements(list(entry, "_webSocketMessages")) {
      texts(message, ["type", "data"])
      numbers(message, ["time", "opcode"])
      if number(message.value["opcode"]) == 2 { base64(message, "data") }
    }
    let end = object(entry, "_webSocketEnd")
    texts(end, ["code", "by", "reason", "message"])
    numbers(end, ["time", "status"])
  }

  private mutating func message(_ message: Place) {
    texts(message, ["httpVersion"])
    numbers(message, ["headersSize", "bodySize"])
    pairs(message, "headers")
    pairs(message, "cookies")
  }

  private mutating func pairs(_ object: Place?, _ name: String) {
    for pair in elements(list(object, name)) {
      _ = require(pair.value, pair.path, "name", isText)
      texts(pair, ["value"])
    }
  }

  // MARK: Rules

  private mutating func refuse(_ value: ReferenceJSON, _ path: String) {
    problems.append(Problem(offset: value.offset, field: path))
  }

  private mutating func optional(
    _ object: Place?, _ name: String, _ fits: (ReferenceJSON) -> Bool
  ) -> Place? {
    guard let object, let value = object.value[name], !isNull(value) else { return nil }
    let path = "\(object.path).\(name)"
    guard fits(value) else {
      refuse(value, path)
      return nil
    }
    return (value, path)
  }

  private mutating func require(
    _ object: ReferenceJSON?, _ path: String, _ name: String, _ fits: (ReferenceJSON) -> Bool
  ) -> Place? {
    guard let object else { return nil }
    guard let value = object[name] else {
      refuse(object, path.isEmpty ? "the document" : path)
      return nil
    }
    let path = path.isEmpty ? name : "\(path).\(name)"
    guard fits(value) else {
      refuse(value, path)
      return nil
    }
    return (value, path)
  }

  private mutating func texts(_ object: Place?, _ names: [String]) {
    for name in names { _ = optional(object, name, isText) }
  }

  private mutating func numbers(_ object: Place?, _ names: [String]) {
    for name in names { _ = optional(object, name) { number($0)?.isFinite == true } }
  }

  private mutating func objects(_ object: Place?, _ names: [String]) {
    for name in names { _ = optional(object, name, isObject) }
  }

  private mutating func object(_ object: Place?, _ name: String) -> Place? {
    optional(object, name, isObject)
  }

  private mutating func list(_ object: Place?, _ name: String) -> Place? {
    optional(object, name, isArray)
  }

  private mutating func elements(_ list: Place?) -> [Place] {
    guard let list, case .array(let elements) = list.value.content else { return [] }
    let places = elements.enumerated().map { (value: $1, path: "\(list.path)[\($0)]") }
    for place in places where !isObject(place.value) { refuse(place.value, place.path) }
    return places.filter { isObject($0.value) }
  }

  private mutating func base64(_ object: Place?, _ name: String) {
    guard let object, let value = object.value[name], case .string(let text) = value.content else { return }
    // Foundation is the reference, except for trailing bits after the last byte, which it accepts depending on the
    // version, for padding of whole groups ("===="), and for a digit after padding ("YQ=9"), both of which it accepts.
    let isDecoded = Data(base64Encoded: text) != nil || Data(base64Encoded: text.withoutLastBits) != nil
    let padding = text.drop { $0 != "=" }
    let isIt = isDecoded && ["", "=", "=="].contains(padding) && text.utf8.count % 4 == 0
    if !isIt { refuse(value, "\(object.path).\(name)") }
  }
}

private func isNull(_ value: ReferenceJSON) -> Bool { if case .null = value.content { true } else { false } }

private func isText(_ value: ReferenceJSON) -> Bool {
  if case .string = value.content { true } else { false }
}

private func isObject(_ value: ReferenceJSON) -> Bool {
  if case .object = value.content { true } else { false }
}

private func isArray(_ value: ReferenceJSON) -> Bool {
  if case .array = value.content { true } else { false }
}

private func number(_ value: ReferenceJSON?) -> Double? {
  if case .number(let digits) = value?.content { Double(digits) } else { nil }
}

private func isCount(_ value: ReferenceJSON) -> Bool {
  guard case .number(let digits) = value.content else { return false }
  return (Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }).map { $0 >= 0 } ?? false
}

extension String {
  /// The base64 text with the unused trailing bits of its last digit cleared.
  fileprivate var withoutLastBits: String {
    let digits = prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "/") }
    let padding = dropFirst(digits.count)
    guard !digits.isEmpty, padding == "=" || padding == "==" else { return self }
    return digits.dropLast() + "A" + padding
  }
}
