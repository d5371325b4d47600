import SharedServices

/// A mistake in the interpretation of a failure, for any service.
///
/// The mistakes of the services include cases of the same names.
enum Misreading: String, Sendable {
  case takesTimeoutsForFailures
  case waitsForANetwork
  case takesLossForOffline
  case hidesTheDelay
  case takesTheEndForSignedOut
  case showsCancellation

  /// Returns the error that is reported for a failure.
  func reading(of error: AppError) -> AppError {
    switch (error, self) {
    case (.network(.timeout), .takesTimeoutsForFailures): .network(.serverError)
    case (.network(.noConnection), .waitsForANetwork): .network(.timeout)
    case (.network(.connectionLost), .takesLossForOffline): .network(.noConnection)
    case (.network(.rateLimited), .hidesTheDelay): .network(.rateLimited(retryAfter: nil))
    case (.network(.unauthorized), .takesTheEndForSignedOut): .authentication(.notSignedIn)
    case (.cancelled, .showsCancellation): .network(.connectionLost)
    default: error
    }
  }
}

extension RawRepresentable<String> {
  /// Returns the error that is reported by a service with this mistake: another one only if the mistake is a
  /// ``Misreading``.
  func reading(of error: AppError) -> AppError {
    Misreading(rawValue: rawValue)?.reading(of: error) ?? error
  }
}

/// Makes a call in a child task, for which the caller waits.
///
/// Concurrent calls therefore begin before the caller continues, as with a network or a disk. Without it, an in-memory
/// call would end before the next one begins.
func overlapping<Value: Sendable, Failure: Error>(
  _ call: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value {
  async let result = result(of: call)
  return try await result.get()
}

private func result<Value: Sendable, Failure: Error>(
  of call: @Sendable () async throws(Failure) -> Value
) async -> Result<Value, Failure> {
  do throws(Failure) { return .success(try await call()) } catch { return .failure(error) }
}
