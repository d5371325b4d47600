import Foundation
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// The table `realtime.messages`: its policies decide who uses a private topic, and its rows are the broadcasts of the
/// database.
enum RealtimeMessages {
  static let table = QualifiedName(schema: "realtime", "messages")

  /// What a client does on a topic: the column `extension` of a message.
  enum Extension: String, Sendable {
    case broadcast
    case presence
  }

  /// A row that was inserted by `realtime.send`, or by another statement.
  struct Message: Sendable {
    let id: String
    let topic: RealtimeTopic
    let event: String
    let payload: JSONValue

    /// Creates the message of a row; `nil` for one without a topic, an event, a payload or `private`
    /// (`ReplicationConnection.handle_message`).
    init?(_ row: DatabaseRow) {
      guard case .uuid(let id) = row["id"], case .text(let topic) = row["topic"],
        case .text(let event) = row["event"], case .boolean(let isPrivate) = row["private"],
        case .json(let payload) = row["payload"]
      else { return nil }
      self.id = id.uuidString.lowercased()
      self.topic = RealtimeTopic(name: topic, isPrivate: isPrivate)
      self.event = event
      self.payload = payload
    }

    /// The broadcast to the topic.
    var broadcast: UserBroadcast {
      UserBroadcast(
        event: event, content: .json(Data(payload.compactText.utf8)),
        metadata: .object([.init("id", .string(id))]))
    }

    /// The payload of a broadcast that is replayed to a new channel (`RealtimeChannel.replay`).
    var replay: JSONValue {
      .object([
        .init("event", .string(event)),
        .init("meta", .object([.init("id", .string(id)), .init("replayed", .boolean(true))])),
        .init("payload", payload), .init("type", .string("broadcast")),
      ])
    }
  }
}

/// The rights of a token on a private topic (`Realtime.Tenants.Authorization.Policies`).
struct RealtimeRights: Sendable {
  var readsBroadcasts: Bool
  /// `nil` until the channel uses presence.
  var readsPresence: Bool?
  /// Whether it may insert messages, of the extensions that the channel has already used.
  var writes: [RealtimeMessages.Extension: Bool] = [:]

  /// Returns whether newer rights no longer let the channel read what these do
  /// (`RealtimeChannel.check_read_permissions_revoked`).
  func isRevoked(by newer: RealtimeRights) -> Bool {
    readsBroadcasts && !newer.readsBroadcasts || readsPresence == true && newer.readsPresence == false
  }
}

extension InMemoryDatabase {
  /// Returns whether the policies let a role read the messages of an extension on a private topic.
  ///
  /// A message is inserted, selected as the role and forgotten (`Authorization.get_read_policies_for_connection`).
  func mayRead(_ kind: RealtimeMessages.Extension, on topic: String, as role: DatabaseRole) -> Bool {
    let isVisible = try? transaction(as: .service, .trial) { (session) throws(PostgRESTError) in
      try session.insertMessage(kind, topic)
      session.enter(role, topic)
      let columns = ["topic", "extension"]
      let values = [topic, kind.rawValue]
      let filter = SQLExpression.and(
        zip(columns, values).map { .infix("=", .name([$0]), .string($1)) })
      let query = Query(
        .select(
          Select(
            [Select.Item(.name(["id"]))], from: [.table(RealtimeMessages.table, nil)], where: filter)),
        limit: .string("1"))
      return try !session.result(of: .query(query)).rows.isEmpty
    }
    // A policy that fails forbids (`rls_policy_error`).
    return isVisible ?? false
  }

  /// Returns whether the policies let a role insert messages of an extension on a private topic.
  func mayWrite(_ kind: RealtimeMessages.Extension, on topic: String, as role: DatabaseRole) -> Bool {
    let isAccepted: Void? = try? transaction(as: role, .trial) { (session) throws(PostgRESTError) in
      session.enter(role, topic)
      try session.insertMessage(kind, topic)
    }
    return isAccepted != nil
  }

  /// Returns the last broadcasts of the database on a private topic, from the oldest to the newest
  /// (`Realtime.Messages.replay`).
  ///
  /// - Parameters:
  ///   - moment: The earliest time, in milliseconds since 1970.
  ///   - limit: Their number, at most 25.
  func messages(on topic: String, since moment: Int64, limit: Int) -> [RealtimeMessages.Message] {
    let filter = DatabaseFilter.and([
      .equals("topic", .text(topic)), .equals("private", .boolean(true)),
      .equals("extension", .text(RealtimeMessages.Extension.broadcast.rawValue)),
    ])
    let rows = try? select(
      from: RealtimeMessages.table.description, where: filter, orderedBy: [.ascending("inserted_at")])
    let recent = (rows ?? []).filter { row in
      guard case .timestamp(let date) = row["inserted_at"] else { return false }
      return date.timeIntervalSince1970 * 1000 >= Double(moment)
    }
    return recent.suffix(max(1, min(25, limit))).compactMap(RealtimeMessages.Message.init)
  }
}

extension Session {
  /// Inserts a message without an event.
  fileprivate func insertMessage(
    _ kind: RealtimeMessages.Extension, _ topic: String
  ) throws(PostgRESTError) {
    try result(
      of: .insert(
        Insert(
          into: RealtimeMessages.table, columns: ["topic", "extension"],
          .query(Query(.values([[.string(topic), .string(kind.rawValue)]]))))))
  }

  /// Continues as a client of a topic (`Authorization.set_conn_config`).
  fileprivate func enter(_ role: DatabaseRole, _ topic: String) {
    set("role", to: role.name, isLocal: true)
    set("realtime.topic", to: topic, isLocal: true)
    set("request.jwt.claims", to: role.claims, isLocal: true)
    set("request.headers", to: "{}", isLocal: true)
  }
}
