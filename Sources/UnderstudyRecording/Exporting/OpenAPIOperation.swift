import Foundation
import UnderstudyTransport

/// The exchanges of one method and path, as an operation of OpenAPI.
struct OpenAPIOperation {
  let method: String
  /// As in a URL, so that braces in it are no templates.
  let path: String
  var exchanges: [Exchange] = []
  private let tag: String
  /// What refusals look like that no exchange shows.
  let refusals: JSONValue?

  init(_ request: ExchangeRequest, tag: String, refusals: JSONValue?) {
    method = request.method.rawValue
    path = Self.encoded(request.path)
    self.tag = tag
    self.refusals = refusals
  }

  func isOf(_ request: ExchangeRequest) -> Bool {
    method == request.method.rawValue && path == Self.encoded(request.path)
  }

  private static func encoded(_ path: String) -> String {
    path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
  }

  /// The operations of the service that it serves, such as `signInOrRefresh`.
  var identifier: String {
    operations.enumerated().map {
      $0.offset == 0 ? $0.element : $0.element.prefix(1).uppercased() + $0.element.dropFirst()
    }
    .joined(separator: "Or")
  }

  private var operations: [String] {
    exchanges.reduce(into: []) { if !$0.contains($1.operation) { $0.append($1.operation) } }
  }

  func json(identifiedBy identifier: String) -> JSONValue {
    .members([
      "tags": .array([.string(tag)]), "operationId": .string(identifier),
      "description": .string(exchanges.map { "- `\($0.id)`: \($0.statement)" }.joined(separator: "\n")),
      "parameters": parameters.isEmpty ? nil : .array(parameters), "requestBody": requestBody,
      "responses": .object(responses),
      "security": security.isEmpty ? nil : .array([.object(security.map { .init($0, .array([])) })]),
    ])
  }

  // MARK: - Security

  /// The schemes that the fields of any exchange ask for.
  var securitySchemes: [JSONValue.Member] {
    var schemes: [JSONValue.Member] = []
    for (name, value) in exchanges.flatMap({ $0.request.fields.sorted { $0.key < $1.key } }) {
      if let scheme = Self.securityScheme(name, value), !schemes.contains(where: { $0.name == scheme.name }) {
        schemes.append(scheme)
      }
    }
    return schemes
  }

  /// The names of the schemes that every exchange asks for.
  private var security: [String] {
    securitySchemes.map(\.name).filter { name in
      exchanges.allSatisfy { exchange in
        exchange.request.fields.contains { Self.securityScheme($0.key, $0.value)?.name == name }
      }
    }
  }

  private static func securityScheme(_ name: String, _ value: String) -> JSONValue.Member? {
    if name.lowercased() == "authorization" {
      guard value.lowercased().hasPrefix("bearer {") else { return nil }
      return .init("bearer", .members(["type": .string("http"), "scheme": .string("bearer")]))
    }
    guard FilledText(value).onlyName != nil else { return nil }
    return .init(
      name, .members(["type": .string("apiKey"), "in": .string("header"), "name": .string(name)]))
  }

  // MARK: - Parameters

  private var parameters: [JSONValue] {
    Self.parameters(in: "query", exchanges.map(\.request.query))
      + Self.parameters(
        in: "header",
        exchanges.map { exchange in
          exchange.request.fields.filter { name, value in
            // OpenAPI 3.2.0 §4.12.2.1: these are no parameters.
            !["accept", "content-type", "authorization"].contains(name.lowercased())
              && Self.securityScheme(name, value) == nil
          }
        })
  }

  private static func parameters(in place: String, _ all: [[String: String]]) -> [JSONValue] {
    Set(all.flatMap(\.keys)).sorted().map { name in
      let values = all.compactMap { $0[name] }
      return .members([
        "name": .string(name), "in": .string(place), "required": .boolean(values.count == all.count),
        "schema": schema(of: values), "example": values.first.map(JSONValue.string),
      ])
    }
  }

  /// One of the values; a UUID in them is any.
  private static func schema(of values: [String]) -> JSONValue {
    let patterns = Set(values.map(patternForUUIDs)).sorted()
    guard patterns.contains(where: { $0.contains("[0-9A-Fa-f]") }) else {
      return .members(["type": .string("string"), "enum": .array(Set(values).sorted().map(JSONValue.string))])
    }
    let pattern = patterns.count == 1 ? patterns[0] : "(?:\(patterns.joined(separator: "|")))"
    return .members(["type": .string("string"), "pattern": .string("^\(pattern)$")])
  }

  private static func patternForUUIDs(_ text: String) -> String {
    var pattern = ""
    var rest = text[...]
    while let match = rest.firstMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) {
      pattern += String(rest[..<match.range.lowerBound]).escapedForPattern
      pattern += ExchangeResponse.Variation.uuid.pattern ?? ""
      rest = rest[match.range.upperBound...]
    }
    return pattern + String(rest).escapedForPattern
  }
}
