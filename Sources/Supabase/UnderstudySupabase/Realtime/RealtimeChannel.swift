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
    /// The rights on a private topic; `nil` for a public one.
    var rights: RealtimeRights?
  }

  let topic: String
  let joinRef: JSONValue
  /// Whether the client joined without a `config`, naming the table in the topic as old clients do.
  let isLegacy: Bool
  let bindings: [RealtimeBinding]
  /// The subscription; `nil` if no changes were requested, or the database refused them.
  let feed: Feed?
  /// The pushes to the channels of the topic.
  let subscription: RealtimeTopics.Subscription
  /// Whether the channel receives its own broadcasts (`config.broadcast.self`).
  let receivesOwnBroadcasts: Bool
  /// Whether a broadcast has a reply (`config.broadcast.ack`).
  let acknowledgesBroadcasts: Bool
  /// The key of its presence (`config.presence.key`).
  let presenceKey: String
  /// The messages that were replayed to it, which it does not receive again.
  let replayed: [RealtimeMessages.Message]
  let credentials: Locked<Credentials>
  /// Whether the channel is left or closed, so that nothing more is sent.
  let isOver = Locked(false)

  init(
    topic: String, joinRef: JSONValue, _ config: RealtimeConfig, bindings: [RealtimeBinding], feed: Feed?,
    _ subscription: RealtimeTopics.Subscription, presenceKey: String, replayed: [RealtimeMessages.Message],
    _ credentials: Credentials
  ) {
    self.topic = topic
    self.joinRef = joinRef
    isLegacy = config.isMissing
    self.subscription = subscription
    receivesOwnBroadcasts = config.receivesOwnBroadcasts
    acknowledgesBroadcasts = config.acknowledgesBroadcasts
    self.presenceKey = presenceKey
    self.replayed = replayed
    self.bindings = bindings
    self.feed = feed
    self.credentials = Locked(credentials)
  }

  /// Returns whether the channel receives a push of its topic (`MessageDispatcher.dispatch`).
  func receives(_ push: RealtimePush) -> Bool {
    let rights = credentials.withLock { $0.rights }
    switch push {
    case .presenceDiff: return rights.map { $0.readsPresence == true } ?? true
    case .broadcast: return rights?.readsBroadcasts ?? true
    case .userBroadcast(let broadcast):
      let id = broadcast.metadata?["id"]?.stringValue
      return rights?.readsBroadcasts ?? true && !(id != nil && replayed.contains { $0.id == id })
    }
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
