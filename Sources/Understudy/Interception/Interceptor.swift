/// Something that an ``Intercepted`` does with each call before it reaches the base.
///
/// ```swift
/// let service = Intercepted(InMemoryTodos(), by: .log(log), .faults(.on(.add, call: 2, .timeout)))
/// ```
///
/// An interceptor of your own is a type that conforms to ``CallInterceptor``.
public struct Interceptor<Base: Sendable>: Sendable {
  let core: InterceptorCore

  /// An interceptor of your own.
  public init(_ interceptor: some CallInterceptor<Base>) {
    core = .custom(AdoptedInterceptor(interceptor: interceptor))
  }

  init(core: InterceptorCore) {
    self.core = core
  }

  /// Logs every call, also one that another interceptor answers.
  public static func log(_ log: CallLog<Base>) -> Self { Self(core: .log(log.core)) }

  /// Makes calls fail as a plan says.
  public static func faults(_ plan: FaultPlan<Base>) -> Self { Self(core: .faults(plan.core)) }

  /// Makes calls fail as rules say; the first that matches wins.
  public static func faults(_ rules: FaultPlan<Base>.Rule...) -> Self {
    Self(core: .faults(FaultPlan(rules: rules).core))
  }

  /// Holds calls until the test answers them.
  public static func gate(_ gate: Gate<Base>) -> Self { Self(core: .gate(gate.core)) }

  /// Makes every call take this much longer.
  public static func latency(_ duration: Duration) -> Self {
    .latency(.uniform(duration...duration), seed: 0)
  }

  /// Makes every call take longer by a delay that is drawn for it.
  ///
  /// - Parameters:
  ///   - distribution: What the delays are drawn from.
  ///   - seed: The same seed gives the same delays, call by call.
  public static func latency(_ distribution: LatencyDistribution, seed: UInt64) -> Self {
    Self(core: .latency(Latency(distribution, seed: seed)))
  }
}

/// An interceptor of your own: it sees a call, and calls `next` for what comes after it.
///
/// ```swift
/// struct RetryOnce<Base: Sendable>: CallInterceptor {
///   func intercept<Result>(
///     _ call: Intercepted<Base>.Call, next: nonisolated(nonsending) () async throws -> Result
///   ) async throws -> Result {
///     do { return try await next() } catch { return try await next() }
///   }
/// }
///
/// let service = Intercepted(InMemoryTodos(), by: Interceptor(RetryOnce()), .faults(.on(.add, call: 1, .timeout)))
/// ```
///
/// A call fails with a fault where an interceptor throws a ``Fault``: it becomes the error of the domain, or the answer
/// over HTTP, as if a plan had injected it. An interceptor may call `next` several times, or not at all.
public protocol CallInterceptor<Base>: Sendable {
  /// What the calls are made to.
  associatedtype Base: Sendable

  /// Makes a call, or answers in its place.
  ///
  /// - Parameters:
  ///   - call: The operation and its arguments.
  ///   - next: Makes the call through the interceptors after this one.
  /// - Returns: What the caller gets.
  /// - Throws: What the caller gets in place of an answer: an error of the domain, or a ``Fault``.
  nonisolated(nonsending) func intercept<Result>(
    _ call: Intercepted<Base>.Call, next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result

  /// Makes a call that returns a stream, or answers in its place; the same as any other call by default.
  ///
  /// Over HTTP, and where a method returns another kind of sequence, the stream is inside the result of
  /// ``intercept(_:next:)`` or converted to this one.
  nonisolated(nonsending) func interceptStream<Element: Sendable>(
    _ call: Intercepted<Base>.Call,
    next: nonisolated(nonsending) () async throws -> AsyncThrowingStream<Element, any Error>
  ) async throws -> AsyncThrowingStream<Element, any Error>
}

extension CallInterceptor {
  /// The same as any other call.
  nonisolated(nonsending) public func interceptStream<Element: Sendable>(
    _ call: Intercepted<Base>.Call,
    next: nonisolated(nonsending) () async throws -> AsyncThrowingStream<Element, any Error>
  ) async throws -> AsyncThrowingStream<Element, any Error> {
    try await intercept(call, next: next)
  }
}

/// What an ``Interceptor`` does, whatever its base is.
enum InterceptorCore: Sendable {
  case log(CallLogCore)
  case faults(FaultPlanCore)
  case gate(GateCore)
  case latency(Latency)
  case scheduled(ScheduledBase)
  case custom(any CustomInterceptor)
}

/// A ``CallInterceptor``, whatever its base is.
protocol CustomInterceptor: Sendable {
  nonisolated(nonsending) func intercept<Result>(
    _ call: CallCore, next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result

  nonisolated(nonsending) func interceptStream<Element: Sendable>(
    _ call: CallCore, next: nonisolated(nonsending) () async throws -> AsyncThrowingStream<Element, any Error>
  ) async throws -> AsyncThrowingStream<Element, any Error>
}

private struct AdoptedInterceptor<Adopted: CallInterceptor>: CustomInterceptor {
  let interceptor: Adopted

  nonisolated(nonsending) func intercept<Result>(
    _ call: CallCore, next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    try await interceptor.intercept(Intercepted.Call(core: call), next: next)
  }

  nonisolated(nonsending) func interceptStream<Element: Sendable>(
    _ call: CallCore, next: nonisolated(nonsending) () async throws -> AsyncThrowingStream<Element, any Error>
  ) async throws -> AsyncThrowingStream<Element, any Error> {
    try await interceptor.interceptStream(Intercepted.Call(core: call), next: next)
  }
}

/// Delays drawn from a distribution, one after another.
final class Latency: Sendable {
  private let distribution: LatencyDistribution
  private let generator: Locked<SeededGenerator>

  init(_ distribution: LatencyDistribution, seed: UInt64) {
    self.distribution = distribution
    generator = Locked(SeededGenerator(seed: seed))
  }

  func next() -> Duration {
    generator.withLock { distribution.next(using: &$0) }
  }
}
