package import Understudy

extension FaultPlan.Rule {
  /// The same rule, whose fault need not take effect if a condition holds.
  package func optional(if isOptional: Bool) -> Self { isOptional ? optional : self }
}

// Custom interceptors for services, transports and handlers.

/// Repeats a failed call once.
package struct RetryOnce<Base: Sendable>: CustomInterceptor {
  package init() {}

  package func intercept<Result>(
    _ call: Intercepted<Base>.Call, next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    do { return try await next() } catch { return try await next() }
  }
}

/// Throws an error in place of an answer.
package struct Throwing<Base: Sendable>: CustomInterceptor {
  private let error: any Error
  private let isCalling: Bool

  /// - Parameters:
  ///   - error: The error that every call throws.
  ///   - isCalling: Whether the call is made first.
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
