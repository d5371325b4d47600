public import SharedServices
public import Understudy
import Foundation

/// A server of sessions in memory, used through the feed's services or over HTTP and WebSockets.
///
/// ```swift
/// let server = MessageFeedServer()
/// server.open("s1")
/// server.say(.user("Hello"), in: "s1")
/// let transport = InProcessTransport(to: server.emulator)
/// ```
public final class MessageFeedServer: Sendable {
  private struct State: Sendable {
    var sessions: [String: FeedSession] = [:]
    var random: SeededGenerator
    var lastSubscriber = 0
    var refusals = 0
    var counters: [Int: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
    var lastCounter = 0

    var subscriberCount: Int { sessions.values.reduce(0) { $0 + $1.subscribers.count } }

    /// The continuations that wait for the current number of subscribers.
    mutating func countersToWake() -> [CheckedContinuation<Void, Never>] {
      let count = subscriberCount
      let met = counters.filter { $0.value.count == count }
      for number in met.keys { counters[number] = nil }
      return met.values.map(\.continuation)
    }
  }

  private let state: Locked<State>
  // A lock of its own, because the runtime may hold another while a reader leaves.
  /// How many have left and are still counted as subscribers, and the waits for none.
  private let leaving = Locked<(count: Int, waits: [CheckedContinuation<Void, Never>])>((0, []))
  private let time: Time

  /// A server without sessions.
  ///
  /// - Parameters:
  ///   - seed: The seed of the ids of messages.
  ///   - time: The source of dates.
  public init(seed: UInt64 = 0, time: Time = .system) {
    state = Locked(State(random: SeededGenerator(seed: seed)))
    self.time = time
  }

  /// The history service.
  public var history: InMemoryMessageHistoryService { InMemoryMessageHistoryService(self) }
  /// The stream service.
  public var stream: InMemoryMessageStreamService { InMemoryMessageStreamService(self) }

  // MARK: - Messages

  /// Creates an empty session, unless one with this id exists.
  public func open(_ sessionID: String) {
    state.withLock { state in
      if state.sessions[sessionID] == nil { state.sessions[sessionID] = FeedSession() }
    }
  }

  /// Stores a complete message and sends it to the subscribers.
  ///
  /// - Returns: The id of the message.
  @discardableResult public func say(_ content: StreamContent, in sessionID: String) -> String {
    let timestamp = timestamp
    return state.withLock { state in
      let id = state.random.nextUUIDString()
      state.sessions[sessionID]?.say(StreamedMessage(id: id, timestamp: timestamp, content: content))
      return id
    }
  }

  /// Stores and sends a complete message with an id and a date.
  package func say(_ message: StreamedMessage, in sessionID: String) {
    change(sessionID) { $0.say(message) }
  }

  /// Stores a message as the history returns it; the stream delivers its text.
  package func store(_ message: PaginatedMessage, in sessionID: String) {
    let event = StreamEvent.message(
      StreamedMessage(id: message.id, timestamp: message.timestamp, content: .system(message.content)))
    change(sessionID) { session in
      session.entries.append(FeedSession.Entry(page: message, event: event))
      session.send(event)
    }
  }

  /// Starts an answer.
  ///
  /// - Returns: The id of the message.
  public func begin(in sessionID: String) -> String {
    let timestamp = timestamp
    return state.withLock { state in
      let id = state.random.nextUUIDString()
      state.sessions[sessionID]?.drafts.append(FeedSession.Draft(id: id, timestamp: timestamp))
      return id
    }
  }

  /// Appends text to a started answer.
  public func write(_ text: String, to messageID: String, in sessionID: String) {
    change(sessionID) { session in
      guard let place = session.drafts.firstIndex(where: { $0.id == messageID }) else { return }
      session.drafts[place].text += text
      let timestamp = session.drafts[place].timestamp
      session.send(
        .message(
          StreamedMessage(id: messageID, timestamp: timestamp, content: .assistant(text, isDelta: true))))
    }
  }

  /// Completes a started answer.
  public func finish(_ messageID: String, in sessionID: String) {
    change(sessionID) { session in
      guard let place = session.drafts.firstIndex(where: { $0.id == messageID }) else { return }
      let draft = session.drafts.remove(at: place)
      session.say(
        StreamedMessage(id: draft.id, timestamp: draft.timestamp, content: .assistant(draft.text)))
    }
  }

  /// Sends an event to the subscribers without storing it.
  package func announce(_ event: StreamEvent, in sessionID: String) {
    change(sessionID) { $0.send(event) }
  }

  /// The complete messages, as in the history.
  package func messages(of sessionID: String) -> [PaginatedMessage] {
    state.withLock { $0.sessions[sessionID]?.pages ?? [] }
  }

  // MARK: - Conditions for tests

  /// Sends nothing more to the current subscribers, like a connection that is lost unnoticed.
  ///
  /// ``breakConnections(of:)`` ends their streams.
  package func silence(_ sessionID: String) {
    change(sessionID) { session in
      session.silenced += session.subscribers.values
      session.subscribers = [:]
    }
    for counter in state.withLock({ $0.countersToWake() }) { counter.resume() }
  }

  /// Breaks every connection of a session.
  public func breakConnections(of sessionID: String) {
    silence(sessionID)
    let silenced = state.withLock { state in
      defer { state.sessions[sessionID]?.silenced = [] }
      return state.sessions[sessionID]?.silenced ?? []
    }
    for subscriber in silenced { subscriber.finish() }
  }

  /// Refuses the next connections as an overloaded server does (503); zero accepts them again.
  public func refuseConnections(_ count: Int = .max) {
    state.withLock { $0.refusals = max(0, count) }
  }

  /// Removes the messages so far from the stream's buffer, not from the history.
  package func forgetStream(of sessionID: String) {
    change(sessionID) { $0.forgotten = $0.entries.count }
  }

  /// Gives every message a new id, as after a backup was restored, so that all positions become unknown.
  package func renumber(_ sessionID: String) {
    state.withLock { state in
      guard var session = state.sessions[sessionID] else { return }
      for place in session.entries.indices {
        let id = state.random.nextUUIDString()
        session.entries[place].page.id = id
        if case .message(var message) = session.entries[place].event {
          message.id = id
          session.entries[place].event = .message(message)
        }
      }
      state.sessions[sessionID] = session
    }
  }

  /// Drops the unfinished answers, as a restarted server does.
  package func abandonAnswers(in sessionID: String) {
    change(sessionID) { $0.drafts = [] }
  }

  /// Expires every current cursor.
  package func expireCursors(of sessionID: String) {
    change(sessionID) { $0.expired.formUnion($0.entries.map(\.page.id)) }
  }

  // MARK: - Subscribers

  /// The number of subscribers of all sessions.
  package var subscriberCount: Int { state.withLock { $0.subscriberCount } }

  /// Waits until the number of subscribers is `count`, or the task is cancelled.
  package func waitForSubscribers(_ count: Int) async {
    let number = state.withLock { state in
      state.lastCounter += 1
      return state.lastCounter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.subscriberCount == count || Task.isCancelled { return true }
          state.counters[number] = (count, continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let counter = state.withLock { $0.counters.removeValue(forKey: number) }
      counter?.continuation.resume()
    }
  }

  /// Returns when none of those who have left is counted as a subscriber any more.
  package func waitForLeaving() async {
    await withCheckedContinuation { continuation in
      let isOver = leaving.withLock { leaving in
        if leaving.count > 0 { leaving.waits.append(continuation) }
        return leaving.count == 0
      }
      if isOver { continuation.resume() }
    }
  }

  // MARK: - Requests of the services and of the emulator

  /// A subscription to a session.
  package struct Subscription: Sendable {
    package let drafts: [FeedSession.Draft]
    package let resumption: FeedResumption
    /// The current messages.
    package let pages: [PaginatedMessage]
    /// Whether the history no longer knows the position.
    package let isExpired: Bool
    /// The events from now on; ends when the connection breaks.
    package let events: AsyncStream<StreamEvent>
  }

  /// The page, or `nil` if the session does not exist.
  func page(of sessionID: String, after cursor: String?, limit: Int) throws(FeedError) -> MessagePage? {
    try storedPage(of: sessionID, after: cursor, limit: limit)?.page
  }

  /// The page with the events of its messages, or `nil` if the session does not exist.
  package func storedPage(
    of sessionID: String, after cursor: String?, limit: Int
  ) throws(FeedError) -> (page: MessagePage, events: [StreamEvent])? {
    guard let session = state.withLock({ $0.sessions[sessionID] }) else { return nil }
    let page = try session.page(after: cursor, limit: limit)
    return (page, session.entries[page.pagination.offset...].prefix(page.messages.count).map(\.event))
  }

  /// Why a session cannot be subscribed to now; counts as an attempt.
  package func refusal(of sessionID: String) -> Refusal? {
    state.withLock { state in
      if state.sessions[sessionID] == nil {
        return Refusal(
          status: 404, code: "SESSION_NOT_FOUND",
          message: "Expected the id of a session, found \"\(sessionID)\".")
      }
      guard state.refusals > 0 else { return nil }
      if state.refusals != .max { state.refusals -= 1 }
      return Refusal(
        status: 503, code: "UNAVAILABLE", message: "The server has too much to do. Try again later.")
    }
  }

  package func subscribe(to sessionID: String, after messageID: String?) -> Subscription? {
    let (events, continuation) = AsyncStream<StreamEvent>.makeStream()
    let subscription = state.withLock { state -> (Int, Subscription, [CheckedContinuation<Void, Never>])? in
      guard let session = state.sessions[sessionID] else { return nil }
      state.lastSubscriber += 1
      let number = state.lastSubscriber
      state.sessions[sessionID]?.subscribers[number] = continuation
      let subscription = Subscription(
        drafts: session.drafts, resumption: session.resumption(after: messageID), pages: session.pages,
        isExpired: messageID.map { session.expired.contains($0) } ?? false, events: events)
      return (number, subscription, state.countersToWake())
    }
    guard let (number, subscription, counters) = subscription else { return nil }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      leaving.withLock { $0.count += 1 }
      // In a task of its own: the runtime holds a lock while it cancels a reader, which resuming a task may wait for.
      Task { self.unsubscribe(number, from: sessionID) }
    }
    for counter in counters { counter.resume() }
    return subscription
  }

  private func unsubscribe(_ number: Int, from sessionID: String) {
    let counters = state.withLock { state in
      _ = state.sessions[sessionID]?.subscribers.removeValue(forKey: number)
      return state.countersToWake()
    }
    for counter in counters { counter.resume() }
    let waits = leaving.withLock { leaving in
      leaving.count -= 1
      if leaving.count > 0 { return [] as [CheckedContinuation<Void, Never>] }
      defer { leaving.waits = [] }
      return leaving.waits
    }
    for wait in waits { wait.resume() }
  }

  private func change(_ sessionID: String, _ body: (inout FeedSession) -> Void) {
    state.withLock { state in
      guard var session = state.sessions.removeValue(forKey: sessionID) else { return }
      body(&session)
      state.sessions[sessionID] = session
    }
  }

  /// The date in the feed's format.
  package var timestamp: String {
    time.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

extension FeedSession {
  fileprivate mutating func say(_ message: StreamedMessage) {
    guard let page = PaginatedMessage(message) else { return }
    entries.append(Entry(page: page, event: .message(message)))
    send(.message(message))
  }
}

/// The server's state of a session.
package struct FeedSession: Sendable {
  /// An unfinished answer.
  package struct Draft: Sendable {
    package let id: String
    package let timestamp: String
    package var text = ""

    /// The text so far, for a new subscriber.
    package var delta: StreamEvent {
      .message(StreamedMessage(id: id, timestamp: timestamp, content: .assistant(text, isDelta: true)))
    }
  }

  /// A message in both its forms.
  struct Entry: Sendable {
    var page: PaginatedMessage
    var event: StreamEvent
  }

  /// The complete messages, in the order of their completion.
  var entries: [Entry] = []
  var drafts: [Draft] = []
  /// How many messages were removed from the stream's buffer; the history has them.
  var forgotten = 0
  /// The expired cursors.
  var expired: Set<String> = []
  var subscribers: [Int: AsyncStream<StreamEvent>.Continuation] = [:]
  /// The subscribers that receive nothing more without having been closed.
  var silenced: [AsyncStream<StreamEvent>.Continuation] = []

  var pages: [PaginatedMessage] { entries.map(\.page) }

  // MARK: - The history

  /// - Throws: The error of the service.
  func page(after cursor: String?, limit: Int) throws(FeedError) -> MessagePage {
    guard (1...100).contains(limit) else { throw .invalidParameters }
    let offset = try cursor.map { (cursor) throws(FeedError) in try place(after: cursor) } ?? 0
    let messages = pages[offset...].prefix(limit)
    let hasMore = offset + messages.count < entries.count
    let start = max(0, offset - limit)
    return MessagePage(
      messages: Array(messages),
      pagination: .init(
        total: entries.count, limit: limit, offset: offset, hasMore: hasMore,
        nextCursor: hasMore ? messages.last?.id : nil,
        prevCursor: start > 0 ? entries[start - 1].page.id : nil))
  }

  private func place(after cursor: String) throws(FeedError) -> Int {
    if expired.contains(cursor) { throw .cursorExpired }
    guard let place = entries.lastIndex(where: { $0.page.id == cursor }) else { throw .cursorNotFound }
    return place + 1
  }

  // MARK: - The stream

  /// The first events of a subscriber.
  func resumption(after messageID: String?) -> FeedResumption {
    var start = 0
    if let messageID {
      guard let place = entries.lastIndex(where: { $0.page.id == messageID }) else { return .invalid }
      start = place + 1
    }
    return start < forgotten ? .evicted : .missed(entries[start...].map(\.event))
  }

  func send(_ event: StreamEvent) {
    for subscriber in subscribers.values { subscriber.yield(event) }
  }
}

/// How a stream resumes after a message.
package enum FeedResumption: Sendable {
  /// With these events.
  case missed([StreamEvent])
  /// From the history, because the stream's buffer does not reach back so far.
  case evicted
  /// From the beginning, because the message is unknown.
  case invalid
}
