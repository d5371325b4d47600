public import SharedServices
public import UnderstudyDoubles

extension Intercepted.Operation where Base: MessageHistoryService {
  /// `page(of:after:limit:)` of a `MessageHistoryService`.
  public static var page: Self { Self("page") }
}

extension Intercepted: MessageHistoryService where Base: MessageHistoryService {
  /// Asks for a page through the interceptors.
  public func page(
    of sessionID: String, after cursor: String?, limit: Int
  ) async throws(AppError) -> MessagePage {
    try await intercept(.page, sessionID, cursor, limit, failure: { AppError($0) }) { base throws(AppError) in
      try await base.page(of: sessionID, after: cursor, limit: limit)
    }
  }
}

extension Intercepted.Operation where Base: MessageStreamService {
  /// `updates(of:after:)` of a `MessageStreamService`.
  public static var updates: Self { Self("updates") }
}

extension Intercepted: MessageStreamService where Base: MessageStreamService {
  /// Follows a session through the interceptors; a fault of a stream acts on the updates, as if the service had given up.
  public func updates(
    of sessionID: String, after messageID: String?
  ) async throws(AppError) -> AsyncThrowingStream<FeedUpdate, any Error> {
    try await interceptStream(
      .updates, sessionID, messageID, timeout: .seconds(50), stallingAs: .abortWebSocket(),
      failure: { AppError($0) }
    ) { base throws(AppError) in
      try await base.updates(of: sessionID, after: messageID)
    }
  }
}
