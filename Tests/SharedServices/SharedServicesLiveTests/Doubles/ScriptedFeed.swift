import Foundation
import SharedServices
import SharedServicesLive
import Understudy
import UnderstudyHTTP

/// A feed whose connections follow a script.
final class ScriptedFeed: HTTPHandler {
  private let serve: @Sendable (_ connection: Int, any WebSocketConnection) async throws -> Void
  private let count = Locked(0)

  /// - Parameter serve: What each connection does after the client's first frame; they are counted from 1.
  init(_ serve: @escaping @Sendable (Int, any WebSocketConnection) async throws -> Void) {
    self.serve = serve
  }

  var connectionCount: Int { count.withLock { $0 } }

  func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    .webSocket { [self] socket in
      let number = count.withLock { count in
        count += 1
        return count
      }
      _ = try await socket.receive()
      try await serve(number, socket)
    }
  }

  /// The updates of a client that follows the session `s` from its beginning.
  func updates(
    history: any MessageHistoryService = StoredHistory([.success([])]), time: Time
  ) async throws -> AsyncThrowingStream<FeedUpdate, any Error> {
    let url = URL(string: "http://feed.invalid") ?? URL(filePath: "/")
    return try await WebSocketMessageStreamService(
      MessageFeedConfiguration(serverURL: url, reconnection: Reconnection(seed: 1)),
      over: InProcessTransport(to: self, time: time), history: history, clock: time.clock, now: time.date
    ).updates(of: "s", after: nil)
  }
}

extension WebSocketConnection {
  /// Sends frames of the feed.
  func send(frames: String...) async throws {
    for frame in frames { try await send(.text(frame)) }
  }

  /// Waits until the client goes.
  func untilTheEnd() async throws {
    while try await receive() != nil {}
  }
}

/// A history that answers one call after another; the last answer is repeated.
final class StoredHistory: MessageHistoryService {
  private let answers: Locked<[Result<[PaginatedMessage], AppError>]>

  init(_ answers: [Result<[PaginatedMessage], AppError>]) {
    self.answers = Locked(answers)
  }

  func page(of sessionID: String, after cursor: String?, limit: Int) async throws(AppError) -> MessagePage {
    let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
    let messages = try answer?.get() ?? []
    return MessagePage(
      messages: messages,
      pagination: .init(total: messages.count, limit: limit, offset: 0, hasMore: false))
  }
}
