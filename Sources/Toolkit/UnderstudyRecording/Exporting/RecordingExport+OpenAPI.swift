import Foundation
import UnderstudyHTTP

extension RecordingExport {
  /// Exports recordings of one or more services as an OpenAPI 3.2.0 document.
  ///
  /// - Each method and path is an operation, with the exchanges as its examples. A path segment that is a UUID is a
  ///   parameter. The common structure of the bodies is their JSON Schema: examples show types, members and formats,
  ///   but no limits.
  /// - A query item or a header field has one of the recorded values, in which any UUID is allowed in place of a UUID.
  /// - A field that consists of a secret is a security scheme, and so is `Authorization: Bearer` with a secret.
  /// - A stream of server-sent events has an `itemSchema`.
  /// - Error responses that do not occur in an exchange are `4XX`, with the common members of all error responses of
  ///   the service.
  ///
  /// The extension `x-recordings` of an operation describes the origin of its exchanges: `[{"id": "todos.add.stored-2",
  /// "recording": "todos/todos.add.stored", "exchange": 2, "status": 201, "conditions": ["signed in"]}, …]`.
  ///
  /// - Parameters:
  ///   - recordings: The recordings; the service of each is a tag.
  ///   - title: The name of the service.
  ///   - version: The version of the recordings.
  package static func openAPI(
    of recordings: [NamedRecording], title: String, version: String
  ) -> RecordingExport {
    var interactions = RecordedInteractions(of: recordings)
    var groups: [OpenAPIOperation] = []
    var services: [String] = []
    for interaction in interactions.all {
      if !services.contains(interaction.service) { services.append(interaction.service) }
      if let events = interaction.events {
        guard Set(events.map(\.isJSON)).count < 2 else {
          interactions.omit(
            interaction, "left out: only some of its events are JSON, but a schema applies to all of them")
          continue
        }
        if interaction.isPieced {
          interactions.omit(
            interaction,
            "exported without its chunks and pauses: OpenAPI describes events, but not their times")
        }
      }
      let index = groups.firstIndex { $0.contains(interaction) } ?? groups.count
      if index == groups.count { groups.append(OpenAPIOperation(interaction)) }
      groups[index].interactions.append(interaction)
    }
    for index in groups.indices {
      groups[index].refusals = refusalSchema(of: groups[index].services, in: interactions.all)
    }
    var schemes: [JSONValue.Member] = []
    for scheme in groups.flatMap(\.securitySchemes) where !schemes.contains(where: { $0.name == scheme.name })
    {
      schemes.append(scheme)
    }
    let openAPI = JSONValue.members([
      "openapi": .string("3.2.0"),
      "info": .members([
        "title": .string(title), "version": .string(version),
        "description": .string("Generated from recorded exchanges between a client and the service."),
      ]),
      "tags": .array(services.map { .members(["name": .string($0)]) }),
      "paths": .object(paths(of: groups)),
      "components": .unlessEmpty(schemes).map { .members(["securitySchemes": $0]) },
    ])
    return RecordingExport(document: openAPI, omissions: interactions.omissions)
  }

  private static func paths(of groups: [OpenAPIOperation]) -> [JSONValue.Member] {
    var paths: [(path: String, operations: [JSONValue.Member], additional: [JSONValue.Member])] = []
    var identifiers: [String: Int] = [:]
    for group in groups {
      let index = paths.firstIndex { $0.path == group.path } ?? paths.count
      if index == paths.count { paths.append((group.path, [], [])) }
      let count = identifiers[group.identifier, default: 0] + 1
      identifiers[group.identifier] = count
      let operation = group.json(identifiedBy: group.identifier + (count == 1 ? "" : "\(count)"))
      if ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY"].contains(group.method)
      {
        paths[index].operations.append(.init(group.method.lowercased(), operation))
      } else {
        paths[index].additional.append(.init(group.method, operation))
      }
    }
    return paths.map { path in
      let additional = JSONValue.unlessEmpty(path.additional).map {
        JSONValue.Member("additionalOperations", $0)
      }
      return .init(path.path, .object(path.operations + (additional.map { [$0] } ?? [])))
    }
  }

  /// Returns the common schema of all error responses of services with a JSON body; `nil` if no such responses exist.
  private static func refusalSchema(
    of services: [String], in interactions: [RecordedInteraction]
  ) -> JSONValue? {
    var shape = JSONShape()
    var isEmpty = true
    for interaction in interactions where interaction.status >= 400 && services.contains(interaction.service)
    {
      guard case .json(let body)? = interaction.response.body else { continue }
      shape.add(body, isOpen: true)
      isEmpty = false
    }
    return isEmpty ? nil : shape.schema
  }
}

extension HTTP.ServerSentEvent {
  /// Whether the data of the event is JSON.
  var isJSON: Bool { (try? JSONValue(parsing: Data(data.utf8))) != nil }
}
