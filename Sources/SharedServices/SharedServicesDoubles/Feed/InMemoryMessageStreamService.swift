public import SharedServices
import Understudy

/// The updates of the sessions of a ``MessageFeedServer``.
///
/// A broken connection is reopened at once, with at most ten attempts while the server refuses it.
public struct InMemoryMessageStreamService: MessageStreamService {
  private let server: MessageFeedServer

  init(_ server: MessageFeedServer) {
    self.server = server
  }

  /// What happens in a session; see `MessageStreamService`.
  ///
  /// - Throws: `.network(.notFound)`, `.network(.serverError)`, `.cancelled`.
  public func updates(
    of sessionID: String, after messageID: String?
  ) async throws(AppError) -> AsyncThrowingStream<FeedUpdate, any Error> {
    if Task.isCancelled { throw .cancelled }
    let reader = Reader(server, sessionID, after: messageID)
    try reader.connect()
    return AsyncThrowingStream { try await reader.next() }
  }

  /// A subscriber of a session.
  private final class Reader: Sendable {
    private struct State: Sendable {
      var last: String?
      /// The updates to deliver before new ones.
      var waiting: [FeedUpdate] = []
      /// How much of each unfinished answer was delivered, in scalars.
      var delivered: [String: Int] = [:]
      /// Delivered messages of an unknown type; not usable as a position, because they may not be stored.
      var unknown: Set<String> = []
      /// The answers that were in progress when the connection was opened.
      var drafts: Set<String> = []
      var events: AsyncStream<StreamEvent>?
      /// Why the connection could not be reopened.
      var failure: AppError?
      var isOver = false

      /// Adds the first updates of a new connection.
      mutating func resume(_ subscription: MessageFeedServer.Subscription) {
        let all = subscription.pages
        events = subscription.events
        drafts = Set(subscription.drafts.map(\.id))
        for draft in subscription.drafts {
          let rest = String(
            String.UnicodeScalarView(draft.text.unicodeScalars.dropFirst(delivered[draft.id] ?? 0)))
          if !rest.isEmpty {
            waiting.append(
              .event(FeedSession.Draft(id: draft.id, timestamp: draft.timestamp, text: rest).delta))
          }
        }
        switch subscription.resumption {
        case .missed(let events): waiting += events.filter { !isDelivered($0) }.map { .event($0) }
        case .evicted where subscription.isExpired: waiting.append(.reset(all))
        case .evicted:
          let place = all.lastIndex { $0.id.exactly == last?.exactly }.map { $0 + 1 } ?? 0
          waiting.append(.missed(Array(all[place...])))
        case .invalid: waiting.append(.reset(all))
        }
        waiting.append(.connected)
      }

      private func isDelivered(_ event: StreamEvent) -> Bool {
        guard case .message(let message) = event, case .unknown = message.content else { return false }
        return unknown.contains(message.id)
      }

      mutating func takeWaiting() -> FeedUpdate? {
        guard let update = waiting.first else { return nil }
        switch update {
        case .event(.message(let message)):
          if case .assistant(let text, isDelta: true) = message.content {
            delivered[message.id, default: 0] += text.unicodeScalars.count
          } else if case .unknown = message.content {
            unknown.insert(message.id)
          } else if let page = PaginatedMessage(message) {
            note([page])
          }
        case .missed(let messages): note(messages)
        case .reset(let messages):
          last = nil
          note(messages)
        case .connected:
          if let dead = delivered.keys.filter({ !drafts.contains($0) }).min() {
            delivered[dead] = nil
            return .abandoned(dead)
          }
        case .reconnecting, .abandoned, .event: break
        }
        waiting.removeFirst()
        return update
      }

      private mutating func note(_ messages: [PaginatedMessage]) {
        for message in messages { delivered[message.id] = nil }
        last = messages.last?.id ?? last
      }
    }

    private let server: MessageFeedServer
    private let sessionID: String
    private let state: Locked<State>

    init(_ server: MessageFeedServer, _ sessionID: String, after messageID: String?) {
      self.server = server
      self.sessionID = sessionID
      state = Locked(State(last: messageID))
    }

    func connect() throws(AppError) {
      let subscription = try server.connect(to: sessionID, after: state.withLock { $0.last })
      state.withLock { $0.resume(subscription) }
    }

    func next() async throws -> FeedUpdate? {
      if state.withLock({ $0.isOver }) { return nil }
      do {
        while true {
          if Task.isCancelled { throw AppError.cancelled }
          let (waiting, events, failure) = state.withLock { ($0.takeWaiting(), $0.events, $0.failure) }
          if let waiting { return waiting }
          if let failure { throw failure }
          var iterator = events?.makeAsyncIterator()
          let event = await iterator?.next()
          if Task.isCancelled { throw AppError.cancelled }
          if let event {
            state.withLock { $0.waiting.append(.event(event)) }
          } else {
            reconnect()
          }
        }
      } catch {
        state.withLock { state in
          state.isOver = true
          state.events = nil
        }
        throw error
      }
    }

    private func reconnect() {
      state.withLock { $0.waiting.append(.reconnecting) }
      for _ in 0..<InMemoryMessageStreamService.attempts {
        do throws(AppError) {
          try connect()
          return state.withLock { $0.failure = nil }
        } catch {
          state.withLock { $0.failure = error }
          if error != .network(.serverError) { return }
        }
      }
    }
  }

  /// The number of attempts to reopen a connection.
  private static let attempts = 10
}

/// The history of the sessions of a ``MessageFeedServer``.
public struct InMemoryMessageHistoryService: MessageHistoryService {
  private let server: MessageFeedServer

  init(_ server: MessageFeedServer) {
    self.server = server
  }

  /// A page; see `MessageHistoryService`.
  ///
  /// - Throws: `.feed`, `.network(.notFound)`, `.cancelled`.
  public func page(
    of sessionID: String, after cursor: String?, limit: Int
  ) async throws(AppError) -> MessagePage {
    if Task.isCancelled { throw .cancelled }
    let page: MessagePage?
    do throws(FeedError) {
      page = try server.page(of: sessionID, after: cursor, limit: limit)
    } catch {
      throw .feed(error)
    }
    guard let page else { throw .network(.notFound) }
    return page
  }
}
