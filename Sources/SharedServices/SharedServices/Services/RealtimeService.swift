/// A service that reports changes of the user's own children as they occur.
///
/// `Contract.realtimeService` in `SharedServicesContracts` specifies the required behaviour.
public protocol RealtimeService: Sendable {
  /// Streams the changes from now on, from all devices, in the order in which they were stored.
  ///
  /// Once the call has returned, no change is missed. A consumer that stops reading ends the subscription. Changes of
  /// another user's children are never delivered.
  ///
  /// - Returns: A stream that does not end by itself. It fails with an `AppError`: `.network(.connectionLost)` if the
  ///   subscription breaks, and `.network(.unauthorized)` if the session ends.
  /// - Throws: `.authentication(.notSignedIn)` without a session; `.network` errors; `.cancelled`.
  func childChanges() async throws(AppError) -> AsyncThrowingStream<ChildChange, any Error>
}
