import Foundation
import UnderstudyTransport

/// Takes the secrets out of the parts of a request, and keeps them in order.
struct SecretMasking {
  let scanner: SecretScanner
  private(set) var secrets: [String] = []
  /// By the names of members, which come again and again.
  private var isSecret: [String: Bool] = [:]

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

  /// The text of a document without its secrets and without white space, its members in order of their names, of
  /// which the last counts, and its numbers in one spelling.
  mutating func json(_ json: JSONValue) -> String {
    var text = ""
    write(json, to: &text)
    return text
  }

  private mutating func write(_ json: JSONValue, to text: inout String) {
    switch json {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .string(let string): write(string, to: &text)
    case .number(let digits): text += Self.spelling(digits)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        write(element, to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in Self.inOrder(members).enumerated() {
        if index > 0 { text += "," }
        JSONValue.quote(member.name, into: &text)
        text += ":"
        write(member, to: &text)
      }
      text += "}"
    }
  }

  private mutating func write(_ string: String, to text: inout String) {
    let bytes = Array(string.utf8)
    let finds = string.isEmpty ? [] : scanner.finds(in: bytes)
    JSONValue.quote(finds.isEmpty ? string : self.text(bytes, finds), into: &text)
  }

  private mutating func write(_ member: JSONValue.Member, to text: inout String) {
    switch member.value {
    case .string(let secret) where !secret.isEmpty && isSecret(member.name),
      .number(let secret) where isSecret(member.name):
      secrets.append(secret)
      JSONValue.quote(KeyedRequest.mask, into: &text)
    default:
      write(member.value, to: &text)
    }
  }

  private mutating func isSecret(_ name: String) -> Bool {
    if let known = isSecret[name] { return known }
    let isSecret = scanner.isSecret(fieldNamed: name)
    self.isSecret[name] = isSecret
    return isSecret
  }

  /// A number as each of its spellings is written here.
  private static func spelling(_ digits: String) -> String {
    // So many digits a Double keeps apart.
    guard digits.utf8.count <= 15, let number = Double(digits), number.isFinite else { return digits }
    return Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  /// Members by their names, of those of one name the last.
  private static func inOrder(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
    if zip(members, members.dropFirst()).allSatisfy({ $0.name < $1.name }) { return members }
    let sorted = members.enumerated().sorted {
      ($0.element.name, $0.offset) < ($1.element.name, $1.offset)
    }
    return sorted.indices.compactMap { index in
      let isLast = index + 1 == sorted.count || sorted[index + 1].element.name != sorted[index].element.name
      return isLast ? sorted[index].element : nil
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
    var masked: [UInt8] = []
    var position = 0
    for find in finds where find.range.lowerBound >= position {
      masked += bytes[position..<find.range.lowerBound]
      masked += KeyedRequest.mask.utf8
      position = find.range.upperBound
    }
    return masked + bytes[position...]
  }
}
