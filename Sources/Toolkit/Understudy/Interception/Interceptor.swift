public import Dispatch

/// A step of an ``Intercepted`` that each call passes before it reaches the base.
///
/// ```swift
/// let service = Intercepted(InMemoryTodos(), by: .log(log), .faults(.on(.add, call: 2, .timeout)))
/// ```
///
/// A custom interceptor is a type that conforms to ``CustomInterceptor``.
public struct Interceptor<Base: Sendable>: Sendable {
  /// What a call passes; several if the interceptor is a list.
  let cores: [InterceptorCore]

  /// Creates a custom interceptor.
  public init(_ interceptor: some CustomInterceptor<Base>) {
    self.init(core: .custom(AdoptedInterceptor(interceptor: interceptor)))
  }

  init(core: InterceptorCore) {
    cores = [core]
  }

  private init(cores: [InterceptorCore]) {
    self.cores = cores
  }

  /// Passes each call through a list of interceptors, such as those that a helper of a test receives.
  public static func all(_ interceptors: [Self]) -> Self { Self(cores: interceptors.flatMap(\.cores)) }

  /// Logs every call, including those that another interceptor answers.
  public static func log(_ log: CallLog<Base>) -> Self { Self(core: .log(log.core)) }

  /// Injects the faults of a plan.
  @_disfavoredOverload  // So that the compiler explains a mistake in rules as one of a rule.
  public static func faults(_ plan: FaultPlan<Base>) -> Self { Self(core: .faults(plan.core)) }

  /// Injects the faults of rules; the first rule that matches applies.
  public static func faults(_ rules: FaultPlan<Base>.Rule...) -> Self {
    Self(core: .faults(FaultPlan(rules: rules).core))
  }

  /// Holds calls until the test answers them.
  public static func gate(_ gate: Gate<Base>) -> Self { Self(core: .gate(gate.core)) }

  /// Calls completion handlers on a queue, such as one in the background where the base uses the main queue.
  public static func callbacks(on queue: DispatchQueue) -> Self { Self(core: .callbacks(queue)) }

  // MARK: - Former spellings

  /// Injects the faults of a plan.
  @available(*, deprecated, renamed: "faults(_:)")
  public static func plan(_ plan: FaultPlan<Base>) -> Self { .faults(plan) }

  /// Delays every call by a duration.
  @available(*, deprecated, message: "Use the fault: .faults(.on(.any, .latency(duration)).optional).")
  public static func latency(_ duration: Duration) -> Self { .faults(.on(.any, .latency(duration)).optional) }

  /// Delays every call by a duration drawn for it.
  @available(
    *, deprecated,
    message: "Use the fault: .faults(FaultPlan(.on(.any, .latency(distribution)).optional, seed: seed))."
  )
  public static func latency(_ distribution: LatencyDistribution, seed: UInt64) -> Self {
    .faults(FaultPlan(.on(.any, .latency(distribution)).optional, seed: seed))
  }
}

/// A custom interceptor, which receives each call and calls `next` to continue it.
///
/// ```swift
/// struct RetryOnce<Base: Sendable>: CustomInterceptor {
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
/// A ``Fault`` that an interceptor throws is handled as if a plan had injected it: it becomes the error of the domain,
/// or the answer over HTTP. An interceptor may call `next` several times, or not at all.
public protocol CustomInterceptor<Base>: Sendable {
  /// The type of the intercepted base.
  associatedtype Base: Sendable

  /// Makes a call, or answers in its place.
  ///
  /// - Parameters:
  ///   - call: The operation and its arguments.
  ///   - next: Makes the call through the interceptors after this one.
  /// - Returns: The result for the caller.
  /// - Throws: The error for the caller: an error of the domain, or a ``Fault``.
  nonisolated(nonsending) func intercept<Result>(
    _ call: Intercepted<Base>.Call, next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result

  /// Makes a call that returns a stream, or answers in its place (default: the same as any other call).
  ///
  /// Over HTTP, the stream is inside the result of ``intercept(_:next:)``. Another kind of sequence is converted to
  /// this one.
  nonisolated(nonsending) func interceptStream<Element: Sendable>(
    _ call: Intercepted<Base>.Call,
    next: nonisolated(nonsending) () async throws -> AsyncThrowingStream<Element, any Error>
  ) async throws -> AsyncThrowingStream<Element, any Error>
}

/// The former name.
@available(*, deprecated, renamed: "CustomInterceptor")
public typealias CallInterceptor = CustomInterceptor

extension CustomInterceptor {
  /// Handles the call like any other.
  nonisolated(nonsending) public func interceptStream<Element: Sendable>(
    _ call: Intercepted<Base>.Call,
    next: nonisolated(nonsending) () async throws -> AsyncThrowingStream<Element, any Error>
  ) async throws -> AsyncThrowingStream<Element, any Error> {
    try await intercept(call, next: next)
  }
}

/// The content of an ``Interceptor``, independent of its base.
enum InterceptorCore: Sendable {
  case log(CallLogCore)
  case faults(FaultPlanCore)
  case gate(GateCore)
  case scheduled(ScheduledBase)
  case custom(any ErasedInterceptor)
  /// Completion handlers are called on a queue.
  case callbacks(DispatchQueue)
}

/// A ``CustomInterceptor``, independent of its base.
protocol ErasedInterceptor: Sendable {
  nonisolated(nonsending) func intercept<Result>(
    _ call: CallCore, next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result

  nonisolated(nonsending) func interceptStream<Element: Sendable>(
    _ call: CallCore, next: nonisolated(nonsending) () async throws -> AsyncThrowingStream<Element, any Error>
  ) async throws -> AsyncThrowingStream<Element, any Error>
}

private struct AdoptedInterceptor<Adopted: CustomInterceptor>: ErasedInterceptor {
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
