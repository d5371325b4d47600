public import SharedServices
public import UnderstudyDoubles

extension Intercepted.Operation where Base: RealtimeService {
  /// ``RealtimeService/childChanges()``.
  public static var childChanges: Self { Self("childChanges") }
}

extension Intercepted: RealtimeService where Base: RealtimeService {
  /// Subscribes through the interceptors, which see the call and not the stream that it returns.
  public func childChanges() async throws(AppError) -> AsyncThrowingStream<ChildChange, any Error> {
    try await intercept(.childChanges, failure: AppError.init) { base throws(AppError) in
      try await base.childChanges()
    }
  }
}
