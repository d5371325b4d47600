public import UnderstudyTransport

/// A service, a transport or a handler, with interceptors before it: faults, logs, gates and latencies.
///
/// ```swift
/// let service = Intercepted(InMemoryTodos(), by: .log(log), .faults(.on(.add, call: 2, .timeout)))
/// ```
///
/// It is an `HTTPTransport` or an `HTTPHandler` when the base is one. To make it a service of yours, write the
/// conformance once, one line for each method:
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
  let time: Time
  private let logs: [CallLog<Base>]
  private let steps: [Step]

  private enum Step: Sendable {
    case faults(FaultPlan<Base>)
    case gate(GateCore<Base>)
    case latency(Latency)
  }

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
    self.time = time
    logs = interceptors.compactMap { if case .log(let log) = $0.kind { log } else { nil } }
    steps = interceptors.compactMap {
      switch $0.kind {
      case .log: nil
      case .faults(let plan): .faults(plan)
      case .gate(let gate): .gate(gate)
      case .latency(let latency): .latency(latency)
      }
    }
  }

  // MARK: - For seams

  /// Lets a call pass the logs and the interceptors, and then does what `body` makes of the outcome.
  nonisolated(nonsending) func pass<Result, Failure: Error>(
    _ call: Call,
    _ body: nonisolated(nonsending) (Fault?) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    if logs.isEmpty { return try await body(await verdict(on: call)) }
    let tickets = logs.map { $0.begin(call) }
    do throws(Failure) {
      let result = try await body(await verdict(on: call))
      for (log, ticket) in zip(logs, tickets) { log.end(ticket, .returned) }
      return result
    } catch {
      for (log, ticket) in zip(logs, tickets) { log.end(ticket, .failed(error)) }
      throw error
    }
  }

  /// Writes down a call that cannot be held or made to fail, and makes it.
  func passSynchronously<Result, Failure: Error>(
    _ call: Call, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let tickets = logs.map { $0.begin(call) }
    do throws(Failure) {
      let result = try body()
      for (log, ticket) in zip(logs, tickets) { log.end(ticket, .returned) }
      return result
    } catch {
      for (log, ticket) in zip(logs, tickets) { log.end(ticket, .failed(error)) }
      throw error
    }
  }

  /// The fault that the call is to meet, once every wait before it is over; `nil` if it may go on to the base.
  nonisolated(nonsending) private func verdict(on call: Call) async -> Fault? {
    for step in steps {
      switch step {
      case .faults(let plan):
        guard let fault = plan.fault(for: call) else { continue }
        guard case .latency(let delay) = fault.effect else { return fault }
        if await !slept(delay) { return .cancelled }
      case .gate(let gate):
        guard let ticket = gate.arrive(call) else { continue }
        if let fault = await gate.wait(ticket) { return fault }
      case .latency(let latency):
        if await !slept(latency.next()) { return .cancelled }
      }
    }
    return nil
  }

  nonisolated(nonsending) private func slept(_ duration: Duration) async -> Bool {
    do {
      try await time.sleep(for: duration)
      return true
    } catch {
      return false
    }
  }
}
