import Foundation
import UnderstudyTransport

/// The parts of a request that count, without its secrets: what the recorded requests are looked up by.
struct RequestKey: Hashable, Sendable {
  enum Body: Hashable, Sendable {
    case none
    case json(JSONValue)
    case bytes([UInt8])
  }

  var method: HTTPMethod
  /// Scheme, host and a port that is not the scheme's own; empty where they do not count.
  var origin: String
  var path: String
  /// The items, in order of the alphabet.
  var query: [String]
  /// The chosen fields, in order of their names.
  var fields: [Field]
  var body: Body

  struct Field: Hashable, Sendable {
    var name: String
    var value: String
  }
}

/// A request taken apart: its key, and the secrets that were in it, in a fixed order.
struct KeyedRequest: Sendable {
  /// What stands in a key where a secret was.
  static let mask = "redacted"

  private(set) var key: RequestKey
  private(set) var secrets: [String] = []

  init(_ request: HTTPRequest, matching: RequestMatching, scanner: SecretScanner) {
    key = RequestKey(method: request.method, origin: "", path: "", query: [], fields: [], body: .none)
    take(url: request.url.absoluteString, ignoring: matching.ignoredQueryItems, scanner)
    if !matching.comparesOrigin { key.origin = "" }
    let names = Set(matching.fieldNames.map { $0.lowercased() }).sorted()
    for name in names {
      for value in request.fields.values(of: name) {
        let bytes = Array(value.utf8)
        key.fields.append(.init(name: name, value: text(bytes, scanner.finds(inField: name, bytes))))
      }
    }
    if matching.comparesBody, let body = request.body, !body.isEmpty {
      let isForm = request.fields["Content-Type"]?.lowercased().hasPrefix(Self.formType) ?? false
      key.body = take(body: body, isForm: isForm, scanner)
    }
  }

  static let formType = "application/x-www-form-urlencoded"

  private mutating func take(url text: String, ignoring ignored: Set<String>, _ scanner: SecretScanner) {
    let sent = text.prefix { $0 != "#" }
    let parts = sent.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let base = String(parts.first ?? "")
    if let components = URLComponents(string: base), let host = components.host {
      let scheme = components.scheme?.lowercased() ?? ""
      let usual = ["http": 80, "https": 443][scheme]
      let port = components.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
      key.origin = "\(scheme)://\(host.lowercased())\(port)"
      key.path = self.text(
        components.percentEncodedPath.isEmpty ? "/" : components.percentEncodedPath, scanner)
    } else {
      key.path = self.text(base, scanner)
    }
    guard parts.count == 2 else { return }
    let items = parts[1].split(separator: "&").compactMap {
      item -> (String, [SecretScanner.Find], [UInt8])? in
      let name = item.prefix { $0 != "=" }
      if ignored.contains(String(name).removingPercentEncoding ?? String(name)) { return nil }
      let bytes = Array(item.utf8)
      let finds = scanner.finds(in: Array("?".utf8) + bytes).map {
        SecretScanner.Find(
          range: ($0.range.lowerBound - 1)..<($0.range.upperBound - 1), secret: $0.secret)
      }
      return (Self.masked(bytes, finds), finds, bytes)
    }
    for (item, finds, _) in items.sorted(by: { $0.0 < $1.0 }) {
      key.query.append(item)
      secrets += finds.map(\.secret)
    }
  }

  private mutating func take(body: Data, isForm: Bool, _ scanner: SecretScanner) -> RequestKey.Body {
    if let json = try? JSONValue(parsing: body) { return .json(masked(json, scanner)) }
    let bytes = [UInt8](body)
    let finds = scanner.finds(in: bytes, isForm: isForm)
    secrets += finds.map(\.secret)
    let mask = Array(Self.mask.utf8)
    return .bytes(RedactedBytes(bytes, replacing: finds.map { ($0.range, mask) }).bytes)
  }

  /// The value without its secrets, its members in order of their names, of which the last counts, and its numbers
  /// in one spelling.
  private mutating func masked(_ json: JSONValue, _ scanner: SecretScanner) -> JSONValue {
    switch json {
    case .string(let string): return .string(text(string, scanner))
    case .number(let digits):
      // So many digits a Double keeps apart.
      return digits.utf8.count <= 15 ? JSONValue(json.numberValue ?? 0) : json
    case .array(let elements): return .array(elements.map { masked($0, scanner) })
    case .object(let members):
      let last = Dictionary(members.map { ($0.name, $0.value) }) { $1 }
      return .object(
        last.sorted { $0.key < $1.key }.map { name, value in
          .init(
            name, scanner.isSecret(fieldNamed: name) ? maskedSecret(value, scanner) : masked(value, scanner))
        })
    default: return json
    }
  }

  private mutating func maskedSecret(_ value: JSONValue, _ scanner: SecretScanner) -> JSONValue {
    switch value {
    case .string(let secret) where !secret.isEmpty, .number(let secret):
      secrets.append(secret)
      return .string(Self.mask)
    default: return masked(value, scanner)
    }
  }

  private mutating func text(_ text: String, _ scanner: SecretScanner) -> String {
    let bytes = Array(text.utf8)
    return self.text(bytes, scanner.finds(in: bytes))
  }

  private mutating func text(_ bytes: [UInt8], _ finds: [SecretScanner.Find]) -> String {
    secrets += finds.map(\.secret)
    return Self.masked(bytes, finds)
  }

  private static func masked(_ bytes: [UInt8], _ finds: [SecretScanner.Find]) -> String {
    let mask = Array(mask.utf8)
    return String(
      decoding: RedactedBytes(bytes, replacing: finds.map { ($0.range, mask) }).bytes, as: UTF8.self)
  }
}
