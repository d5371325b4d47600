import SharedServices

extension AppError {
  /// The same error without the time after which to try again.
  var withoutDelay: AppError {
    if case .network(.rateLimited) = self { .network(.rateLimited(retryAfter: nil)) } else { self }
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
