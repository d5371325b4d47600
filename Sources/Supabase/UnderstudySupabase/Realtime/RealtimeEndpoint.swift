import Foundation
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// The endpoint of Realtime under `/realtime/v1`: the handshake of its WebSocket, and broadcasts over HTTP.
struct RealtimeEndpoint {
  let emulator: SupabaseEmulator

  /// - Parameter key: The project's key from the request.
  func respond(
    to request: HTTP.Request, _ target: RequestTarget, path: [String], key: String
  ) -> HTTP.Response {
    if path.prefix(2) == ["api", "broadcast"], request.method == .post {
      if path.count == 2 { return broadcast(request, key) }
      if path.count == 5, path[3] == "events" {
        let topic = RealtimeTopic(name: path[2], isPrivate: target["private"] == "true")
        return broadcast(request, key, event: path[4], to: topic)
      }
    }
    guard path == ["websocket"] else {
      return HTTP.Response(
        status: 404, body: .json(of: ["error": "not found"]), contentType: "application/json")
    }
    // An unsupported version is refused without a body (`Phoenix.Transports.WebSocket.call`).
    guard let version = PhoenixVersion(target["vsn"]) else { return HTTP.Response(status: 403) }
    return .webSocket { [emulator] socket in
      await RealtimeConnection(
        socket, version, RealtimeTokens(emulator: emulator, connectionKey: key), emulator.database,
        emulator.auth.time
      ).run()
    }
  }
}

/// Broadcasts over HTTP, to topics whose names have no prefix.
extension RealtimeEndpoint {
  /// Sends a batch of broadcasts (`Realtime.Tenants.BatchBroadcast`).
  private func broadcast(_ request: HTTP.Request, _ key: String) -> HTTP.Response {
    guard let role = role(of: request, key) else {
      return .realtime(401, ["message": .string("Unauthorized")])
    }
    let body = request.body.flatMap { try? JSONValue(parsing: $0) }
    guard case .array(let messages)? = body?["messages"], !messages.isEmpty else {
      return .realtime(422, ["errors": Self.errors(["messages": "can't be blank"])])
    }
    let errors = messages.map(Self.errors(in:))
    guard errors.allSatisfy({ $0 == .object([]) }) else {
      return .realtime(422, ["errors": .object([.init("messages", .array(errors))])])
    }
    var isAllowed: [String: Bool] = [:]
    for message in messages {
      let topic = RealtimeTopic(
        name: message["topic"]?.stringValue ?? "", isPrivate: message["private"] == .boolean(true))
      if topic.isPrivate {
        let allowed =
          isAllowed[topic.name] ?? emulator.database.mayWrite(.broadcast, on: topic.name, as: role)
        isAllowed[topic.name] = allowed
        // Without the right to send, a message is dropped.
        guard allowed else { continue }
      }
      var payload: [JSONValue.Member] = [
        .init("event", message["event"] ?? .null), .init("payload", message["payload"] ?? .null),
        .init("type", .string("broadcast")),
      ]
      if let id = message["id"]?.stringValue {
        payload.append(.init("meta", .object([.init("id", .string(id))])))
      }
      emulator.database.topics.send(.broadcast(.object(payload)), to: topic)
    }
    return HTTP.Response(status: 202)
  }

  /// Sends one broadcast, whose content is the body (`Realtime.Tenants.SingleBroadcast`).
  private func broadcast(
    _ request: HTTP.Request, _ key: String, event: String, to topic: RealtimeTopic
  ) -> HTTP.Response {
    let type = request.fields["Content-Type"].map { $0.prefix { $0 != ";" } } ?? "application/json"
    let content = request.body ?? Data()
    let broadcast: UserBroadcast
    switch type.lowercased() {
    case "application/octet-stream":
      broadcast = UserBroadcast(event: event, content: .binary(content), metadata: nil)
    case "application/json":
      // `Plug.Parsers.ParseError`.
      guard (try? JSONValue(parsing: content)) != nil else { return HTTP.Response(status: 400) }
      broadcast = UserBroadcast(event: event, content: .json(content), metadata: nil)
    default:
      return .realtime(
        415,
        [
          "error": .string("Unsupported Media Type. Use application/json or application/octet-stream")
        ])
    }
    guard let role = role(of: request, key) else {
      return .realtime(401, ["message": .string("Unauthorized")])
    }
    if topic.isPrivate, !emulator.database.mayWrite(.broadcast, on: topic.name, as: role) {
      return .realtime(403, ["message": .string("Unauthorized")])
    }
    emulator.database.topics.send(.userBroadcast(broadcast), to: topic)
    return HTTP.Response(status: 202)
  }

  /// Returns the role of the bearer token, otherwise that of the key; `nil` for an invalid one (`AuthTenant`).
  private func role(of request: HTTP.Request, _ key: String) -> DatabaseRole? {
    let token = request.fields["Authorization"].map { BearerToken.token(in: $0) ?? "" } ?? key
    return try? RealtimeTokens(emulator: emulator, connectionKey: key).grant(for: token).role
  }

  /// Returns the errors of a message by its members.
  private static func errors(in message: JSONValue) -> JSONValue {
    var errors: [String: String] = [:]
    for name in ["topic", "event"] {
      switch message[name] {
      case .string(let text)? where !text.isEmpty: break
      case nil, .null?, .string?: errors[name] = "can't be blank"
      default: errors[name] = "is invalid"
      }
    }
    switch message["payload"] {
    case .object?: break
    case nil, .null?: errors["payload"] = "can't be blank"
    default: errors["payload"] = "is invalid"
    }
    return self.errors(errors)
  }

  /// Returns errors as `Ecto.Changeset.traverse_errors` lists them.
  private static func errors(_ errors: [String: String]) -> JSONValue {
    .object(errors.sorted { $0.key < $1.key }.map { .init($0.key, .array([.string($0.value)])) })
  }
}

extension HTTP.Response {
  fileprivate static func realtime(_ status: Int, _ body: [String: JSONValue]) -> HTTP.Response {
    let text = JSONValue.object(body.map { .init($0.key, $0.value) }).compactText
    return HTTP.Response(
      status: status, body: Data(text.utf8), contentType: "application/json; charset=utf-8")
  }
}
