public import SharedServices
public import Understudy
import Foundation

/// A server of sessions in memory, used through the feed's services.
///
/// ```swift
/// let server = MessageFeedServer()
/// server.open("s1")
/// server.say(.user("Hello"), in: "s1")
/// let model = ChatViewModel(sessionID: "s1", history: server.history, stream: server.stream)
/// ```
public final class MessageFeedServer: Sendable {
  private struct State: Sendable {
    var sessions: [[UInt8]: FeedSession] = [:]
    var random: SeededGenerator
    var lastSubscriber = 0
    var refusals = 0
    var watchers = CountWatchers()

    /// The session with an id, which is compared exactly.
    subscript(id: String) -> FeedSession? {
      get { sessions[id.exactly] }
      _modify { yield &sessions[id.exactly] }
    }

    var subscriberCount: Int { sessions.values.reduce(0) { $0 + $1.subscribers.count } }
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
      if state[sessionID] == nil { state[sessionID] = FeedSession() }
    }
  }

  /// Stores a complete message and sends it to the subscribers.
  ///
  /// - Returns: The id of the message.
  @discardableResult public func say(_ content: StreamContent, in sessionID: String) -> String {
    let timestamp = timestamp
    return state.withLock { state in
      let id = state.random.nextUUIDString()
      state[sessionID]?.say(StreamedMessage(id: id, timestamp: timestamp, content: content))
      return id
    }
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
      state[sessionID]?.drafts.append(FeedSession.Draft(id: id, timestamp: timestamp))
      return id
    }
  }

  /// Appends text to a started answer.
  public func write(_ text: String, to messageID: String, in sessionID: String) {
    change(sessionID) { session in
      guard !text.isEmpty, let place = session.drafts.firstIndex(where: { $0.id == messageID }) else {
        return
      }
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

  /// Sends an event to the subscribers without storing it; heartbeats keep a connection alive and are not delivered.
  package func announce(_ event: StreamEvent, in sessionID: String) {
    switch event {
    case .control(.ping), .control(.pong): break
    default: change(sessionID) { $0.send(event) }
    }
  }

  /// The complete messages, as in the history.
  package func messages(of sessionID: String) -> [PaginatedMessage] {
    state.withLock { $0[sessionID]?.pages ?? [] }
  }

  // MARK: - Conditions for tests

  /// Sends nothing more to the current subscribers, like a connection that is lost unnoticed.
  ///
  /// ``breakConnections(of:)`` ends their streams.
  package func silence(_ sessionID: String) {
    state.withLock { state in
      state[sessionID]?.silence()
      state.watchers.update(state.subscriberCount)
    }
  }

  /// Breaks every connection of a session.
  public func breakConnections(of sessionID: String) {
    silence(sessionID)
    let silenced = state.withLock { state in
      defer { state[sessionID]?.silenced = [] }
      return state[sessionID]?.silenced ?? []
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
      guard var session = state[sessionID] else { return }
      session.expired = []
      for place in session.entries.indices {
        let id = state.random.nextUUIDString()
        session.entries[place].page.id = id
        if case .message(var message) = session.entries[place].event {
          message.id = id
          session.entries[place].event = .message(message)
        }
      }
      state[sessionID] = session
    }
  }

  /// Drops the unfinished answers, as a restarted server does.
  package func abandonAnswers(in sessionID: String) {
    change(sessionID) { $0.drafts = [] }
  }

  /// Expires every current cursor.
  package func expireCursors(of sessionID: String) {
    change(sessionID) { $0.expired.formUnion($0.entries.map(\.page.id.exactly)) }
  }

  // MARK: - Subscribers

  /// The number of subscribers of all sessions.
  package var subscriberCount: Int { state.withLock { $0.subscriberCount } }

  /// Waits until the number of subscribers is `count`, or the task is cancelled.
  package func waitForSubscribers(_ count: Int) async {
    let watch = state.withLock { $0.watchers.add(for: count, now: $0.subscriberCount) }
    for await _ in watch {}
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

  // MARK: - Requests of the services

  /// A subscription to a session.
  struct Subscription: Sendable {
    let drafts: [FeedSession.Draft]
    let resumption: FeedResumption
    /// The current messages.
    let pages: [PaginatedMessage]
    /// Whether the history no longer knows the position.
    let isExpired: Bool
    /// The events from now on; ends when the connection breaks.
    let events: AsyncStream<StreamEvent>
  }

  /// The page, or `nil` if the session does not exist.
  func page(of sessionID: String, after cursor: String?, limit: Int) throws(FeedError) -> MessagePage? {
    try state.withLock { $0[sessionID] }?.page(after: cursor, limit: limit)
  }

  /// Subscribes to a session; counts as an attempt to connect.
  ///
  /// - Throws: `.network(.notFound)`, `.network(.serverError)`.
  func connect(to sessionID: String, after messageID: String?) throws(AppError) -> Subscription {
    let (events, continuation) = AsyncStream<StreamEvent>.makeStream()
    let (number, subscription) = try state.withLock { (state) throws(AppError) in
      guard let session = state[sessionID] else { throw .network(.notFound) }
      if state.refusals > 0 {
        if state.refusals != .max { state.refusals -= 1 }
        throw .network(.serverError)
      }
      state.lastSubscriber += 1
      let number = state.lastSubscriber
      state[sessionID]?.subscribers[number] = continuation
      state.watchers.update(state.subscriberCount)
      let subscription = Subscription(
        drafts: session.drafts, resumption: session.resumption(after: messageID), pages: session.pages,
        isExpired: messageID.map { session.expired.contains($0.exactly) } ?? false, events: events)
      return (number, subscription)
    }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      leaving.withLock { $0.count += 1 }
      // In a task of its own: the runtime holds a lock while it cancels a reader, which resuming a task may wait for.
      Task { self.unsubscribe(number, from: sessionID) }
    }
    return subscription
  }

  private func unsubscribe(_ number: Int, from sessionID: String) {
    state.withLock { state in
      state[sessionID]?.subscribers[number] = nil
      state.watchers.update(state.subscriberCount)
    }
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
      guard var session = state.sessions.removeValue(forKey: sessionID.exactly) else { return }
      body(&session)
      state[sessionID] = session
    }
  }

  /// The date in the feed's format.
  private var timestamp: String {
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
struct FeedSession: Sendable {
  /// An unfinished answer.
  struct Draft: Sendable {
    let id: String
    let timestamp: String
    var text = ""

    /// The text so far, for a new subscriber.
    var delta: StreamEvent {
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
  var expired: Set<[UInt8]> = []
  var subscribers: [Int: AsyncStream<StreamEvent>.Continuation] = [:]
  /// The subscribers that receive nothing more without having been closed.
  var silenced: [AsyncStream<StreamEvent>.Continuation] = []

  var pages: [PaginatedMessage] { entries.map(\.page) }

  private func place(of messageID: String) -> Int? {
    entries.lastIndex { $0.page.id.exactly == messageID.exactly }
  }

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
    if expired.contains(cursor.exactly) { throw .cursorExpired }
    guard let place = place(of: cursor) else { throw .cursorNotFound }
    return place + 1
  }

  // MARK: - The stream

  mutating func silence() {
    silenced += subscribers.values
    subscribers = [:]
  }

  /// The first events of a subscriber.
  func resumption(after messageID: String?) -> FeedResumption {
    var start = 0
    if let messageID {
      guard let place = place(of: messageID) else { return .invalid }
      start = place + 1
    }
    return start < forgotten ? .evicted : .missed(entries[start...].map(\.event))
  }

  func send(_ event: StreamEvent) {
    for subscriber in subscribers.values { subscriber.yield(event) }
  }
}

/// How a stream resumes after a message.
enum FeedResumption: Sendable {
  /// With these events.
  case missed([StreamEvent])
  /// From the history, because the stream's buffer does not reach back so far.
  case evicted
  /// From the beginning, because the message is unknown.
  case invalid
}
