import SharedServices
import Understudy
import UnderstudyHTTP

/// Somebody who follows a session, over one connection after another.
final class FeedSubscription: Sendable {
  typealias Updates = AsyncThrowingStream<FeedUpdate, any Error>

  private struct State: Sendable {
    var progress: FeedProgress
    /// The event that could not be read last, and the message after which it came.
    var unreadable: (text: String, place: String?)?
    /// Whether the consumer was so far behind that something could not be told.
    var isOverrun = false
    /// Whether the connection has told where it goes on.
    var isResumed = false
    /// How many tries there were since the last news.
    var attempts = 0
  }

  /// How often the server hears of the client.
  static let heartbeatInterval: Duration = .seconds(25)
  /// How many updates are kept for a consumer that is slow.
  static let bufferSize = 10_000

  private let configuration: MessageFeedConfiguration
  private let sessionID: String
  private let transport: any WebSocketTransport
  private let history: any MessageHistoryService
  private let time: Time
  private let state: Locked<State>

  init(
    to configuration: MessageFeedConfiguration, _ sessionID: String, after messageID: String?,
    over transport: any WebSocketTransport, _ history: any MessageHistoryService, _ time: Time
  ) {
    self.configuration = configuration
    self.sessionID = sessionID
    self.transport = transport
    self.history = history
    self.time = time
    state = Locked(State(progress: FeedProgress(after: messageID)))
  }

  /// Makes a connection that goes on where the last one was.
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

  /// What is told from a connection on; letting go of the stream ends it.
  func updates(from connection: FeedConnection) -> Updates {
    let (updates, continuation) = Updates.makeStream(bufferingPolicy: .bufferingOldest(Self.bufferSize))
    let task = Task { await follow(connection, for: continuation) }
    continuation.onTermination = { _ in task.cancel() }
    let isOver = Locked(false)
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

  // MARK: - One connection after another

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

  /// Tries again and again.
  ///
  /// - Throws: The last error, after as many tries as are allowed; at once what another try would not better.
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
      // Somebody who leaves says so, and a connection that is lost does not mind.
      await connection.socket.close()
      return Task.isCancelled ? .over(.cancelled) : ending
    }
  }

  // MARK: - One event after another

  private func read(_ connection: FeedConnection, for updates: Updates.Continuation) async
    -> FeedConnection.Ending
  {
    while true {
      let event: StreamEvent?
      do throws(TransportError) { event = try await connection.nextEvent() } catch {
        // What is no frame says nothing about the next connection.
        return error.code == .cancelled ? .over(.cancelled) : .lost(AppError(error))
      }
      guard let event else { return .lost(.network(.connectionLost)) }
      do throws(AppError) {
        if let ending = try await handle(event, for: updates) { return ending }
      } catch {
        // What could not be told is lost to another connection too.
        let isOverrun = state.withLock { $0.isOverrun }
        return error.maySucceedLater && !isOverrun ? .lost(error) : .over(error)
      }
    }
  }

  /// - Returns: How the connection ends because of the event, if it does.
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
    case .control(.connected), .control(.ping), .control(.pong): break
    case .control(.reconnectComplete): try resume(for: updates)
    case .control(.cursorEvicted): try await fillGap(for: updates)
    case .control(.cursorInvalid): try await startOver(for: updates)
    case .control(.error(let failure)) where !failure.isRecoverable:
      guard let wait = failure.retryAfter else { return .over(.network(.serverError)) }
      return .lost(.network(.serverError), wait: wait)
    case .control: try tell(.event(event), to: updates)
    case .unreadable(let text):
      // It may have been a message that was spoiled on its way, which another connection brings whole. If it is the
      // same again, it is the server's.
      let isAgain = state.withLock { state in
        defer { state.unreadable = (text, state.progress.last) }
        return state.unreadable.map { $0 == (text, state.progress.last) } ?? false
      }
      guard isAgain else { return .lost(.network(.unreadableAnswer)) }
      try tell(.event(event), to: updates)
    }
    return nil
  }

  /// All that came before the connection has been told.
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
      // The history does not know the place any more either.
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

  /// - Throws: `.network(.connectionLost)` when the consumer is too far behind: it loses its subscription rather than a
  ///   message.
  private func tell(_ update: FeedUpdate, to updates: Updates.Continuation) throws(AppError) {
    guard case .dropped = updates.yield(update) else { return }
    state.withLock { $0.isOverrun = true }
    throw .network(.connectionLost)
  }
}

extension AppError {
  /// Whether another try may succeed without anybody doing anything.
  fileprivate var maySucceedLater: Bool {
    switch self {
    case .network(.noConnection), .network(.timeout), .network(.serverError), .network(.rateLimited),
      .network(.connectionLost), .network(.unreadableAnswer):
      true
    default: false
    }
  }
}
