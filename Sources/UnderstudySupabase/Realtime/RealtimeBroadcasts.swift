import Understudy
import UnderstudyHTTP

/// The channels of every connection that receive the broadcasts on their topic.
final class RealtimeBroadcasts: Sendable {
  /// The number of broadcasts kept for a slow client; with more, its channel fails.
  static let bufferSize = 10_000

  /// A channel's subscription to the broadcasts on its topic.
  struct Subscription: Sendable {
    let id: Int
    let payloads: AsyncStream<JSONValue>
  }

  private struct State {
    var nextID = 0
    var receivers: [String: [Int: AsyncStream<JSONValue>.Continuation]] = [:]
  }

  private let state = Locked(State())

  /// Subscribes a channel; it misses no broadcast from now on.
  func subscribe(to topic: String) -> Subscription {
    let (payloads, receiver) = AsyncStream<JSONValue>.makeStream(
      bufferingPolicy: .bufferingOldest(Self.bufferSize))
    let id = state.withLock { state in
      state.nextID += 1
      state.receivers[topic, default: [:]][state.nextID] = receiver
      return state.nextID
    }
    return Subscription(id: id, payloads: payloads)
  }

  /// Ends a subscription after the broadcasts that are already buffered.
  func end(_ subscription: Subscription, to topic: String) {
    let receiver = state.withLock { state in
      let receiver = state.receivers[topic]?.removeValue(forKey: subscription.id)
      if state.receivers[topic]?.isEmpty == true { state.receivers[topic] = nil }
      return receiver
    }
    receiver?.finish()
  }

  /// Sends a payload to every channel of a topic.
  ///
  /// - Parameter sender: The subscription that does not receive it.
  func send(_ payload: JSONValue, to topic: String, except sender: Subscription? = nil) {
    // Under the lock, so that every channel receives the broadcasts in the same order.
    state.withLock { state in
      for (id, receiver) in state.receivers[topic] ?? [:] where id != sender?.id {
        if case .dropped = receiver.yield(payload) {
          state.receivers[topic]?[id] = nil
          receiver.finish()
        }
      }
    }
  }
}
