import Foundation
import UnderstudyHTTP

extension OpenAPIOperation {
  /// The request bodies, by media type.
  var requestBody: JSONValue? {
    let withBody = interactions.filter { $0.request.body != nil }
    let types = withBody.reduce(into: [String]()) { types, interaction in
      let type = interaction.request.mediaType
      if !types.contains(type) { types.append(type) }
    }
    guard !types.isEmpty else { return nil }
    let content = types.map { type in
      JSONValue.Member(type, Self.requestMedia(withBody.filter { $0.request.mediaType == type }))
    }
    return .members([
      "required": .boolean(withBody.count == interactions.count), "content": .object(content),
    ])
  }

  /// Returns the schemas of the bodies, with one for each set of members, because a method and path may have several
  /// functions.
  private static func requestMedia(_ interactions: [RecordedInteraction]) -> JSONValue {
    var shapes: [(names: Set<String>, shape: JSONShape)] = []
    for interaction in interactions {
      guard let body = interaction.request.body?.value else { continue }
      var names: Set<String> = []
      if case .object(let members) = body { names = Set(members.map(\.name)) }
      let index = shapes.firstIndex { $0.names == names } ?? shapes.count
      if index == shapes.count { shapes.append((names, JSONShape())) }
      shapes[index].shape.add(body)
    }
    let all = shapes.map(\.shape.schema)
    return .members([
      "schema": all.count == 1 ? all[0] : .members(["anyOf": .array(all)]),
      "examples": .object(
        interactions.map { .init($0.id, example($0, value: ("value", $0.request.body?.value))) }),
    ])
  }

  private static func example(
    _ interaction: RecordedInteraction, value: (name: String, value: JSONValue?)
  ) -> JSONValue {
    let members = [
      JSONValue.Member("summary", .string(interaction.title)), value.value.map { .init(value.name, $0) },
    ]
    return .object(members.compactMap { $0 })
  }

  // MARK: - Responses

  /// The responses, by status.
  var responses: [JSONValue.Member] {
    let statuses = Set(interactions.map(\.status)).sorted()
    var responses = statuses.map { status in
      JSONValue.Member("\(status)", Self.response(interactions.filter { $0.status == status }))
    }
    if let refusals {
      responses.append(
        .init(
          "4XX",
          .members([
            "description": .string(
              "An error that was not recorded, with the members that all error responses have in common."),
            "content": .members(["application/json": .members(["schema": refusals])]),
          ])))
    }
    return responses
  }

  private static func response(_ interactions: [RecordedInteraction]) -> JSONValue {
    let withBody = interactions.filter { $0.response.body != nil }
    let types = withBody.reduce(into: [String]()) { types, interaction in
      let type = interaction.response.mediaType
      if !types.contains(type) { types.append(type) }
    }
    let clauses = interactions.reduce(into: [String]()) { clauses, interaction in
      let clause = interaction.recording.split(separator: "/").last.map(String.init) ?? ""
      if !clauses.contains(clause) { clauses.append(clause) }
    }
    return .members([
      "description": .string("Recorded by \(clauses.joined(separator: ", "))."),
      "headers": .unlessEmpty(headers(interactions.map(\.response.fields))),
      "content": .unlessEmpty(
        types.map { type in
          .init(type, responseMedia(withBody.filter { $0.response.mediaType == type }))
        }),
    ])
  }

  private static func headers(_ all: [[(name: String, value: RecordedText)]]) -> [JSONValue.Member] {
    Set(all.flatMap { $0.map(\.name) }).sorted().compactMap { name in
      // OpenAPI 3.2.0, Response Object: `Content-Type` is ignored, because the content defines it.
      guard name.lowercased() != "content-type" else { return nil }
      let values = all.compactMap { fields in fields.first { $0.name == name }?.value.text }
      return .init(
        name,
        .members([
          "required": .boolean(values.count == all.count), "schema": .members(["type": .string("string")]),
          "example": values.first.map(JSONValue.string),
        ]))
    }
  }

  private static func responseMedia(_ interactions: [RecordedInteraction]) -> JSONValue {
    let streams = interactions.compactMap(\.events)
    guard streams.isEmpty else {
      return .members([
        "itemSchema": eventSchema(streams.flatMap { $0 }),
        "examples": .object(
          interactions.map { .init($0.id, example($0, value: ("serializedValue", $0.response.body?.value))) }),
      ])
    }
    var shape = JSONShape()
    for interaction in interactions { if let body = interaction.response.body { shape.add(body.value) } }
    return .members([
      "schema": shape.schema,
      "examples": .object(
        interactions.map { .init($0.id, example($0, value: ("value", $0.response.body?.value))) }),
    ])
  }

  /// Returns the schema of an event as in OpenAPI 3.2.0 (Media Type Object, sequential media types): an object of its
  /// fields, with the data as a string.
  private static func eventSchema(_ events: [HTTP.ServerSentEvent]) -> JSONValue {
    var data = JSONShape()
    for event in events {
      if let json = try? JSONValue(parsing: Data(event.data.utf8)) { data.add(json) }
    }
    let isJSON = events.allSatisfy(\.isJSON)
    let text = JSONValue.members([
      "type": .string("string"), "contentMediaType": isJSON ? .string("application/json") : nil,
      "contentSchema": isJSON ? data.schema : nil,
    ])
    return .members([
      "type": .string("object"), "properties": .members(["data": text]),
      "required": .array([.string("data")]),
    ])
  }
}
