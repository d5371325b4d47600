public import SharedServices
public import UnderstudyDoubles

extension Intercepted.Operation where Base: RealtimeService {
  /// ``RealtimeService/childChanges()``.
  public static var childChanges: Self { Self("childChanges") }
}

extension Intercepted: RealtimeService where Base: RealtimeService {
  /// Subscribes through the interceptors; a fault of a stream acts on the changes.
  ///
  /// A subscription that falls silent is lost when the second heartbeat in a row would be due: the first went unanswered.
  public func childChanges() async throws(AppError) -> AsyncThrowingStream<ChildChange, any Error> {
    try await interceptStream(
      .childChanges, timeout: .seconds(50), stallingAs: .abortWebSocket(), failure: { AppError($0) }
    ) { base throws(AppError) in
      try await base.childChanges()
    }
  }
}
