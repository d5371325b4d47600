package import Understudy

// Interceptors of an adopter's own, which tests put before services, transports and handlers.

/// Makes a call that failed once more.
package struct RetryOnce<Base: Sendable>: CallInterceptor {
  package init() {}

  package func intercept<Result>(
    _ call: Intercepted<Base>.Call, next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    do { return try await next() } catch { return try await next() }
  }
}

/// Throws an error in place of an answer.
package struct Throwing<Base: Sendable>: CallInterceptor {
  private let error: any Error
  private let isCalling: Bool

  /// - Parameters:
  ///   - error: What every call throws.
  ///   - isCalling: Whether the call is made before.
  package init(_ error: any Error, afterCalling isCalling: Bool = false) {
    self.error = error
    self.isCalling = isCalling
  }

  package func intercept<Result>(
    _ call: Intercepted<Base>.Call, next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    if isCalling { _ = try await next() }
    throw error
  }
}
