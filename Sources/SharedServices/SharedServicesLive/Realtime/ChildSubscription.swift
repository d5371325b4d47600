import Foundation
import SharedServices
import UnderstudyTransport

/// A channel for changes of the user's children, with a socket of its own.
final class ChildSubscription: Sendable {
  private struct State: Sendable {
    var lastRef = 0
    /// The `ref` of the current join.
    var joinRef: String?
    /// The heartbeat that has not been answered yet.
    var heartbeat: String?
    /// The token that was last sent to the server.
    var token: String?
    /// The changes received before the subscription was established.
    var early: [RowChangeMessage] = []
    /// The ids of the user's own children.
    var own: Set<UUID> = []
    /// The reason for which the server shut the channel down, if it sent one.
    var lastWord: ChannelRefusal?
  }

  /// The interval between heartbeats, as in every Supabase client.
  static let heartbeatInterval: Duration = .seconds(25)
  /// The maximum number of changes that are buffered for a slow consumer.
  static let bufferSize = 10_000
  static let topic = "realtime:children"

  let client: SupabaseClient
  let watch: SessionWatch
  private let socket: any WebSocketConnection
  private let state = Guarded(State())

  init(_ client: SupabaseClient, _ socket: any WebSocketConnection, _ watch: SessionWatch) {
    self.client = client
    self.socket = socket
    self.watch = watch
  }

  var time: ServiceTime { client.wire.time }

  // MARK: - Establishing the subscription

  /// Returns once no later change can be missed.
  ///
  /// - Throws: `AppError`.
  func begin() async throws {
    do {
      try await join()
    } catch let refusal as ChannelRefusal {
      guard refusal.concernsToken, let session = watch.session else { throw refusal.error }
      _ = try await client.sessions.replacement(for: session)
      do { try await join() } catch let refusal as ChannelRefusal { throw refusal.error }
    }
    // Read after the subscription, so that no child is created between the two.
    guard let user = watch.session?.userID else { throw AppError.network(.unauthorized) }
    let call = SupabaseCall(
      method: .get, path: "rest/v1/children",
      query: [
        URLQueryItem(name: "select", value: "id"),
        URLQueryItem(name: "user_id", value: "eq.\(user.uuidString.lowercased())"),
        URLQueryItem(name: "order", value: "id.asc"),
      ])
    let ids = try await client.rows(RowID.self, of: call).map(\.id)
    state.withLock { $0.own.formUnion(ids) }
  }

  /// Joins the channel and waits until it is subscribed to the database's changes.
  ///
  /// - Throws: `ChannelRefusal`, `AppError`.
  private func join() async throws {
    guard let token = watch.session?.accessToken else { throw AppError.network(.unauthorized) }
    let ref = nextRef()
    state.withLock { state in
      state.joinRef = ref
      state.token = token
    }
    try await send("phx_join", ChannelJoin(token: AccessTokenPayload(accessToken: token)), ref: ref)
    var (hasJoined, isReported) = (false, false)
    while !hasJoined || !isReported {
      let message = try await nextMessage()
      switch message.content {
      case .reply(let isOK, let reason) where message.ref == ref:
        guard isOK else { throw ChannelRefusal(message: reason) }
        hasJoined = true
      case .system("postgres_changes", isOK: true, _): isReported = true
      case .system(_, isOK: false, let message): throw ChannelRefusal(message: message)
      case .change(let change): state.withLock { $0.early.append(change) }
      case .end: throw AppError.network(.connectionLost)
      case .reply, .system, .other: break
      }
    }
  }

  // MARK: - Delivering changes

  /// The changes; the first task that reads them also receives the buffered ones.
  ///
  /// Releasing the stream ends the subscription.
  func changes() -> AsyncThrowingStream<ChildChange, any Error> {
    let (changes, continuation) = AsyncThrowingStream<ChildChange, any Error>.makeStream(
      bufferingPolicy: .bufferingOldest(Self.bufferSize))
    let (stay, leave) = AsyncStream<Never>.makeStream()
    continuation.onTermination = { _ in leave.finish() }
    Task { await run(for: continuation, while: stay) }
    let isOver = Guarded(false)
    return AsyncThrowingStream { [watch] in
      if isOver.withLock({ $0 }) { return nil }
      do {
        if watch.session == nil { throw AppError.network(.unauthorized) }
        // The iterators of one stream share its state, so each call takes the next element.
        var iterator = changes.makeAsyncIterator()
        let change = try await iterator.next()
        if Task.isCancelled { throw AppError.cancelled }
        // Nothing is delivered after the end of the session, even if a change arrived before it.
        if watch.session == nil { throw AppError.network(.unauthorized) }
        return change
      } catch {
        isOver.withLock { $0 = true }
        throw error
      }
    }
  }

  /// Delivers the changes that were received while the subscription was established.
  ///
  /// - Returns: Whether the consumer keeps up.
  func tellEarly(to continuation: AsyncThrowingStream<ChildChange, any Error>.Continuation) -> Bool {
    let early = state.withLock { state in
      defer { state.early = [] }
      return state.early
    }
    return early.allSatisfy { tell($0, to: continuation) }
  }

  /// Delivers a change if it concerns one of the user's own children.
  ///
  /// - Returns: `false` if the consumer is too slow.
  func tell(
    _ message: RowChangeMessage, to continuation: AsyncThrowingStream<ChildChange, any Error>.Continuation
  ) -> Bool {
    guard let change = ownChange(message) else { return true }
    if case .dropped = continuation.yield(change) { return false }
    return true
  }

  private func ownChange(_ message: RowChangeMessage) -> ChildChange? {
    let user = watch.session?.userID
    return state.withLock { state in
      switch message {
      case .inserted(let child):
        guard child.userID == user else { return nil }
        state.own.insert(child.id)
        return .inserted(child)
      case .updated(let child):
        guard child.userID == user else { return nil }
        state.own.insert(child.id)
        return .updated(child)
      case .deleted(let id): return state.own.remove(id).map { .deleted(id: $0) }
      }
    }
  }

  // MARK: - Messages

  /// Returns the next message of the channel, or the reply to a heartbeat.
  ///
  /// - Throws: `AppError`.
  func nextMessage() async throws(AppError) -> ServerMessage {
    while true {
      let message: WebSocketMessage?
      do throws(TransportError) { message = try await socket.receive() } catch { throw AppError(error) }
      switch message {
      case nil: throw .network(.connectionLost)
      case .binary: throw .network(.unreadableAnswer)
      case .text(let text):
        guard let message = try? JSONDecoder().decode(ServerMessage.self, from: Data(text.utf8)) else {
          throw .network(.unreadableAnswer)
        }
        if message.topic == Self.topic || message.topic == "phoenix" { return message }
      }
    }
  }

  func send(_ event: String, _ payload: some Encodable & Sendable, ref: String) async throws(AppError) {
    let message = ChannelMessage(
      joinRef: state.withLock { $0.joinRef }, ref: ref, topic: Self.topic, event: event, payload: payload)
    try await send(message.text)
  }

  func send(_ text: String) async throws(AppError) {
    do throws(TransportError) { try await socket.send(.text(text)) } catch { throw AppError(error) }
  }

  func nextRef() -> String {
    state.withLock { state in
      state.lastRef += 1
      return String(state.lastRef)
    }
  }

  func close() async { await socket.close() }

  // MARK: - Heartbeats, tokens and shutdown

  /// Returns a heartbeat to send; `nil` if the previous one has not been answered.
  func nextHeartbeat() -> String? {
    let ref = nextRef()
    let isUnanswered = state.withLock { state in
      if state.heartbeat != nil { return true }
      state.heartbeat = ref
      return false
    }
    if isUnanswered { return nil }
    return ChannelMessage(
      joinRef: nil, ref: ref, topic: "phoenix", event: "heartbeat", payload: EmptyPayload()
    ).text
  }

  func noteReply(to ref: String?) {
    state.withLock { if $0.heartbeat == ref { $0.heartbeat = nil } }
  }

  /// Sends a token, unless it is the one last sent.
  func send(token: String) async throws(AppError) {
    let isNew = state.withLock { state in
      defer { state.token = token }
      return state.token != token
    }
    if isNew { try await send("access_token", AccessTokenPayload(accessToken: token), ref: nextRef()) }
  }

  var lastWord: ChannelRefusal? {
    get { state.withLock { $0.lastWord } }
    set { state.withLock { $0.lastWord = newValue } }
  }
}
