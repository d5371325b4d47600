public import UnderstudyHTTP
import Foundation

/// A backend with a door for tests, at ``ConditionsEndpoint/path``; every other request is the backend's.
///
/// | Request | What it does |
/// |---|---|
/// | `GET` | lists the conditions: `{"conditions": ["signed in", …]}` |
/// | `POST {"condition": "signed in"}` | makes one hold |
/// | `POST {"state": "signed in", "action": "setup"}` | the same, as verifiers of Pact files ask for it |
/// | `POST {"state": "signed in", "action": "teardown"}` | makes everything as it was in the beginning |
/// | `DELETE` | the same |
///
/// What is made to hold is answered with what a caller needs to know, such as
/// `{"key": "anon-key", "token": "eyJ…", "user": "a0000000-…"}`; a verifier of a Pact file puts that where the file
/// has generators of the type `ProviderState`. An empty state is none. A refusal is `{"message": "…"}`: 400 for a
/// request that cannot be understood, 404 for an unknown condition, 409 for one that cannot hold now.
public struct ConditionsEndpoint<Backend: ConditionedHandler>: HTTPHandler {
  /// What answers all other requests.
  public let backend: Backend

  /// The path of the door.
  public static var path: String { "/understudy/conditions" }

  /// A door before a backend.
  public init(_ backend: Backend) {
    self.backend = backend
  }

  /// Answers a request for the door, or lets the backend answer.
  public func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    guard request.url.path() == Self.path else { return try await backend.respond(to: request) }
    switch request.method {
    case .get:
      return Self.answer(["conditions": .array(backend.conditions.map(JSONValue.string))])
    case .post: return await change(request.body ?? Data())
    case .delete:
      return await answering {
        try await backend.reset()
        return [:]
      }
    default:
      return Self.refusal(
        405, "Expected GET, POST or DELETE, found \(request.method).", allow: "GET, POST, DELETE")
    }
  }

  private func change(_ body: Data) async -> HTTPResponse {
    guard let json = try? JSONValue(parsing: body), case .object = json,
      let condition = (json["condition"] ?? json["state"])?.stringValue
    else {
      return Self.refusal(
        400, "Expected {\"condition\": \"…\"} or {\"state\": \"…\", \"action\": \"setup\"}.")
    }
    if let parameters = json["params"], ![.null, .object([])].contains(parameters) {
      return Self.refusal(400, "Conditions take no parameters, found \(parameters.compactText).")
    }
    switch json["action"] {
    case nil, .null?, .string("setup")?:
      return await answering { condition.isEmpty ? [:] : try await backend.bringAbout(condition) }
    case .string("teardown")?:
      return await answering {
        try await backend.reset()
        return [:]
      }
    case let action?:
      return Self.refusal(400, "Expected the action setup or teardown, found \(action.compactText).")
    }
  }

  private func answering(_ values: () async throws -> [String: String]) async -> HTTPResponse {
    do {
      return Self.answer(try await values().mapValues(JSONValue.string))
    } catch let error as UnknownCondition {
      return Self.refusal(404, error.description)
    } catch {
      return Self.refusal(409, "This cannot be brought about now: \(error). DELETE \(Self.path) begins anew.")
    }
  }

  private static func answer(_ values: [String: JSONValue]) -> HTTPResponse {
    let members = values.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value) }
    return HTTPResponse(
      status: 200, body: Data(JSONValue.object(members).compactText.utf8), contentType: "application/json")
  }

  private static func refusal(_ status: Int, _ message: String, allow: String? = nil) -> HTTPResponse {
    var response = HTTPResponse(
      status: status, body: Data(JSONValue.members(["message": .string(message)]).compactText.utf8),
      contentType: "application/json")
    response.fields["Allow"] = allow
    return response
  }
}
