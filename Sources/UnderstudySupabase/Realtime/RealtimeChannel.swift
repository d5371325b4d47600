import Foundation
import Understudy
import UnderstudyHTTP

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
