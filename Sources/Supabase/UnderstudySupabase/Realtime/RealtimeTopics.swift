import Understudy
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// A topic of channels.
///
/// A public and a private topic of the same name are two topics (`Realtime.Tenants.tenant_topic`).
struct RealtimeTopic: Hashable, Sendable {
  /// The name without `realtime:`.
  let name: String
  let isPrivate: Bool
}

/// A message that the channels of a topic receive, whoever sent it.
enum RealtimePush: Sendable {
  /// A broadcast with its whole payload: `type`, `event` and `payload`.
  case broadcast(JSONValue)
  /// A broadcast with a separate content, which version 2 sends in a binary frame.
  case userBroadcast(UserBroadcast)
  /// The presences that joined and left.
  case presenceDiff(JSONValue)
}

/// The topics of a project: the channels of every connection, and who is present.
final class RealtimeTopics: Sendable {
  /// The number of pushes kept for a slow client; with more, its channel fails.
  static let bufferSize = 10_000

  /// A channel's subscription to the pushes of its topic.
  struct Subscription: Sendable {
    let id: Int
    let topic: RealtimeTopic
    let pushes: AsyncStream<RealtimePush>
  }

  private struct State {
    var nextID = 0
    var receivers: [RealtimeTopic: [Int: AsyncStream<RealtimePush>.Continuation]] = [:]
    var presences: [RealtimeTopic: RealtimePresences] = [:]
    /// Makes the keys of presences without a key of their own.
    ///
    /// The identifiers of rows do not depend on it.
    var generator = SeededGenerator(seed: 0)
    /// The number of presences so far, from which their references are made.
    var nextReference = 0

    mutating func reference() -> String {
      nextReference += 1
      let digits = String(nextReference, radix: 16, uppercase: true)
      return "F" + String(repeating: "0", count: max(0, 11 - digits.count)) + digits
    }

    mutating func send(_ push: RealtimePush, to topic: RealtimeTopic, except sender: Int? = nil) {
      for (id, receiver) in receivers[topic] ?? [:] where id != sender {
        if case .dropped = receiver.yield(push) {
          receivers[topic]?[id] = nil
          receiver.finish()
        }
      }
    }
  }

  /// Every channel of a topic receives its pushes in the same order, because they are sent under the lock.
  private let state = Locked(State())

  /// Subscribes a channel; it misses no push from now on.
  func subscribe(to topic: RealtimeTopic) -> Subscription {
    let (pushes, receiver) = AsyncStream<RealtimePush>.makeStream(
      bufferingPolicy: .bufferingOldest(Self.bufferSize))
    let id = state.withLock { state in
      state.nextID += 1
      state.receivers[topic, default: [:]][state.nextID] = receiver
      return state.nextID
    }
    return Subscription(id: id, topic: topic, pushes: pushes)
  }

  /// Ends a subscription after the pushes that are already buffered; its presences leave.
  func end(_ subscription: Subscription) {
    let topic = subscription.topic
    let receiver = state.withLock { state in
      let receiver = state.receivers[topic]?.removeValue(forKey: subscription.id)
      if state.receivers[topic]?.isEmpty == true { state.receivers[topic] = nil }
      if let diff = state.presences[topic]?.removeAll(of: subscription.id) {
        state.send(.presenceDiff(diff), to: topic)
      }
      if state.presences[topic]?.isEmpty == true { state.presences[topic] = nil }
      return receiver
    }
    receiver?.finish()
  }

  /// Sends a push to every channel of a topic.
  ///
  /// - Parameter sender: The subscription that does not receive it.
  func send(_ push: RealtimePush, to topic: RealtimeTopic, except sender: Subscription? = nil) {
    state.withLock { $0.send(push, to: topic, except: sender?.id) }
  }

  // MARK: - Presence

  /// Returns a key for a channel without a key of its own (`Join.presence_key`).
  func presenceKey() -> String { state.withLock { $0.generator.nextUUIDString() } }

  /// Adds or replaces the presence of a channel, and sends the difference to every channel of the topic.
  func track(_ content: JSONValue, as key: String, by subscription: Subscription) {
    state.withLock { state in
      let reference = state.reference()
      let diff = state.presences[subscription.topic, default: RealtimePresences()].track(
        content, as: key, by: subscription.id, reference: reference)
      if let diff { state.send(.presenceDiff(diff), to: subscription.topic) }
    }
  }

  /// Removes the presence of a channel, if it has one.
  func untrack(_ subscription: Subscription) {
    state.withLock { state in
      if let diff = state.presences[subscription.topic]?.removeAll(of: subscription.id) {
        state.send(.presenceDiff(diff), to: subscription.topic)
      }
    }
  }

  /// Returns the payload of `presence_state`.
  func presences(of topic: RealtimeTopic) -> JSONValue {
    state.withLock { $0.presences[topic]?.state ?? .object([]) }
  }

  // MARK: - Messages of the database

  /// Sends the rows that a transaction inserted into `realtime.messages` (`Realtime.Tenants.ReplicationConnection`).
  func send(_ changes: [Session.ObservedChange], after database: UnderstudyPostgreSQL.State) {
    guard self.state.withLock({ !$0.receivers.isEmpty }) else { return }
    for change in changes where change.table == RealtimeMessages.table && change.old == nil {
      guard let table = database.catalogue.tables[change.table], let new = change.new,
        let message = RealtimeMessages.Message(DatabaseRow(table, new))
      else { continue }
      send(.userBroadcast(message.broadcast), to: message.topic)
    }
  }
}
