public import Observation

/// A service, a transport or a handler behind interceptors: faults, logs and gates.
///
/// ```swift
/// let service = Intercepted(InMemoryTodos(), by: .log(log), .faults(.on(.add, call: 2, .timeout)))
/// ```
///
/// It is an `HTTPTransport` or an `HTTPHandler` if the base is one. To make it conform to your own service protocol,
/// generate the conformance with `understudy generate`, or write one line for each method:
///
/// ```swift
/// extension Intercepted: TodoService where Base: TodoService {
///   func add(_ title: String) async throws(TodoError) -> Todo {
///     try await intercept(.add, title, failure: TodoError.init) { base, title throws(TodoError) in
///       try await base.add(title)
///     }
///   }
/// }
/// ```
///
/// An `any TodoService` is intercepted in a function that is generic over its type, which opens the existential:
///
/// ```swift
/// func failing(_ service: some TodoService, with fault: Fault) -> any TodoService {
///   Intercepted(service, by: .faults(.on(.any, fault)))
/// }
/// ```
///
/// Calls pass the interceptors in the given order, except that logs record every call first. Everything before the
/// first wait runs synchronously on the caller's executor.
public final class Intercepted<Base: Sendable>: Sendable {
  /// The intercepted instance.
  public let base: Base
  @usableFromInline package let chain: InterceptorChain

  /// Creates an intercepted base.
  ///
  /// - Parameters:
  ///   - base: The service, transport or handler.
  ///   - interceptors: The interceptors that each call passes, in order.
  ///   - time: The clock of latencies, pauses and timeouts.
  public convenience init(_ base: Base, by interceptors: Interceptor<Base>..., time: Time = .system) {
    self.init(base, by: interceptors, time: time)
  }

  /// Creates an intercepted base from a list of interceptors.
  ///
  /// An adopter writes `.all(list)`: with two initializers, the compiler does not name a misspelled operation.
  ///
  /// - Parameters:
  ///   - base: The service, transport or handler.
  ///   - interceptors: The interceptors that each call passes, in order.
  ///   - time: The clock of latencies, pauses and timeouts.
  package init(_ base: Base, by interceptors: [Interceptor<Base>], time: Time = .system) {
    self.base = base
    chain = InterceptorChain(interceptors.flatMap { $0.cores }, time: time)
  }
}

// A protocol of an adopter may refine one of these, for which no generated file may declare the conformance: another one
// may do so too.

extension Intercepted: Equatable where Base: Equatable {
  /// Whether the bases are equal.
  public static func == (one: Intercepted, other: Intercepted) -> Bool { one.base == other.base }
}

extension Intercepted: Hashable where Base: Hashable {
  /// Hashes the base.
  public func hash(into hasher: inout Hasher) { hasher.combine(base) }
}

extension Intercepted: Identifiable where Base: Identifiable {
  /// The identity of the base.
  public var id: Base.ID { base.id }
}

extension Intercepted: Error where Base: Error {}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension Intercepted: Observable where Base: Observable {}
