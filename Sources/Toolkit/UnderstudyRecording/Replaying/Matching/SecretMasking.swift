import Foundation
import UnderstudyHTTP

/// A filter that removes the secrets from the parts of a request, and collects them in order.
struct SecretMasking {
  /// The replacement of a secret in the messages of commands.
  static let ellipsis = "…"

  let scanner: SecretScanner
  /// The secrets; a number in place of a placeholder is the placeholder.
  private(set) var secrets: [String] = []
  /// A cache by member name, because names recur.
  private var isSecret: [String: Bool] = [:]

  /// Whether the fields belong to an exchange of OAuth, in which `code` is a secret.
  var isOAuth = false

  /// The secrets known from elsewhere.
  private let known: [(text: [UInt8], secret: String)]
  /// The replacement of a secret.
  private let mask: String

  /// - Parameters:
  ///   - known: Secrets known from elsewhere, whose copies are removed too.
  ///   - mask: The replacement of a secret.
  init(_ scanner: SecretScanner, copiesOf known: [String] = [], mask: String = KeyedRequest.mask) {
    self.scanner = scanner
    self.mask = mask
    self.known = known.map { (Array($0.utf8), $0) }
  }

  /// Returns the text without its secrets.
  mutating func text(_ bytes: [UInt8]) -> String {
    text(bytes, scanner.finds(in: bytes))
  }

  /// Returns the value of a header field without its secrets.
  mutating func field(_ name: String, _ value: String) -> String {
    let bytes = Array(value.utf8)
    return text(bytes, scanner.finds(inField: name, bytes))
  }

  /// Returns the value of a named item, such as a form field, without its secrets.
  mutating func value(_ value: [UInt8], named name: String) -> [UInt8] {
    guard scanner.isSecret(fieldNamed: name) || isCode(name), !value.isEmpty else {
      return bytes(value, scanner.finds(in: value))
    }
    secrets.append(Self.recorded(String(decoding: value, as: UTF8.self)))
    return Array(mask.utf8)
  }

  /// Returns the query items without their secrets, sorted alphabetically.
  ///
  /// - Parameter keepsOrder: Whether items with the same name keep their order.
  mutating func query(
    _ query: ArraySlice<UInt8>, ignoring ignored: Set<String>, keepingOrder keepsOrder: Bool
  ) -> [String] {
    var items: [(text: String, secrets: [String])] = []
    let isOAuth = Array([UInt8(ascii: "?")] + query).withUnsafeBufferPointer { SecretScanner.isOAuth($0) }
    for item in query.split(separator: UInt8(ascii: "&")) {
      if !ignored.isEmpty {
        let name = String(decoding: item.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        if ignored.contains(name.removingPercentEncoding ?? name) { continue }
      }
      // The scanner expects a question mark before query items.
      let marked = [UInt8(ascii: "?")] + item
      let places = places(in: marked, scanner.finds(inItem: marked, isOAuth: isOAuth))
      items.append(
        (String(decoding: masked(marked, places).dropFirst(), as: UTF8.self), places.map(\.secret)))
    }
    if keepsOrder {
      let names = items.map { $0.text.prefix { $0 != "=" } }
      items = items.indices.sorted { (names[$0], $0) < (names[$1], $1) }.map { items[$0] }
    } else {
      items.sort { $0.text < $1.text }
    }
    for item in items { secrets += item.secrets }
    return items.map(\.text)
  }

  /// Returns the body without its secrets, at any position.
  mutating func bytes(_ bytes: [UInt8]) -> [UInt8] {
    self.bytes(bytes, scanner.finds(in: bytes))
  }

  /// Returns the document without its secrets and white space, with sorted members and normalized numbers.
  ///
  /// If a member occurs more than once, the last one counts.
  mutating func json(_ json: JSONValue) -> String {
    masked(json).compactText
  }

  private func isCode(_ name: String) -> Bool { isOAuth && scanner.redactsCodes && name == "code" }

  /// - Parameter isSecret: Whether the value, or the object or array around it, has the name of a secret.
  private mutating func masked(_ json: JSONValue, isSecret: Bool = false) -> JSONValue {
    switch json {
    case .string(let secret) where isSecret && !secret.isEmpty, .number(let secret) where isSecret:
      secrets.append(Self.recorded(secret))
      return .string(mask)
    case .null, .boolean: return json
    case .string(let string): return string.isEmpty ? json : .string(text(Array(string.utf8)))
    case .number(let digits): return .number(Self.spelling(digits))
    case .array(let elements): return .array(elements.map { masked($0, isSecret: isSecret) })
    case .object(let members):
      if !isOAuth { isOAuth = members.contains { SecretScanner.namesOfOAuth.contains($0.name) } }
      return .object(
        Self.inOrder(members).map {
          .init($0.name, masked($0.value, isSecret: isSecret || self.isSecret($0)))
        })
    }
  }

  private mutating func isSecret(_ member: JSONValue.Member) -> Bool {
    if case .string = member.value, isCode(member.name) { return true }
    return isSecret(member.name)
  }

  private mutating func isSecret(_ name: String) -> Bool {
    if let known = isSecret[name] { return known }
    let isSecret = scanner.isSecret(fieldNamed: name)
    self.isSecret[name] = isSecret
    return isSecret
  }

  /// Returns the normalized notation of a number.
  private static func spelling(_ digits: String) -> String {
    // A `Double` represents this number of digits exactly.
    guard digits.utf8.count <= 15, let number = Double(digits), number.isFinite else { return digits }
    return Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  /// Returns the members sorted by name; of members with the same name, only the last.
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
    String(decoding: self.bytes(bytes, finds), as: UTF8.self)
  }

  private mutating func bytes(_ bytes: [UInt8], _ finds: [SecretScanner.Find]) -> [UInt8] {
    let places = self.places(in: bytes, finds)
    guard !places.isEmpty else { return bytes }
    secrets += places.map(\.secret)
    return masked(bytes, places)
  }

  /// Returns the ranges of secrets, in order.
  private func places(
    in bytes: [UInt8], _ finds: [SecretScanner.Find]
  ) -> [(range: Range<Int>, secret: String)] {
    var places = finds.map { (range: $0.range, secret: Self.recorded($0.secret)) }
    for (text, secret) in known {
      for range in bytes.ranges(of: text) where !places.contains(where: { $0.range.overlaps(range) }) {
        places.append((range, secret))
      }
    }
    return known.isEmpty ? places : places.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  private static func recorded(_ secret: String) -> String {
    Redactor.placeholder(ofNumber: secret) ?? secret
  }

  private func masked(_ bytes: [UInt8], _ places: [(range: Range<Int>, secret: String)]) -> [UInt8] {
    let mask = Array(mask.utf8)
    return RedactedBytes(bytes, replacing: places.map { ($0.range, mask) }).bytes
  }
}
