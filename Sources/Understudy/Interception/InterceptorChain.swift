import UnderstudyTransport

/// The interceptors of one ``Intercepted``, in the order in which a call passes them.
@usableFromInline struct InterceptorChain: Sendable {
  /// What latencies, pauses and time-outs run on.
  let time: Time
  /// The first log, and the others; nearly always there is one at most.
  private let log: CallLogCore?
  private let otherLogs: [CallLogCore]
  /// The base in a run of a scenario, if it is one.
  private let scheduled: ScheduledBase?
  private let steps: [InterceptorCore]
  @usableFromInline let isEmpty: Bool

  init(_ interceptors: [InterceptorCore], time: Time) {
    self.time = time
    let logs = interceptors.compactMap { if case .log(let log) = $0 { log } else { nil } }
    log = logs.first
    otherLogs = Array(logs.dropFirst())
    scheduled = interceptors.lazy.compactMap { if case .scheduled(let base) = $0 { base } else { nil } }.first
    steps = interceptors.filter { if case .log = $0 { false } else { true } }
    isEmpty = interceptors.isEmpty
  }

  /// What is to happen to a call next.
  enum Verdict: Sendable {
    case forward
    case fault(Fault)
    case sleep(Duration)
    case hold(GateCore, GateCore.Ticket)
  }

  /// How a call goes on from its entry.
  ///
  /// It is small, because it lies in the frame of every call: what few calls need is in an object of its own.
  @usableFromInline struct Passage: Sendable {
    /// Where the call stands in the first log.
    @usableFromInline let ticket: Int
    /// `nil` if the call goes straight to the base.
    @usableFromInline let detour: Detour?

    @inlinable init(ticket: Int, detour: Detour?) {
      self.ticket = ticket
      self.detour = detour
    }
  }

  /// What a call has before it that does not go straight to the base, or stands in several logs.
  @usableFromInline final class Detour: Sendable {
    let call: CallCore
    let verdict: Verdict
    /// The first step that the call has not passed.
    let position: Int
    /// Where the call stands in the logs behind the first.
    let tickets: [Int]
    /// Which call of a scenario's run it is.
    let point: FaultPoint?

    init(
      _ call: CallCore, _ verdict: Verdict, position: Int = 0, tickets: [Int], point: FaultPoint? = nil
    ) {
      self.call = call
      self.verdict = verdict
      self.position = position
      self.tickets = tickets
      self.point = point
    }
  }

  /// Writes a call down in every log, and takes it as far as it comes without waiting.
  @usableFromInline func enter(_ call: CallCore) -> Passage {
    let ticket = log?.begin(call) ?? 0
    if otherLogs.isEmpty, isClear(for: call) { return Passage(ticket: ticket, detour: nil) }
    let tickets = otherLogs.map { $0.begin(call) }
    let point = scheduled?.begin(call)
    var position = 0
    let verdict = advance(call, point, from: &position)
    if case .forward = verdict, tickets.isEmpty, point == nil { return Passage(ticket: ticket, detour: nil) }
    return Passage(
      ticket: ticket, detour: Detour(call, verdict, position: position, tickets: tickets, point: point))
  }

  /// Writes a call down in every log, and nothing else.
  @usableFromInline func record(_ call: CallCore) -> Passage {
    let ticket = log?.begin(call) ?? 0
    let tickets = otherLogs.map { $0.begin(call) }
    return Passage(ticket: ticket, detour: tickets.isEmpty ? nil : Detour(call, .forward, tickets: tickets))
  }

  /// Writes down that a call returned.
  @usableFromInline func end(_ passage: Passage) {
    end(passage, .returned)
  }

  /// Writes down that a call failed.
  @usableFromInline func end(_ passage: Passage, _ error: any Error) {
    end(passage, .failed(error))
  }

  /// A stream that a call returned, as a scenario's run sees it.
  func watched<Element: Sendable>(
    _ stream: AsyncThrowingStream<Element, any Error>, _ passage: Passage
  ) -> AsyncThrowingStream<Element, any Error> {
    guard let scheduled, let point = passage.detour?.point else { return stream }
    return scheduled.watched(stream, from: point)
  }

  private func end(_ passage: Passage, _ outcome: CallOutcome) {
    if let scheduled, let point = passage.detour?.point { scheduled.end(point, outcome) }
    guard let log else { return }
    log.end(passage.ticket, outcome)
    guard let detour = passage.detour else { return }
    for (log, ticket) in zip(otherLogs, detour.tickets) { log.end(ticket, outcome) }
  }

  /// Whether no step does anything to a call, as far as can be said without counting it.
  private func isClear(for call: CallCore) -> Bool {
    for step in steps {
      guard case .faults(let plan) = step, !plan.concerns(call) else { return false }
    }
    return true
  }

  /// Takes a call as far as it comes without waiting.
  ///
  /// - Parameter position: The first interceptor that the call has not passed; moved on.
  private func advance(_ call: CallCore, _ point: FaultPoint?, from position: inout Int) -> Verdict {
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
      case .scheduled(let base):
        guard let point, let fault = base.fault(at: point) else { continue }
        if case .latency(let delay) = fault.effect { return .sleep(delay) }
        return .fault(fault)
      case .log:
        continue
      }
    }
    return .forward
  }

  /// Takes a call past what makes it wait.
  ///
  /// - Returns: The fault that the call is to meet; `nil` if it may go on to the base.
  nonisolated(nonsending) func wait(_ detour: Detour?) async -> Fault? {
    guard let detour else { return nil }
    return await wait(detour.verdict, detour.call, detour.point, from: detour.position)
  }

  /// Takes a call past the interceptor that makes it wait, and past all after it.
  ///
  /// - Returns: The fault that the call is to meet; `nil` if it may go on to the base.
  private nonisolated(nonsending) func wait(
    _ first: Verdict, _ call: CallCore, _ point: FaultPoint?, from position: Int
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
        switch fault.effect {
        case .latency(let delay): verdict = .sleep(delay)
        case .drawnLatency(let distribution): verdict = .sleep(distribution.median)
        default: return fault
        }
        continue
      }
      verdict = advance(call, point, from: &position)
    }
  }
}
