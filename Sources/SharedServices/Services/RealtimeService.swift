/// Changes of the user's own children, while they happen.
///
/// What every implementation must do is `Contract.realtimeService` in `SharedServicesContracts`.
public protocol RealtimeService: Sendable {
  /// The changes from now on, from whatever device they come, in the order in which they were stored.
  ///
  /// Once the call has returned, no change is missed. A consumer that leaves ends the subscription. Changes of
  /// another user's children are never told.
  ///
  /// - Returns: A stream that does not end by itself; its errors are `AppError`s, `.network(.connectionLost)` when
  ///   the subscription breaks, and `.network(.unauthorized)` when the session ends.
  /// - Throws: `.authentication(.notSignedIn)` without a session; `.network` failures; `.cancelled`.
  func childChanges() async throws(AppError) -> AsyncThrowingStream<ChildChange, any Error>
}
