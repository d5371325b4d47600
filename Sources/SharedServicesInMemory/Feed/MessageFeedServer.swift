import Foundation
public import SharedServices
public import UnderstudyTransport
import UnderstudyPrimitives

/// A server of sessions in memory, with two doors: the feed's services, and HTTP with WebSockets.
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

    /// Those who wait for the number of subscribers that there is now.
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
  ///   - seed: What the ids of messages come from.
  ///   - time: What dates come from.
  public init(seed: UInt64 = 0, time: Time = .system) {
    state = Locked(State(random: SeededGenerator(seed: seed)))
    self.time = time
  }

  /// The HTTP door.
  public var emulator: MessageFeedEmulator { MessageFeedEmulator(self) }
  /// The history, without HTTP.
  public var history: InMemoryMessageHistoryService { InMemoryMessageHistoryService(self) }
  /// The stream, without a WebSocket.
  public var stream: InMemoryMessageStreamService { InMemoryMessageStreamService(self) }

  // MARK: - What is said

  /// Makes a session in which nothing was said, unless there is one of this name.
  public func open(_ sessionID: String) {
    state.withLock { state in
      if state.sessions[sessionID] == nil { state.sessions[sessionID] = FeedSession() }
    }
  }

  /// Says something whole: stores it, and tells those who follow the session.
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

  /// Says something whole that has an id and a date.
  package func say(_ message: StreamedMessage, in sessionID: String) {
    change(sessionID) { $0.say(message) }
  }

  /// Begins an answer.
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

  /// Writes on an answer that was begun.
  public func write(_ text: String, to messageID: String, in sessionID: String) {
    change(sessionID) { session in
      guard let place = session.drafts.firstIndex(where: { $0.id == messageID }) else { return }
      session.drafts[place].text += text
      let timestamp = session.drafts[place].timestamp
      session.tell(
        .message(
          StreamedMessage(id: messageID, timestamp: timestamp, content: .assistant(text, isDelta: true))))
    }
  }

  /// Makes an answer whole that was begun.
  public func finish(_ messageID: String, in sessionID: String) {
    change(sessionID) { session in
      guard let place = session.drafts.firstIndex(where: { $0.id == messageID }) else { return }
      let draft = session.drafts.remove(at: place)
      session.say(
        StreamedMessage(id: draft.id, timestamp: draft.timestamp, content: .assistant(draft.text)))
    }
  }

  /// Tells those who follow the session something that is not stored.
  public func announce(_ event: StreamEvent, in sessionID: String) {
    change(sessionID) { $0.tell(event) }
  }

  /// The messages that are whole, as the history has them.
  public func messages(of sessionID: String) -> [PaginatedMessage] {
    state.withLock { $0.sessions[sessionID]?.pages ?? [] }
  }

  // MARK: - What goes wrong

  /// Tells those who follow a session nothing more, as a connection does that is lost before anybody notices.
  ///
  /// They notice with ``breakConnections(of:)``.
  public func silence(_ sessionID: String) {
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

  /// Refuses the next connections as a server does that has too much to do (503); zero accepts them again.
  public func refuseConnections(_ count: Int = .max) {
    state.withLock { $0.refusals = max(0, count) }
  }

  /// Lets the stream forget what was said; the history has it still.
  public func forgetStream(of sessionID: String) {
    change(sessionID) { $0.forgotten = $0.said.count }
  }

  /// Gives every message another id, as after a backup was restored: nobody's place is known any more.
  public func renumber(_ sessionID: String) {
    state.withLock { state in
      guard var session = state.sessions[sessionID] else { return }
      for place in session.said.indices {
        let id = state.random.nextUUIDString()
        session.said[place].page.id = id
        if case .message(var message) = session.said[place].event {
          message.id = id
          session.said[place].event = .message(message)
        }
      }
      state.sessions[sessionID] = session
    }
  }

  /// Drops the answers that are being written, as a server does that starts anew.
  public func abandonAnswers(in sessionID: String) {
    change(sessionID) { $0.drafts = [] }
  }

  /// Makes every cursor expire that there is now.
  public func expireCursors(of sessionID: String) {
    change(sessionID) { $0.expired.formUnion($0.said.map(\.page.id)) }
  }

  // MARK: - Who follows

  /// How many follow a session of this server.
  public var subscriberCount: Int { state.withLock { $0.subscriberCount } }

  /// Waits until so many follow a session of this server, or the task is cancelled.
  public func waitForSubscribers(_ count: Int) async {
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

  // MARK: - The doors

  /// What somebody follows.
  struct Subscription: Sendable {
    let drafts: [FeedSession.Draft]
    let resumption: FeedResumption
    /// The messages that there are.
    let pages: [PaginatedMessage]
    /// What happens from now on; ends when the connection breaks.
    let events: AsyncStream<StreamEvent>
  }

  /// The page, or `nil` for no such session.
  func page(of sessionID: String, after cursor: String?, limit: Int) throws(FeedError) -> MessagePage? {
    try state.withLock { $0.sessions[sessionID] }?.page(after: cursor, limit: limit)
  }

  /// Why nobody can follow a session now; counts as a try.
  func refusal(of sessionID: String) -> Refusal? {
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

  func subscribe(to sessionID: String, after messageID: String?) -> Subscription? {
    let (events, continuation) = AsyncStream<StreamEvent>.makeStream()
    let subscription = state.withLock { state -> (Int, Subscription, [CheckedContinuation<Void, Never>])? in
      guard let session = state.sessions[sessionID] else { return nil }
      state.lastSubscriber += 1
      let number = state.lastSubscriber
      state.sessions[sessionID]?.subscribers[number] = continuation
      let subscription = Subscription(
        drafts: session.drafts, resumption: session.resumption(after: messageID), pages: session.pages,
        events: events)
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

  /// The date, as the feed writes it.
  var timestamp: String {
    time.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

extension FeedSession {
  fileprivate mutating func say(_ message: StreamedMessage) {
    guard let page = PaginatedMessage(message) else { return }
    said.append(Said(page: page, event: .message(message)))
    tell(.message(message))
  }
}
