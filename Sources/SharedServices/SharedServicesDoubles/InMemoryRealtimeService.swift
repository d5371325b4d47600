package import Foundation
public import SharedServices
import Understudy

/// The changes of the children of the user who is signed in on a device.
///
/// A subscription ends with `.network(.unauthorized)` once its user is signed out on the device, or the server has ended
/// the session; unread changes are dropped. A consumer that is ten thousand changes behind loses its subscription
/// (`.network(.connectionLost)`) rather than a change.
public struct InMemoryRealtimeService: RealtimeService {
  private let auth: InMemoryAuthService

  init(_ auth: InMemoryAuthService) { self.auth = auth }

  /// Streams the changes from now on; see `RealtimeService`.
  public func childChanges() async throws(AppError) -> AsyncThrowingStream<ChildChange, any Error> {
    let id = try auth.perform { (state, user, _) throws(AppError) in
      state.subscribe(on: auth.device, as: user)
    }
    let reader = SubscriptionReader(id, of: auth.backend)
    // The stream owns the reader, whose end is the end of the subscription.
    return AsyncThrowingStream { try await reader.next() }
  }
}

extension InMemoryBackend {
  /// Streams the changes of a user's children from now on, whoever is signed in; those of all users for `nil`.
  package func changes(ofChildrenOf user: UUID?) -> AsyncThrowingStream<ChildChange, any Error> {
    let reader = SubscriptionReader(state.withLock { $0.subscribe(on: nil, as: user) }, of: self)
    return AsyncThrowingStream { try await reader.next() }
  }

  /// Breaks every subscription, after what it has not delivered yet.
  package func breakSubscriptions() {
    state.withLock { state in for id in state.subscriptions.keys { state.subscriptions[id]?.breakOff() } }
  }

  /// The number of subscriptions that have not ended.
  package var subscriptionCount: Int {
    state.withLock { state in state.subscriptions.values.count { $0.error == nil } }
  }
}

/// A subscription as the backend holds it.
struct Subscription: Sendable {
  /// The device whose session it needs; `nil` if it needs none.
  let device: Int?
  /// The user whose changes it delivers; `nil` for all.
  let user: UUID?
  private(set) var unread: ArraySlice<ChildChange> = []
  /// Whether it ends after the unread changes.
  private(set) var isBroken = false
  /// Why it has ended.
  private(set) var error: AppError?
  private var waiting: [AsyncStream<Never>.Continuation] = []

  init(device: Int?, user: UUID?) { (self.device, self.user) = (device, user) }

  /// The number of unread changes with which a subscription breaks.
  private static let limit = 10_000

  mutating func add(_ change: ChildChange) {
    guard error == nil, !isBroken else { return }
    if unread.count < Self.limit { unread.append(change) } else { isBroken = true }
    wake()
  }

  mutating func takeUnread() -> ChildChange? { unread.popFirst() }

  mutating func breakOff() {
    isBroken = true
    wake()
  }

  /// Ends it without the unread changes.
  mutating func end(with error: AppError) {
    guard self.error == nil else { return }
    (self.error, unread) = (error, [])
    wake()
  }

  /// Returns a stream that ends when the subscription has changed.
  mutating func change() -> AsyncStream<Never> {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    waiting.append(continuation)
    return stream
  }

  mutating func wake() {
    for continuation in waiting { continuation.finish() }
    waiting = []
  }
}

extension InMemoryBackend.State {
  fileprivate mutating func subscribe(on device: Int?, as user: UUID?) -> Int {
    lastSubscription += 1
    subscriptions[lastSubscription] = Subscription(device: device, user: user)
    return lastSubscription
  }

  /// Reports a change to the subscriptions of a user.
  mutating func report(_ change: ChildChange, to user: UUID) {
    for (id, subscription) in subscriptions where subscription.user ?? user == user {
      subscriptions[id]?.add(change)
    }
  }
}

/// The reader of a subscription; the subscription ends with it.
private final class SubscriptionReader: Sendable {
  private enum Step: Sendable {
    case change(ChildChange)
    case end
    /// To wait until the subscription changes, or its token expires.
    case wait(AsyncStream<Never>, until: Date?)
  }

  private let id: Int
  private let backend: InMemoryBackend

  init(_ id: Int, of backend: InMemoryBackend) { (self.id, self.backend) = (id, backend) }

  deinit { backend.state.withLock { $0.subscriptions[id] = nil } }

  func next() async throws(AppError) -> ChildChange? {
    while true {
      switch try step() {
      case .change(let change): return change
      case .end: return nil
      case .wait(let change, let expiry):
        await wait(for: change, until: expiry)
        if Task.isCancelled { throw .cancelled }
      }
    }
  }

  private func step() throws(AppError) -> Step {
    let now = backend.time.now
    return try backend.state.withLock { (state) throws(AppError) in
      guard let device = state.subscriptions[id]?.device else { return try Self.step(id, in: &state) }
      do throws(AppError) {
        // An expired token is exchanged first, and a session that has ended ends the subscriptions of the device.
        let session = state.subscriptions[id]?.error == nil ? try state.session(of: device, now) : nil
        return try Self.step(id, in: &state, until: session?.expiresAt)
      } catch {
        state.subscriptions[id] = nil
        throw error
      }
    }
  }

  private static func step(
    _ id: Int, in state: inout InMemoryBackend.State, until expiry: Date? = nil
  ) throws(AppError) -> Step {
    if let error = state.subscriptions[id]?.error { throw error }
    if let change = state.subscriptions[id]?.takeUnread() { return .change(change) }
    if state.subscriptions[id]?.isBroken == true { throw .network(.connectionLost) }
    return (state.subscriptions[id]?.change()).map { .wait($0, until: expiry) } ?? .end
  }

  private func wait(for change: AsyncStream<Never>, until expiry: Date?) async {
    guard let expiry else {
      for await _ in change {}
      return
    }
    let (time, left) = (backend.time, Duration.seconds(max(0, expiry.timeIntervalSince(backend.time.now))))
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in change {} }
      group.addTask { try? await time.sleep(inBackgroundFor: left) }
      await group.next()
      group.cancelAll()
    }
  }
}
