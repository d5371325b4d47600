import SharedServicesContracts
import Understudy

extension TrialEnvironment {
  /// Counts the requests to a base, for ``Condition/requestsAreCounted``.
  ///
  /// - Returns: The base to use.
  func countRequests<Base: Sendable>(to base: Base) -> Intercepted<Base> {
    let count = Locked(0)
    on(.requestsAreCounted) { RequestCount { count.withLock { $0 } } }
    return Intercepted(base, by: Interceptor(RequestCounter(count: count)), time: time)
  }
}

/// Counts calls, except those of a cancelled task, which a base refuses without a request.
private struct RequestCounter<Base: Sendable>: CustomInterceptor {
  let count: Locked<Int>

  nonisolated(nonsending) func intercept<Result>(
    _ call: Intercepted<Base>.Call, next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    if !Task.isCancelled { count.withLock { $0 += 1 } }
    return try await next()
  }
}
