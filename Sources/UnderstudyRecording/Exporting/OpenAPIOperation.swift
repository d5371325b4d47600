import Foundation
import UnderstudyHTTP

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
      "x-exchanges": .array(exchanges.map(Self.summary)),
      "security": security.isEmpty ? nil : .array([.object(security.map { .init($0, .array([])) })]),
    ])
  }

  /// What a tool needs to know to bring an exchange about.
  private static func summary(of exchange: Exchange) -> JSONValue {
    .members([
      "id": .string(exchange.id), "given": .array(exchange.conditions.map(JSONValue.string)),
      "status": .number("\(exchange.response.status)"),
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

  static func securityScheme(_ name: String, _ value: String) -> JSONValue.Member? {
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
    parameters(in: "query") { $0.query } + parameters(in: "header") { $0.headerParameters }
  }

  private func parameters(
    in place: String, _ values: (ExchangeRequest) -> [String: String]
  ) -> [JSONValue] {
    let all = exchanges.map { (id: $0.id, values: values($0.request)) }
    return Set(all.flatMap(\.values.keys)).sorted().map { name in
      let shown = all.compactMap { id, values in values[name].map { (id: id, value: $0) } }
      let isAlwaysTheSame = Set(shown.map(\.value)).count == 1
      // Named as the examples of the bodies are, so that a tool can tell what goes with what.
      let examples = shown.map {
        JSONValue.Member($0.id, .members(["value": .string($0.value)]))
      }
      return .members([
        "name": .string(name), "in": .string(place), "required": .boolean(shown.count == all.count),
        "schema": Self.schema(of: shown.map(\.value)),
        "example": isAlwaysTheSame ? shown.first.map { .string($0.value) } : nil,
        "examples": isAlwaysTheSame ? nil : .object(examples),
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

extension ExchangeRequest {
  /// The fields that are parameters; of those that are not, OpenAPI 3.2.0 says so at its Parameter Object.
  fileprivate var headerParameters: [String: String] {
    fields.filter { name, value in
      !["accept", "content-type", "authorization"].contains(name.lowercased())
        && OpenAPIOperation.securityScheme(name, value) == nil
    }
  }
}
