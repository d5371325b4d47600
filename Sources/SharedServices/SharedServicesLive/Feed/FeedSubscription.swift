import SharedServices
import UnderstudyTransport

/// A subscription to a session's stream, over a sequence of connections.
final class FeedSubscription: Sendable {
  typealias Updates = AsyncThrowingStream<FeedUpdate, any Error>

  private struct State: Sendable {
    var progress: FeedProgress
    /// The last unreadable event, and the message after which it was received.
    var unreadable: (text: String, place: String?)?
    /// Whether an update was dropped because the consumer was too slow.
    var isOverrun = false
    /// Whether the connection has delivered the missed messages.
    var isResumed = false
    /// The number of connection attempts since the last new message.
    var attempts = 0
  }

  /// The interval between heartbeats.
  static let heartbeatInterval: Duration = .seconds(25)
  /// The maximum number of updates that are buffered for a slow consumer.
  static let bufferSize = 10_000

  private let configuration: MessageFeedConfiguration
  private let sessionID: String
  private let transport: any WebSocketTransport
  private let history: any MessageHistoryService
  private let time: ServiceTime
  private let state: Guarded<State>

  init(
    to configuration: MessageFeedConfiguration, _ sessionID: String, after messageID: String?,
    over transport: any WebSocketTransport, _ history: any MessageHistoryService, _ time: ServiceTime
  ) {
    self.configuration = configuration
    self.sessionID = sessionID
    self.transport = transport
    self.history = history
    self.time = time
    state = Guarded(State(progress: FeedProgress(after: messageID)))
  }

  /// Opens a connection that resumes where the last one ended.
  func connect() async throws(AppError) -> FeedConnection {
    let last = state.withLock { state in
      state.progress.connectionBegins()
      state.isResumed = false
      return state.progress.last
    }
    do throws(TransportError) {
      return try await FeedConnection(to: configuration, sessionID, after: last, over: transport)
    } catch {
      throw AppError(connecting: error, now: time.now)
    }
  }

  /// Returns the updates from a connection on; releasing the stream ends the subscription.
  func updates(from connection: FeedConnection) -> Updates {
    let (updates, continuation) = Updates.makeStream(bufferingPolicy: .bufferingOldest(Self.bufferSize))
    let task = Task { await follow(connection, for: continuation) }
    continuation.onTermination = { _ in task.cancel() }
    let isOver = Guarded(false)
    return Updates {
      if isOver.withLock({ $0 }) { return nil }
      do {
        // The iterators of one stream share its state, so each call takes the next element.
        var iterator = updates.makeAsyncIterator()
        let update = try await iterator.next()
        if Task.isCancelled { throw AppError.cancelled }
        return update
      } catch {
        isOver.withLock { $0 = true }
        throw error
      }
    }
  }

  // MARK: - Connections

  private func follow(_ first: FeedConnection, for updates: Updates.Continuation) async {
    var connection = first
    do throws(AppError) {
      while true {
        switch await serve(connection, for: updates) {
        case .over(let error): throw error
        case .lost(let error, let wait):
          try tell(.reconnecting, to: updates)
          connection = try await nextConnection(after: error, wait: wait)
        }
      }
    } catch {
      updates.finish(throwing: error)
    }
  }

  /// Reconnects, with several attempts.
  ///
  /// - Throws: The last error, after the maximum number of attempts; at once an error that another attempt cannot
  ///   resolve.
  private func nextConnection(after error: AppError, wait: Duration) async throws(AppError) -> FeedConnection
  {
    var (error, wait) = (error, wait)
    while true {
      let attempt = state.withLock { state in
        defer { state.attempts += 1 }
        return state.attempts
      }
      guard attempt < configuration.reconnection.attempts else { throw error }
      do {
        try await time.sleep(for: max(wait, configuration.reconnection.delay(before: attempt)))
      } catch {
        throw .cancelled
      }
      do throws(AppError) {
        return try await connect()
      } catch let failure {
        guard failure.maySucceedLater else { throw failure }
        if case .network(.rateLimited(let delay?)) = failure { wait = delay } else { wait = .zero }
        error = failure
      }
    }
  }

  private func serve(_ connection: FeedConnection, for updates: Updates.Continuation) async
    -> FeedConnection.Ending
  {
    await withTaskGroup(of: FeedConnection.Ending.self) { group in
      defer { group.cancelAll() }
      group.addTask { await self.read(connection, for: updates) }
      group.addTask { await connection.sendHeartbeats(every: Self.heartbeatInterval, on: self.time) }
      let ending = await group.next() ?? .over(.cancelled)
      // A consumer that leaves closes its connection; closing a lost connection has no effect.
      await connection.socket.close()
      return Task.isCancelled ? .over(.cancelled) : ending
    }
  }

  // MARK: - Events

  private func read(_ connection: FeedConnection, for updates: Updates.Continuation) async
    -> FeedConnection.Ending
  {
    while true {
      let event: StreamEvent?
      do throws(TransportError) { event = try await connection.nextEvent() } catch {
        // An invalid frame does not affect the next connection.
        return error.code == .cancelled ? .over(.cancelled) : .lost(AppError(error))
      }
      guard let event else { return .lost(.network(.connectionLost)) }
      do throws(AppError) {
        if let ending = try await handle(event, for: updates) { return ending }
      } catch {
        // An update that could not be delivered would not fit over another connection either.
        let isOverrun = state.withLock { $0.isOverrun }
        return error.maySucceedLater && !isOverrun ? .lost(error) : .over(error)
      }
    }
  }

  /// - Returns: The way in which the event ends the connection, if it does.
  private func handle(
    _ event: StreamEvent, for updates: Updates.Continuation
  ) async throws(AppError) -> FeedConnection.Ending? {
    switch event {
    case .message(let message):
      let news = state.withLock { state in
        let last = state.progress.last
        let news = state.progress.admit(message)
        if state.progress.last != last { state.attempts = 0 }
        return news
      }
      if let news { try tell(.event(.message(news)), to: updates) }
    case .control(.connected(nil)), .control(.ping), .control(.pong): break
    case .control(.reconnectComplete): try resume(for: updates)
    case .control(.cursorEvicted): try await fillGap(for: updates)
    case .control(.cursorInvalid): try await startOver(for: updates)
    case .control(.error(let failure)) where !failure.isRecoverable:
      guard let wait = failure.retryAfter else { return .over(AppError(failure)) }
      return .lost(AppError(failure), wait: wait)
    case .control: try tell(.event(event), to: updates)
    case .unreadable(let text):
      // The event may be a message that was corrupted in transit; another connection delivers it correctly. If the same
      // event arrives again, the server sent it.
      let isAgain = state.withLock { state in
        defer { state.unreadable = (text, state.progress.last) }
        return state.unreadable.map { $0 == (text, state.progress.last) } ?? false
      }
      guard isAgain else { return .lost(.network(.unreadableAnswer)) }
      try tell(.event(event), to: updates)
    }
    return nil
  }

  /// Reports that all messages before the connection have been delivered.
  private func resume(for updates: Updates.Continuation) throws(AppError) {
    let abandoned = state.withLock { state -> [String]? in
      if state.isResumed { return nil }
      state.isResumed = true
      state.attempts = 0
      return state.progress.takeAbandoned()
    }
    guard let abandoned else { return }
    for id in abandoned { try tell(.abandoned(id), to: updates) }
    try tell(.connected, to: updates)
  }

  private func fillGap(for updates: Updates.Continuation) async throws(AppError) {
    let last = state.withLock { $0.progress.last }
    let messages: [PaginatedMessage]
    do throws(AppError) {
      messages = try await history.messages(of: sessionID, after: last)
    } catch .feed {
      // The history no longer knows the position either.
      return try await startOver(for: updates)
    }
    let news = state.withLock { $0.progress.admit(messages) }
    try tell(.missed(news), to: updates)
    try resume(for: updates)
  }

  private func startOver(for updates: Updates.Continuation) async throws(AppError) {
    let messages = try await history.messages(of: sessionID, after: nil)
    state.withLock { $0.progress.startOver(with: messages) }
    try tell(.reset(messages), to: updates)
    try resume(for: updates)
  }

  /// - Throws: `.network(.connectionLost)` if the consumer is too slow: its subscription ends rather than losing a
  ///   message.
  private func tell(_ update: FeedUpdate, to updates: Updates.Continuation) throws(AppError) {
    guard case .dropped = updates.yield(update) else { return }
    state.withLock { $0.isOverrun = true }
    throw .network(.connectionLost)
  }
}

extension AppError {
  /// Whether another attempt may succeed without an action by the user.
  fileprivate var maySucceedLater: Bool {
    switch self {
    case .network(.noConnection), .network(.timeout), .network(.serverError), .network(.rateLimited),
      .network(.connectionLost), .network(.unreadableAnswer):
      true
    default: false
    }
  }
}
