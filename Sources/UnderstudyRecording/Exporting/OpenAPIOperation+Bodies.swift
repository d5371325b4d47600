import Foundation
import UnderstudyHTTP

extension OpenAPIOperation {
  /// The bodies of the requests, by their media types.
  var requestBody: JSONValue? {
    let withBody = exchanges.filter { $0.request.body != nil }
    let types = withBody.reduce(into: [String]()) { types, exchange in
      let type = exchange.request.fields.mediaType
      if !types.contains(type) { types.append(type) }
    }
    guard !types.isEmpty else { return nil }
    let content = types.map { type in
      JSONValue.Member(type, Self.requestMedia(withBody.filter { $0.request.fields.mediaType == type }))
    }
    return .members([
      "required": .boolean(withBody.count == exchanges.count), "content": .object(content),
    ])
  }

  /// Operations of the service that share a method and a path may have bodies of their own.
  private static func requestMedia(_ exchanges: [Exchange]) -> JSONValue {
    var schemas: [(operation: String, schema: ExampleSchema)] = []
    for exchange in exchanges {
      guard let body = exchange.request.body else { continue }
      let index = schemas.firstIndex { $0.operation == exchange.operation } ?? schemas.count
      if index == schemas.count { schemas.append((exchange.operation, ExampleSchema())) }
      schemas[index].schema.add(body)
    }
    let all = schemas.map(\.schema.json)
    return .members([
      "schema": all.count == 1 ? all[0] : .members(["anyOf": .array(all)]),
      "examples": .object(exchanges.map { .init($0.id, example($0, value: ("value", $0.request.body))) }),
    ])
  }

  private static func example(_ exchange: Exchange, value: (name: String, value: JSONValue?)) -> JSONValue {
    let given =
      exchange.conditions.isEmpty ? nil : "Given: \(exchange.conditions.joined(separator: ", "))."
    return .members([
      "summary": .string(exchange.statement), "description": given.map(JSONValue.string),
    ]).adding(value.value.map { .init(value.name, $0) })
  }

  // MARK: - Responses

  /// The answers by their status.
  var responses: [JSONValue.Member] {
    let statuses = Set(exchanges.map(\.response.status)).sorted()
    var responses = statuses.map { status in
      JSONValue.Member("\(status)", Self.response(exchanges.filter { $0.response.status == status }))
    }
    if let refusals {
      responses.append(
        .init(
          "4XX",
          .members([
            "description": .string(
              "A refusal that no exchange shows, with the members that all of them have."),
            "content": .members(["application/json": .members(["schema": refusals])]),
          ])))
    }
    return responses
  }

  private static func response(_ exchanges: [Exchange]) -> JSONValue {
    let withBody = exchanges.filter { $0.response.body != nil || !$0.response.chunks.isEmpty }
    let types = withBody.reduce(into: [String]()) { types, exchange in
      let type = exchange.response.fields.mediaType
      if !types.contains(type) { types.append(type) }
    }
    let statements = exchanges.map(\.statement).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    return .members([
      "description": .string(statements.joined(separator: " ")),
      "headers": .unlessEmpty(headers(exchanges.map(\.response.fields))),
      "content": .unlessEmpty(
        types.map { type in
          .init(type, responseMedia(withBody.filter { $0.response.fields.mediaType == type }))
        }),
    ])
  }

  private static func headers(_ all: [[String: String]]) -> [JSONValue.Member] {
    Set(all.flatMap(\.keys)).sorted().compactMap { name in
      // OpenAPI 3.2.0, Response Object: it is what the content says.
      guard name.lowercased() != "content-type" else { return nil }
      let values = all.compactMap { $0[name] }
      return .init(
        name,
        .members([
          "required": .boolean(values.count == all.count), "schema": .members(["type": .string("string")]),
          "example": values.first.map(JSONValue.string),
        ]))
    }
  }

  private static func responseMedia(_ exchanges: [Exchange]) -> JSONValue {
    let streams = exchanges.filter(\.response.isEventStream)
    guard streams.isEmpty else {
      return .members([
        "itemSchema": eventSchema(streams.map(\.response)),
        "examples": .object(
          streams.map { exchange in
            let text = exchange.response.chunks.map(\.text).joined()
            return .init(exchange.id, example(exchange, value: ("serializedValue", .string(text))))
          }),
      ])
    }
    var schema = ExampleSchema()
    for exchange in exchanges {
      schema.add(exchange.response.content, exchange.response.variations)
    }
    return .members([
      "schema": schema.json,
      "examples": .object(exchanges.map { .init($0.id, example($0, value: ("value", $0.response.content))) }),
    ])
  }

  /// An event as OpenAPI 3.2.0 sees it (Media Type Object, sequential media types): an object of its fields, of which the data is a string.
  private static func eventSchema(_ responses: [ExchangeResponse]) -> JSONValue {
    var data = ExampleSchema()
    var isJSON = true
    for response in responses {
      for (index, event) in ((try? response.events) ?? []).enumerated() {
        guard let json = try? JSONValue(parsing: Data(event.data.utf8)) else {
          isJSON = false
          continue
        }
        data.add(json, response.variations, at: "\(index)")
      }
    }
    let text = JSONValue.members([
      "type": .string("string"), "contentMediaType": isJSON ? .string("application/json") : nil,
      "contentSchema": isJSON ? data.json : nil,
    ])
    return .members([
      "type": .string("object"), "properties": .members(["data": text]),
      "required": .array([.string("data")]),
    ])
  }
}

extension ExchangeResponse {
  /// The body as a value: its JSON, or its text.
  fileprivate var content: JSONValue { body ?? .string(chunks.map(\.text).joined()) }
}

extension [String: String] {
  /// The media type that header fields name, without its parameters.
  fileprivate var mediaType: String {
    let type = (contentType ?? "application/json").split(separator: ";").first.map(String.init)
    return (type ?? "").trimmingCharacters(in: .whitespaces).lowercased()
  }
}

extension JSONValue {
  /// An object with one member more.
  fileprivate func adding(_ member: Member?) -> JSONValue {
    guard case .object(let members) = self, let member else { return self }
    return .object(members + [member])
  }
}
