import UnderstudyTransport

/// The interceptors of one ``Intercepted``, in the order in which a call passes them.
@usableFromInline struct InterceptorChain: Sendable {
  /// What latencies, pauses and time-outs run on.
  let time: Time
  /// The first log, and the others; nearly always there is one at most.
  private let log: CallLogCore?
  private let otherLogs: [CallLogCore]
  private let steps: [InterceptorCore]

  init(_ interceptors: [InterceptorCore], time: Time) {
    self.time = time
    let logs = interceptors.compactMap { if case .log(let log) = $0 { log } else { nil } }
    log = logs.first
    otherLogs = Array(logs.dropFirst())
    isEmpty = interceptors.isEmpty
    steps = interceptors.filter { if case .log = $0 { false } else { true } }
  }

  @usableFromInline let isEmpty: Bool

  /// Writes a call down in every log.
  @usableFromInline func begin(_ call: CallCore) -> Tickets {
    guard let log else { return Tickets(first: 0, others: []) }
    let others = otherLogs.isEmpty ? [] : otherLogs.map { $0.begin(call) }
    return Tickets(first: log.begin(call), others: others)
  }

  /// Writes down how it went.
  @usableFromInline func end(_ tickets: Tickets, _ outcome: CallOutcome) {
    guard let log else { return }
    log.end(tickets.first, outcome)
    if tickets.others.isEmpty { return }
    for (log, ticket) in zip(otherLogs, tickets.others) { log.end(ticket, outcome) }
  }

  /// Where a call stands in each log; one log needs no array.
  @usableFromInline struct Tickets: Sendable {
    let first: Int
    let others: [Int]
  }

  /// What is to happen to a call next.
  @usableFromInline enum Verdict: Sendable {
    case forward
    case fault(Fault)
    case sleep(Duration)
    case hold(GateCore, GateCore.Ticket)
  }

  /// Takes a call as far as it comes without waiting.
  ///
  /// - Parameter position: The first interceptor that the call has not passed; moved on.
  @usableFromInline func advance(_ call: CallCore, from position: inout Int) -> Verdict {
    while position < steps.count {
      let step = steps[position]
      position += 1
      switch step {
      case .faults(let plan):
        guard let fault = plan.fault(for: call) else { continue }
        if case .latency(let delay) = fault.effect { return .sleep(delay) }
        return .fault(fault)
      case .gate(let gate):
        if let ticket = gate.arrive(call) { return .hold(gate, ticket) }
      case .latency(let latency):
        return .sleep(latency.next())
      case .log:
        continue
      }
    }
    return .forward
  }

  /// Takes a call past the interceptor that makes it wait, and past all after it.
  ///
  /// - Returns: The fault that the call is to meet; `nil` if it may go on to the base.
  @usableFromInline nonisolated(nonsending) func wait(
    _ first: Verdict, _ call: CallCore, from position: Int
  ) async -> Fault? {
    var (verdict, position) = (first, position)
    while true {
      switch verdict {
      case .forward:
        return nil
      case .fault(let fault):
        return fault
      case .sleep(let duration):
        do { try await time.sleep(for: duration) } catch { return .cancelled }
      case .hold(let gate, let ticket):
        guard let fault = await gate.wait(ticket) else { break }
        guard case .latency(let delay) = fault.effect else { return fault }
        verdict = .sleep(delay)
        continue
      }
      verdict = advance(call, from: &position)
    }
  }
}
