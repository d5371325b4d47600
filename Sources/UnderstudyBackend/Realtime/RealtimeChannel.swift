import Foundation
import UnderstudyPrimitives
import UnderstudyTransport

/// A topic that a client has joined.
final class RealtimeChannel: Sendable {
  /// The changes that it is told of.
  struct Feed: Sendable {
    let id: Int
    let changes: AsyncThrowingStream<RowChange, any Error>
  }

  /// What it goes by at the moment.
  struct Credentials: Sendable {
    var token: String
    var grant: AuthServer.Grant
  }

  let topic: String
  let joinRef: JSONValue
  /// Whether the client joined without a `config`, as those did that named the table in the topic.
  let isLegacy: Bool
  let bindings: [RealtimeBinding]
  /// `nil` where nothing is asked for, or the database refused.
  let feed: Feed?
  let credentials: Locked<Credentials>
  /// Set once it is left or closed: nothing is told any more.
  let isOver = Locked(false)

  init(
    topic: String, joinRef: JSONValue, isLegacy: Bool, bindings: [RealtimeBinding], feed: Feed?,
    _ credentials: Credentials
  ) {
    self.topic = topic
    self.joinRef = joinRef
    self.isLegacy = isLegacy
    self.bindings = bindings
    self.feed = feed
    self.credentials = Locked(credentials)
  }

  /// The topic without `realtime:`.
  var name: String { String(topic.dropFirst(RealtimeConnection.prefix.count)) }

  /// A message that the server sends of its own.
  func push(_ event: String, _ payload: JSONValue) -> PhoenixMessage {
    PhoenixMessage(joinRef: joinRef, topic: topic, event: event, payload: payload)
  }

  /// What becomes of the channel, in words.
  func system(_ status: String, from sender: String, _ message: String) -> PhoenixMessage {
    push(
      "system",
      .object([
        .init("channel", .string(name)), .init("extension", .string(sender)),
        .init("message", .string(message)), .init("status", .string(status)),
      ]))
  }

  /// Says that it is over (`phx_close`), or that it failed (`phx_error`).
  func ending(_ event: String) -> PhoenixMessage {
    PhoenixMessage(joinRef: joinRef, ref: joinRef, topic: topic, event: event, payload: .object([]))
  }

  /// The messages for a change: one for each selection of columns among the bindings that it meets.
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

/// What Realtime answers below `/realtime/v1`: the handshake of its WebSocket.
struct RealtimeEndpoint {
  let emulator: SupabaseEmulator

  /// - Parameter key: The key of the project that the request brought.
  func respond(_ target: RequestTarget, path: [String], key: String) -> HTTPResponse {
    guard path == ["websocket"] else {
      return HTTPResponse(
        status: 404, body: .json(of: ["error": "not found"]), contentType: "application/json")
    }
    // A version that is not served is refused without a word (`Phoenix.Transports.WebSocket.call`).
    guard let version = PhoenixVersion(target["vsn"]) else { return HTTPResponse(status: 403) }
    return .webSocket { [emulator] socket in
      await RealtimeConnection(
        socket, version, RealtimeTokens(emulator: emulator, connectionKey: key), emulator.database,
        emulator.auth.time
      ).run()
    }
  }
}

/// What a channel's token lets it see.
struct RealtimeTokens: Sendable {
  let emulator: SupabaseEmulator
  /// What holds for a channel that brings no token.
  let connectionKey: String

  /// Why a token is not accepted.
  struct Refusal: Error {
    /// What a join is refused with.
    let reason: String
    /// What the `system` message of a channel says that is shut down.
    let message: String
  }

  /// The token that counts for a join (`RealtimeChannel.assign_access_token`).
  ///
  /// A publishable or a secret key, which begins with `sb_`, stands for the key of the connection.
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
  /// The `data` of an event `postgres_changes` (`realtime.apply_rls`).
  ///
  /// Of the row before, and of one that is gone, only the primary key is known: that is all that PostgreSQL writes
  /// down of it by default (`REPLICA IDENTITY`), and where there are policies Realtime tells no more.
  ///
  /// - Parameter selected: The columns that are told besides the primary key; `nil` for all.
  func data(selecting selected: [String]?) -> JSONValue {
    let key = table.primaryKey
    let isTold = { (name: String) in selected?.contains(name) ?? true || key.contains(name) }
    var members: [JSONValue.Member] = [
      .init("schema", .string("public")), .init("table", .string(table.name)),
      .init("type", .string(change.kind)), .init("commit_timestamp", .string(moment.textInMilliseconds)),
    ]
    let columns = table.columns.filter { isTold($0.name) }.map { column in
      JSONValue.object([
        .init("name", .string(column.name)), .init("type", .string(column.type.typeName)),
      ])
    }
    members.append(.init("columns", .array(columns)))
    switch change {
    case .insert(let row): members.append(.init("record", row.json(isTold)))
    case .update(let row):
      members.append(.init("record", row.json(isTold)))
      members.append(.init("old_record", (old ?? row).json(key.contains)))
    case .delete(let row): members.append(.init("old_record", row.json(key.contains)))
    }
    let isKeyless = key.isEmpty && change.kind != "DELETE"
    members.append(
      .init(
        "errors", isKeyless ? .array([.string("Error 400: Bad Request, no primary key")]) : .null))
    return .object(members)
  }
}

extension DatabaseRow {
  fileprivate func json(_ isTold: (String) -> Bool) -> JSONValue {
    .object(columns.filter(isTold).map { .init($0, self[$0].json) }).normalized()
  }
}

extension Timestamp {
  /// As `to_char` with `YYYY-MM-DD"T"HH24:MI:SS.MS"Z"` prints it.
  fileprivate var textInMilliseconds: String {
    let text = text(separator: "T", offset: "")
    let parts = text.split(separator: ".", maxSplits: 1)
    let fraction = parts.count > 1 ? parts[1].prefix(3) : ""
    return (parts.first ?? "") + "." + fraction + String(repeating: "0", count: 3 - fraction.count) + "Z"
  }
}

extension ColumnType {
  /// The name in the catalogue (`pg_type.typname`).
  fileprivate var typeName: String {
    switch self {
    case .uuid: "uuid"
    case .text: "text"
    case .integer: "int4"
    case .double: "float8"
    case .boolean: "bool"
    case .date: "date"
    case .timestamp: "timestamptz"
    case .textArray: "_text"
    case .json: "jsonb"
    }
  }
}
