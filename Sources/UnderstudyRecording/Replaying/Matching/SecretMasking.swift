import Foundation
import UnderstudyTransport

/// Takes the secrets out of the parts of a request, and keeps them in order.
struct SecretMasking {
  let scanner: SecretScanner
  private(set) var secrets: [String] = []

  init(_ scanner: SecretScanner) {
    self.scanner = scanner
  }

  /// The text without its secrets.
  mutating func text(_ bytes: [UInt8]) -> String {
    text(bytes, scanner.finds(in: bytes))
  }

  /// The value of a header field without its secrets.
  mutating func field(_ name: String, _ value: String) -> String {
    let bytes = Array(value.utf8)
    return text(bytes, scanner.finds(inField: name, bytes))
  }

  /// The value of something that has a name, such as a field of a form.
  mutating func value(_ value: [UInt8], named name: String) -> [UInt8] {
    guard scanner.isSecret(fieldNamed: name), !value.isEmpty else {
      return bytes(value, scanner.finds(in: value))
    }
    secrets.append(String(decoding: value, as: UTF8.self))
    return Array(KeyedRequest.mask.utf8)
  }

  /// The items of a query without their secrets, in order of the alphabet.
  mutating func query(_ query: ArraySlice<UInt8>, ignoring ignored: Set<String>) -> [String] {
    var items: [(text: String, finds: [SecretScanner.Find])] = []
    for item in query.split(separator: UInt8(ascii: "&")) {
      if !ignored.isEmpty {
        let name = String(decoding: item.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        if ignored.contains(name.removingPercentEncoding ?? name) { continue }
      }
      // The scanner looks for items behind a question mark.
      let marked = [UInt8(ascii: "?")] + item
      let finds = scanner.finds(in: marked)
      items.append((String(Self.masked(marked, finds).dropFirst()), finds))
    }
    items.sort { $0.text < $1.text }
    for item in items { secrets += item.finds.map(\.secret) }
    return items.map(\.text)
  }

  /// A body without its secrets, which may stand anywhere in it.
  mutating func bytes(_ bytes: [UInt8]) -> [UInt8] {
    self.bytes(bytes, scanner.finds(in: bytes))
  }

  /// The value without its secrets, its members in order of their names, of which the last counts, and its numbers
  /// in one spelling.
  mutating func json(_ json: JSONValue) -> JSONValue {
    switch json {
    case .string(let string):
      return string.isEmpty ? json : .string(text(Array(string.utf8)))
    case .number(let digits):
      // So many digits a Double keeps apart.
      guard digits.utf8.count <= 15, let number = json.numberValue, number.isFinite else { return json }
      return JSONValue(number)
    case .array(let elements):
      return .array(elements.map { self.json($0) })
    case .object(let members):
      var last: [JSONValue.Member] = []
      for member in Self.inOrder(members) {
        if last.last?.name == member.name { last.removeLast() }
        last.append(member)
      }
      return .object(
        last.map { member in
          let isSecret = scanner.isSecret(fieldNamed: member.name)
          return .init(member.name, isSecret ? secret(member.value) : self.json(member.value))
        })
    case .null, .boolean:
      return json
    }
  }

  /// Members by their names, those of one name as they came.
  private static func inOrder(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
    members.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
  }

  private mutating func secret(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let secret) where !secret.isEmpty, .number(let secret):
      secrets.append(secret)
      return .string(KeyedRequest.mask)
    default: return json(value)
    }
  }

  private mutating func text(_ bytes: [UInt8], _ finds: [SecretScanner.Find]) -> String {
    secrets += finds.map(\.secret)
    return Self.masked(bytes, finds)
  }

  private mutating func bytes(_ bytes: [UInt8], _ finds: [SecretScanner.Find]) -> [UInt8] {
    secrets += finds.map(\.secret)
    return Self.replaced(bytes, finds)
  }

  private static func masked(_ bytes: [UInt8], _ finds: [SecretScanner.Find]) -> String {
    String(decoding: replaced(bytes, finds), as: UTF8.self)
  }

  private static func replaced(_ bytes: [UInt8], _ finds: [SecretScanner.Find]) -> [UInt8] {
    guard !finds.isEmpty else { return bytes }
    let mask = Array(KeyedRequest.mask.utf8)
    return RedactedBytes(bytes, replacing: finds.map { ($0.range, mask) }).bytes
  }
}
