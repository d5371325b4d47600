public import SharedServices
public import Understudy

// Streams over a WebSocket: one that falls silent is lost when the second heartbeat in a row would be due, because the
// first went unanswered. A generated method would let it time out after thirty seconds.

extension Intercepted where Base: RealtimeService {
  /// Subscribes through the interceptors; a fault of a stream acts on the changes.
  public func childChanges() async throws(AppError) -> AsyncThrowingStream<ChildChange, any Error> {
    try await interceptStream(
      .childChanges, timeout: .seconds(50), stallingAs: .dropStream(), failure: { AppError($0) }
    ) { base throws(AppError) in
      try await base.childChanges()
    }
  }
}

extension Intercepted where Base: MessageStreamService {
  /// Follows a session through the interceptors; a fault of a stream acts on the updates, as if the service had given up.
  public func updates(
    of sessionID: String, after messageID: String?
  ) async throws(AppError) -> AsyncThrowingStream<FeedUpdate, any Error> {
    try await interceptStream(
      .updates, sessionID, messageID, timeout: .seconds(50), stallingAs: .dropStream(),
      failure: { AppError($0) }
    ) { base, sessionID, messageID throws(AppError) in
      try await base.updates(of: sessionID, after: messageID)
    }
  }
}
