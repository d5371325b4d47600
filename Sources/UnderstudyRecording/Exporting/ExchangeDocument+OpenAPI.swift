import Foundation
import UnderstudyHTTP

extension ExchangeDocument {
  /// The exchanges of one or several documents as one OpenAPI 3.2.0 document.
  ///
  /// - An operation for each method and path, with the exchanges as its examples. What the bodies have in common is
  ///   their JSON Schema: an example shows types, members and forms, and no limits.
  /// - A query item or a header field has one of the values that are shown, in which any UUID may stand for a UUID.
  /// - A field that is nothing but a name in braces is a security scheme, and so is `Authorization: Bearer {…}`.
  /// - A stream of server-sent events has an `itemSchema`.
  /// - Refusals that no exchange shows are `4XX`, with the members that all refusals of the document have.
  ///
  /// - What OpenAPI has no word for, the conditions of each exchange, is in an extension `x-exchanges` of its operation:
  ///   `[{"id": "todos.add.stored", "given": ["signed in"], "status": 201}, …]`.
  ///
  /// Not there: exchanges whose answer breaks off or never ends, those whose success the client reports as an error,
  /// where a stream is cut and pauses, and the parameters of media types.
  ///
  /// - Parameters:
  ///   - documents: The documents, each of which is a tag.
  ///   - title: What the service is called.
  ///   - version: The version of the documents.
  public static func openAPI(
    of documents: [ExchangeDocument], title: String, version: String
  ) -> ExchangeExport {
    var omissions: [ExchangeExport.Omission] = []
    var groups: [OpenAPIOperation] = []
    for document in documents {
      let refusals = document.refusalSchema
      for exchange in document.exchanges {
        if let reason = exchange.reasonToLeaveOutOfOpenAPI {
          omissions.append(.init(exchangeID: exchange.id, extent: .exchange, reason: reason))
          continue
        }
        if exchange.response.isPieced {
          omissions.append(
            .init(
              exchangeID: exchange.id, extent: .part("its cuts and pauses"),
              reason: "OpenAPI describes the events of a stream, and not when they come"))
        }
        let index = groups.firstIndex { $0.isOf(exchange.request) } ?? groups.count
        if index == groups.count {
          groups.append(OpenAPIOperation(exchange.request, tag: document.service, refusals: refusals))
        }
        groups[index].exchanges.append(exchange)
      }
    }
    var schemes: [JSONValue.Member] = []
    for scheme in groups.flatMap(\.securitySchemes) where !schemes.contains(where: { $0.name == scheme.name })
    {
      schemes.append(scheme)
    }
    let names = documents.flatMap(\.namesToFill).map { "{\($0)}" }
    let description =
      "Made from exchanges: what a client and the service say to each other."
      + (names.isEmpty ? "" : " In examples, names in braces stand for what only a run can know.")
    let openAPI = JSONValue.members([
      "openapi": .string("3.2.0"),
      "info": .members([
        "title": .string(title), "version": .string(version), "description": .string(description),
      ]),
      "tags": .array(
        documents.map { .members(["name": .string($0.service), "description": .string($0.statement)]) }),
      "paths": .object(paths(of: groups)),
      "components": .unlessEmpty(schemes).map { .members(["securitySchemes": $0]) },
    ])
    return ExchangeExport(document: openAPI, omissions: omissions)
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

  /// What all refusals with a JSON body look like; `nil` if there are none.
  private var refusalSchema: JSONValue? {
    let refusals = exchanges.filter { $0.response.status >= 400 && $0.reasonToLeaveOutOfOpenAPI == nil }
    let bodies = refusals.compactMap(\.response.body)
    guard !bodies.isEmpty else { return nil }
    var schema = ExampleSchema()
    for body in bodies { schema.add(body, isOpen: true) }
    return schema.json
  }
}

extension Exchange {
  /// Why OpenAPI has no words for it; `nil` if it has.
  fileprivate var reasonToLeaveOutOfOpenAPI: String? {
    if let reason = response.ending.reasonToLeaveOut { return reason }
    if case .error = meaning, (200..<300).contains(response.status) {
      return "its status says success and its body does not, and OpenAPI tells answers apart by their status"
    }
    return nil
  }
}
