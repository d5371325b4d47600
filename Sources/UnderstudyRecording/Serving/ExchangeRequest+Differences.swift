import Foundation
import UnderstudyHTTP

extension ExchangeRequest {
  /// Whether a request has the method and the path of this one.
  func isAtPlace(of request: HTTPRequest) -> Bool {
    request.method == method && request.url.path(percentEncoded: false) == path
  }

  /// In what a request with the same method and path is not this one; empty if it is.
  ///
  /// Where this one has a name in braces, any text may stand. Fields and members of no exchange may be sent, but no
  /// other items of the query and, in bodies, no other members.
  func differences(from request: HTTPRequest) -> [String] {
    queryDifferences(from: request.url) + fieldDifferences(from: request.fields)
      + bodyDifferences(from: request.body)
  }

  private func queryDifferences(from url: URL) -> [String] {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    let found = Dictionary(items.map { ($0.name, $0.value ?? "") }) { _, last in last }
    return Set(query.keys).union(found.keys).sorted().compactMap { name in
      guard found[name] != query[name] else { return nil }
      return
        "Expected the query's \(name) to be \(query[name] ?? "nothing"), found \(found[name] ?? "nothing")."
    }
  }

  private func fieldDifferences(from fields: HTTPFields) -> [String] {
    self.fields.sorted { $0.key < $1.key }.compactMap { name, value in
      guard let found = fields[name] else { return "Expected \(name): \(value)." }
      return FilledText(value).matches(found) ? nil : "Expected \(name): \(value), found \(found)."
    }
  }

  private func bodyDifferences(from bytes: Data?) -> [String] {
    guard let body else { return bytes?.isEmpty ?? true ? [] : ["Expected no body."] }
    if let textBody {
      let found = String(decoding: bytes ?? Data(), as: UTF8.self)
      return FilledText(textBody).matches(found) ? [] : ["Expected the body \(textBody), found \(found)."]
    }
    guard let bytes, let found = try? JSONValue(parsing: bytes) else { return ["Expected a body of JSON."] }
    return body.filled(as: found).differences(from: found, at: "", [:])
  }
}

extension JSONValue {
  /// The value with each text whose names in braces can stand for the text at its place in another replaced by that.
  fileprivate func filled(as other: JSONValue) -> JSONValue {
    switch (self, other) {
    case (.string(let text), .string(let found)) where FilledText(text).matches(found): other
    case (.array(let elements), .array(let others)) where elements.count == others.count:
      .array(zip(elements, others).map { $0.filled(as: $1) })
    case (.object(let members), .object):
      .object(members.map { .init($0.name, other[$0.name].map($0.value.filled) ?? $0.value) })
    default: self
    }
  }
}
