import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// A topic that a client has joined.
final class RealtimeChannel: Sendable {
  /// The subscription to changes.
  struct Feed: Sendable {
    let id: Int
    let changes: AsyncThrowingStream<RowChange, any Error>
  }

  /// The current token and what it grants.
  struct Credentials: Sendable {
    var token: String
    var grant: AuthServer.Grant
  }

  let topic: String
  let joinRef: JSONValue
  /// Whether the client joined without a `config`, naming the table in the topic as old clients do.
  let isLegacy: Bool
  let bindings: [RealtimeBinding]
  /// The subscription; `nil` if no changes were requested, or the database refused them.
  let feed: Feed?
  /// The broadcasts of other channels on the topic.
  let broadcasts: RealtimeBroadcasts.Subscription
  /// Whether the channel receives its own broadcasts (`config.broadcast.self`).
  let receivesOwnBroadcasts: Bool
  /// Whether a broadcast has a reply (`config.broadcast.ack`).
  let acknowledgesBroadcasts: Bool
  let credentials: Locked<Credentials>
  /// Whether the channel is left or closed, so that nothing more is sent.
  let isOver = Locked(false)

  /// - Parameter config: The `config` of the join; `nil` for an old client.
  init(
    topic: String, joinRef: JSONValue, config: JSONValue?, bindings: [RealtimeBinding], feed: Feed?,
    _ broadcasts: RealtimeBroadcasts.Subscription, _ credentials: Credentials
  ) {
    self.topic = topic
    self.joinRef = joinRef
    isLegacy = config == nil
    self.broadcasts = broadcasts
    receivesOwnBroadcasts = config?["broadcast"]?["self"] == .boolean(true)
    acknowledgesBroadcasts = config?["broadcast"]?["ack"] == .boolean(true)
    self.bindings = bindings
    self.feed = feed
    self.credentials = Locked(credentials)
  }

  /// The topic without `realtime:`.
  var name: String { String(topic.dropFirst(RealtimeConnection.prefix.count)) }

  /// Returns a message that is not a reply.
  func push(_ event: String, _ payload: JSONValue) -> PhoenixMessage {
    PhoenixMessage(joinRef: joinRef, topic: topic, event: event, payload: payload)
  }

  /// Returns a message about the state of the channel.
  func system(_ status: String, from sender: String, _ message: String) -> PhoenixMessage {
    push(
      "system",
      .object([
        .init("channel", .string(name)), .init("extension", .string(sender)),
        .init("message", .string(message)), .init("status", .string(status)),
      ]))
  }

  /// Returns the message that the channel has ended (`phx_close`) or failed (`phx_error`).
  func ending(_ event: String) -> PhoenixMessage {
    PhoenixMessage(joinRef: joinRef, ref: joinRef, topic: topic, event: event, payload: .object([]))
  }

  /// Returns the messages for a change: one for each selection of columns among the matching bindings.
  func messages(for change: RowChange) -> [PhoenixMessage] {
    var selections: [(selected: [String]?, ids: [JSONValue])] = []
    for binding in bindings where binding.matches(change) {
      let id = JSONValue.number(String(binding.id))
      if let place = selections.firstIndex(where: { $0.selected == binding.selected }) {
        selections[place].ids.append(id)
      } else {
        selections.append((binding.selected, [id]))
      }
    }
    return selections.map { selection in
      let data = change.data(selecting: selection.selected)
      if isLegacy {
        return PhoenixMessage(topic: topic, event: change.change.kind, payload: data)
      }
      return PhoenixMessage(
        topic: topic, event: "postgres_changes",
        payload: .object([.init("ids", .array(selection.ids)), .init("data", data)]))
    }
  }
}

/// The endpoint of Realtime under `/realtime/v1`: the handshake of its WebSocket.
struct RealtimeEndpoint {
  let emulator: SupabaseEmulator

  /// - Parameter key: The project's key from the request.
  func respond(
    to request: HTTP.Request, _ target: RequestTarget, path: [String], key: String
  ) -> HTTP.Response {
    if path == ["api", "broadcast"], request.method == .post { return broadcast(request) }
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

extension RealtimeEndpoint {
  /// Sends the broadcasts in a request (`BatchBroadcast`), whose topics have no prefix.
  private func broadcast(_ request: HTTP.Request) -> HTTP.Response {
    func refusal(_ status: Int, _ message: String) -> HTTP.Response {
      HTTP.Response(
        status: status, body: .json(of: ["message": message]),
        contentType: "application/json; charset=utf-8")
    }
    guard let body = request.body.flatMap({ try? JSONValue(parsing: $0) }),
      case .array(let messages)? = body["messages"],
      messages.allSatisfy({
        $0["topic"]?.stringValue?.isEmpty == false && $0["event"]?.stringValue != nil && $0["payload"] != nil
      })
    else { return refusal(422, "Each of the messages requires a topic, an event and a payload.") }
    if messages.contains(where: { $0["private"] == .boolean(true) }) {
      return refusal(501, PostgRESTError.notSupported("private channels").message)
    }
    for message in messages {
      let payload: [JSONValue.Member] = [
        .init("event", message["event"] ?? .null), .init("payload", message["payload"] ?? .null),
        .init("type", .string("broadcast")),
      ]
      emulator.database.broadcasts.send(
        .object(payload), to: RealtimeConnection.prefix + (message["topic"]?.stringValue ?? ""))
    }
    return HTTP.Response(status: 202)
  }
}

/// A check of the tokens of channels.
struct RealtimeTokens: Sendable {
  let emulator: SupabaseEmulator
  /// The token of channels without their own token.
  let connectionKey: String

  /// The reason why a token is not accepted.
  struct Refusal: Error {
    /// The reason in the reply to a join.
    let reason: String
    /// The text of the `system` message when the channel is shut down.
    let message: String
  }

  /// Returns the token that applies to a join (`RealtimeChannel.assign_access_token`).
  ///
  /// A publishable or secret key, which begins with `sb_`, is replaced by the connection's key.
  func token(of payload: JSONValue) -> String {
    guard let token = payload["user_token"]?.stringValue ?? payload["access_token"]?.stringValue,
      !token.hasPrefix("sb_")
    else { return connectionKey }
    return token
  }

  func grant(for token: String) throws(Refusal) -> AuthServer.Grant {
    if token == emulator.apiKey { return AuthServer.Grant(role: .anonymous, expiresAt: nil) }
    if token == emulator.serviceKey { return AuthServer.Grant(role: .service, expiresAt: nil) }
    do throws(AuthServer.GrantRefusal) {
      return try emulator.auth.grant(for: token)
    } catch {
      switch error {
      case .malformed:
        let message = "The token provided is not a valid JWT"
        throw Refusal(reason: "MalformedJWT: " + message, message: message)
      case .signature:
        throw Refusal(
          reason: "JwtSignatureError: Failed to validate JWT signature", message: ":signature_error")
      case .expired(let seconds):
        let message = "Token has expired \(seconds) seconds ago"
        throw Refusal(reason: "InvalidJWTToken: " + message, message: message)
      }
    }
  }
}

extension RowChange {
  /// Returns the `data` of an event `postgres_changes` (`realtime.apply_rls`).
  ///
  /// Of the previous or deleted row only the primary key is known: that is all that PostgreSQL logs
  /// by default (`REPLICA IDENTITY`), and with policies Realtime sends no more.
  ///
  /// - Parameter selected: The columns that are sent in addition to the primary key; `nil` for all.
  func data(selecting selected: [String]?) -> JSONValue {
    let key = Set(change.row.primaryKey)
    let isSelected = { (name: String) in selected?.contains(name) ?? true || key.contains(name) }
    var members: [JSONValue.Member] = [
      .init("schema", .string(table.name.schema ?? "public")), .init("table", .string(table.name.name)),
      .init("type", .string(change.kind)), .init("commit_timestamp", .string(moment.textInMilliseconds)),
    ]
    let columns = table.columns.filter { isSelected($0.name) }.map { column in
      JSONValue.object([
        .init("name", .string(column.name)), .init("type", .string(column.type.systemName)),
      ])
    }
    members.append(.init("columns", .array(columns)))
    let session = session()
    // With `REPLICA IDENTITY FULL` the whole old row is logged.
    let isKnown: (String) -> Bool =
      table.replicatesWholeRows && !table.isSecured ? { _ in true } : key.contains
    switch change {
    case .insert(let row): members.append(.init("record", row.json(isSelected, session)))
    case .update(let row):
      members.append(.init("record", row.json(isSelected, session)))
      members.append(.init("old_record", (old ?? row).json(isKnown, session)))
    case .delete(let row): members.append(.init("old_record", row.json(isKnown, session)))
    }
    let isKeyless = key.isEmpty && change.kind != "DELETE"
    members.append(
      .init(
        "errors", isKeyless ? .array([.string("Error 400: Bad Request, no primary key")]) : .null))
    return .object(members)
  }
}

extension DatabaseRow {
  fileprivate func json(_ isSelected: (String) -> Bool, _ session: Session) -> JSONValue {
    let names = columns.map(\.name).filter(isSelected)
    return .object(names.map { .init($0, json($0, session)) }).normalized()
  }
}

extension Timestamp {
  /// The time in the notation of `to_char` with `YYYY-MM-DD"T"HH24:MI:SS.MS"Z"`.
  fileprivate var textInMilliseconds: String {
    let text = text(separator: "T", offset: "")
    let parts = text.split(separator: ".", maxSplits: 1)
    let fraction = parts.count > 1 ? parts[1].prefix(3) : ""
    return parts[0] + "." + fraction + String(repeating: "0", count: 3 - fraction.count) + "Z"
  }
}
