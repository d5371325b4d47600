import Foundation
import UnderstudyHTTP

/// The exchanges with one method and path, as an OpenAPI operation.
struct OpenAPIOperation {
  let method: String
  /// Percent-encoded, so that braces in it are not templates; a segment that is a UUID becomes a template.
  let path: String
  /// The names of the path templates.
  private let pathParameters: [String]
  var interactions: [RecordedInteraction] = []
  /// The schema of error responses that do not occur in an exchange.
  var refusals: JSONValue?

  init(_ interaction: RecordedInteraction) {
    method = interaction.method.rawValue
    (path, pathParameters) = Self.template(interaction.path.text)
  }

  func contains(_ interaction: RecordedInteraction) -> Bool {
    method == interaction.method.rawValue && path == Self.template(interaction.path.text).path
  }

  private static func template(_ path: String) -> (path: String, parameters: [String]) {
    var parameters: [String] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      guard segment.utf8.count == 36, RecordedText(String(segment)).varies else { return String(segment) }
      parameters.append(parameters.isEmpty ? "id" : "id\(parameters.count + 1)")
      return "{\(parameters.last ?? "")}"
    }
    return (segments.joined(separator: "/"), parameters)
  }

  /// The services whose recordings contain the operation.
  var services: [String] {
    interactions.reduce(into: []) { if !$0.contains($1.service) { $0.append($1.service) } }
  }

  /// The method and the words of the path, such as `postRestV1Children`.
  var identifier: String {
    let words = path.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    return method.lowercased() + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  func json(identifiedBy identifier: String) -> JSONValue {
    .members([
      "tags": .array(services.map(JSONValue.string)), "operationId": .string(identifier),
      "parameters": parameters.isEmpty ? nil : .array(parameters), "requestBody": requestBody,
      "responses": .object(responses),
      "x-recordings": .array(interactions.map(Self.summary)),
      "security": security.isEmpty ? nil : .array([.object(security.map { .init($0, .array([])) })]),
    ])
  }

  /// Returns the information that a tool requires to set up an exchange.
  private static func summary(of interaction: RecordedInteraction) -> JSONValue {
    let conditions = interaction.states.dropLast(interaction.index == 0 ? 0 : 1)
    return .members([
      "id": .string(interaction.id), "recording": .string(interaction.recording),
      "exchange": .number("\(interaction.index + 1)"), "status": .number("\(interaction.status)"),
      "conditions": .array(conditions.map { .string($0.name) }),
    ])
  }

  // MARK: - Security

  /// The security schemes of the fields of any exchange.
  var securitySchemes: [JSONValue.Member] {
    var schemes: [JSONValue.Member] = []
    for field in interactions.flatMap(\.request.fields) {
      if let scheme = Self.securityScheme(field), !schemes.contains(where: { $0.name == scheme.name }) {
        schemes.append(scheme)
      }
    }
    return schemes
  }

  /// The names of the security schemes that every exchange uses.
  private var security: [String] {
    securitySchemes.map(\.name).filter { name in
      interactions.allSatisfy { interaction in
        interaction.request.fields.contains { Self.securityScheme($0)?.name == name }
      }
    }
  }

  static func securityScheme(_ field: (name: String, value: RecordedText)) -> JSONValue.Member? {
    if field.name.lowercased() == "authorization" {
      guard field.value.isBearerToken else { return nil }
      return .init("bearer", .members(["type": .string("http"), "scheme": .string("bearer")]))
    }
    guard field.value.isSecret else { return nil }
    return .init(
      field.name,
      .members(["type": .string("apiKey"), "in": .string("header"), "name": .string(field.name)]))
  }

  // MARK: - Parameters

  private var parameters: [JSONValue] {
    let identifier = JSONValue.members(["type": .string("string"), "format": .string("uuid")])
    let inPath = pathParameters.map { name in
      JSONValue.members([
        "name": .string(name), "in": .string("path"), "required": .boolean(true), "schema": identifier,
      ])
    }
    return inPath
      + parameters(in: "query") { interaction in
        interaction.query.compactMap { item in item.values.first.map { (item.name, $0) } }
      } + parameters(in: "header") { $0.headerParameters }
  }

  private func parameters(
    in place: String, _ values: (RecordedInteraction) -> [(name: String, value: RecordedText)]
  ) -> [JSONValue] {
    let all = interactions.map { (id: $0.id, values: values($0)) }
    return Set(all.flatMap { $0.values.map(\.name) }).sorted().map { name in
      let shown = all.compactMap { id, values in
        values.first { $0.name == name }.map { (id: id, value: $0.value) }
      }
      let isAlwaysTheSame = Set(shown.map(\.value.text)).count == 1
      // Named like the examples of the bodies, so that tools can correlate them.
      let examples = shown.map {
        JSONValue.Member($0.id, .members(["value": .string($0.value.text)]))
      }
      return .members([
        "name": .string(name), "in": .string(place), "required": .boolean(shown.count == all.count),
        "schema": Self.schema(of: shown.map(\.value)),
        "example": isAlwaysTheSame ? shown.first.map { .string($0.value.text) } : nil,
        "examples": isAlwaysTheSame ? nil : .object(examples),
      ])
    }
  }

  /// Returns a schema of one of the values, in which any UUID is allowed in place of a UUID.
  private static func schema(of values: [RecordedText]) -> JSONValue {
    guard values.contains(where: \.varies) else {
      let texts = Set(values.map(\.text)).sorted()
      return .members(["type": .string("string"), "enum": .array(texts.map(JSONValue.string))])
    }
    let patterns = Set(values.map(\.pattern)).sorted()
    let pattern = patterns.count == 1 ? patterns[0] : "(?:\(patterns.joined(separator: "|")))"
    return .members(["type": .string("string"), "pattern": .string("^\(pattern)$")])
  }
}

extension RecordedInteraction {
  /// The fields that are parameters; the Parameter Object of OpenAPI 3.2.0 lists the fields that are not.
  fileprivate var headerParameters: [(name: String, value: RecordedText)] {
    request.fields.filter { field in
      !["accept", "content-type", "authorization"].contains(field.name.lowercased())
        && OpenAPIOperation.securityScheme(field) == nil
    }
  }
}
