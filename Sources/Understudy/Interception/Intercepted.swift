/// A service, a transport or a handler, with interceptors before it: faults, logs, gates and latencies.
///
/// ```swift
/// let service = Intercepted(InMemoryTodos(), by: .log(log), .faults(.on(.add, call: 2, .timeout)))
/// ```
///
/// It is an `HTTPTransport` or an `HTTPHandler` when the base is one. To make it a service of yours, let
/// `understudy generate` write the conformance, or write it once by hand, one line for each method:
///
/// ```swift
/// extension Intercepted: TodoService where Base: TodoService {
///   func add(_ title: String) async throws(TodoError) -> Todo {
///     try await intercept(.add, title, failure: TodoError.init) { base throws(TodoError) in
///       try await base.add(title)
///     }
///   }
/// }
/// ```
///
/// An `any TodoService` is intercepted by a function that is generic over its type, which opens it:
///
/// ```swift
/// func failing(_ service: some TodoService, with fault: Fault) -> any TodoService {
///   Intercepted(service, by: .faults(.on(.any, fault)))
/// }
/// ```
///
/// Calls pass the interceptors in the order in which they are given, but logs see every call first. Everything up to
/// the first wait happens synchronously, on the caller's executor.
public final class Intercepted<Base: Sendable>: Sendable {
  /// What does the work.
  public let base: Base
  @usableFromInline package let chain: InterceptorChain

  /// Puts interceptors before a base.
  ///
  /// - Parameters:
  ///   - base: What does the work.
  ///   - interceptors: What each call passes, the first one first.
  ///   - time: What latencies, pauses and time-outs run on.
  public convenience init(_ base: Base, by interceptors: Interceptor<Base>..., time: Time = .system) {
    self.init(base, by: interceptors, time: time)
  }

  /// Puts a list of interceptors before a base.
  ///
  /// - Parameters:
  ///   - base: What does the work.
  ///   - interceptors: What each call passes, the first one first.
  ///   - time: What latencies, pauses and time-outs run on.
  public init(_ base: Base, by interceptors: [Interceptor<Base>], time: Time = .system) {
    self.base = base
    chain = InterceptorChain(interceptors.map(\.core), time: time)
  }
}
