import Dispatch

/// The interceptors of one ``Intercepted``, in the order in which a call passes them.
@usableFromInline package struct InterceptorChain: Sendable {
  /// The clock of latencies, pauses and timeouts.
  package let time: Time
  /// The first log, and the others; a chain rarely has more than one.
  private let log: CallLogCore?
  private let otherLogs: [CallLogCore]
  /// The base in a run of a scenario, if any.
  private let scheduled: ScheduledBase?
  /// What makes the base wrong on purpose, if anything does.
  private let mutation: MutationInterceptor?
  /// Where completion handlers are called; `nil` for where they would be.
  let callbackQueue: DispatchQueue?
  private let steps: [InterceptorCore]
  /// The plans, if there is no other step and at most one log; nearly every call passes them without a fault.
  private let plansOnly: [FaultPlanCore]?
  @usableFromInline let isEmpty: Bool
  /// Whether an interceptor may hold the answer of a call: a custom one, or a scenario's run with interruptions.
  package let isOpen: Bool

  init(_ interceptors: [InterceptorCore], time: Time) {
    self.time = time
    let logs = interceptors.compactMap { if case .log(let log) = $0 { log } else { nil } }
    log = logs.first
    otherLogs = Array(logs.dropFirst())
    for log in logs { log.noteAttachment() }
    scheduled = interceptors.lazy.compactMap { if case .scheduled(let base) = $0 { base } else { nil } }.first
    mutation =
      interceptors.lazy.compactMap {
        if case .custom(let step) = $0 { (step as? MutatedBase)?.mutation } else { nil }
      }.first
    callbackQueue =
      interceptors.lazy.compactMap { if case .callbacks(let queue) = $0 { queue } else { nil } }.first
    steps = interceptors.filter {
      switch $0 {
      case .log, .callbacks: false
      case .faults, .gate, .scheduled, .custom: true
      }
    }
    let plans = steps.compactMap { if case .faults(let plan) = $0 { plan } else { nil } }
    plansOnly = plans.count == steps.count && logs.count < 2 ? plans : nil
    isEmpty = interceptors.isEmpty
    isOpen =
      interceptors.contains { if case .custom = $0 { true } else { false } } || scheduled?.interleaves == true
  }

  /// The next step of a call.
  enum Step: Sendable {
    case forward
    case fault(Fault)
    case sleep(Duration)
    case hold(GateCore, GateCore.Ticket)
    case custom(any ErasedInterceptor)
    /// Start the interruptions of a scenario's run.
    case interrupt(ScheduledBase, FaultPoint)
  }

  /// The state of a call after its entry into the chain.
  ///
  /// It is small because it is in the frame of every call; what few calls need is in a separate object.
  @usableFromInline package struct Passage: Sendable {
    /// The call's index in the first log.
    @usableFromInline let ticket: Int
    /// `nil` if the call goes straight to the base.
    @usableFromInline package let detour: Detour?

    @inlinable init(ticket: Int, detour: Detour?) {
      self.ticket = ticket
      self.detour = detour
    }
  }

  /// The state of a call that does not go straight to the base, or is in several logs.
  @usableFromInline package final class Detour: Sendable {
    let call: CallCore
    let step: Step
    /// The first interceptor that the call has not passed.
    let position: Int
    /// The call's indices in the logs after the first.
    let tickets: [Int]
    /// The point of the call in a scenario's run.
    let point: FaultPoint?

    init(
      _ call: CallCore, _ step: Step, position: Int = 0, tickets: [Int], point: FaultPoint? = nil
    ) {
      self.call = call
      self.step = step
      self.position = position
      self.tickets = tickets
      self.point = point
    }

    /// The fault to inject without a wait, if any.
    var immediateFault: Fault? { if case .fault(let fault) = step { fault } else { nil } }
    /// Whether the call continues unchanged.
    var isForward: Bool { if case .forward = step { true } else { false } }
    /// Whether it does, and is only in more than one log.
    var isLoggedOnly: Bool { isForward && point == nil }
  }

  /// Logs a call, and advances it as far as possible without waiting.
  @usableFromInline package func enter(_ call: consuming CallCore) -> Passage {
    guard let plansOnly, isClear(for: call, plansOnly) else { return advanced(call) }
    guard let log else { return Passage(ticket: 0, detour: nil) }
    return Passage(ticket: log.begin(call), detour: nil)
  }

  /// The passage of a call that an interceptor may affect.
  ///
  /// It is a separate function so that the frame of the other stays small.
  @inline(never) private func advanced(_ call: CallCore) -> Passage {
    let ticket = log?.begin(call) ?? 0
    let tickets = otherLogs.map { $0.begin(call) }
    let point = scheduled?.begin(call)
    var position = 0
    let step = advance(call, point, from: &position)
    if case .forward = step, tickets.isEmpty, point == nil { return Passage(ticket: ticket, detour: nil) }
    return Passage(
      ticket: ticket, detour: Detour(call, step, position: position, tickets: tickets, point: point))
  }

  /// Returns the arguments that the base receives.
  @usableFromInline package func given<each Argument: Sendable>(
    _ detour: Detour?, _ arguments: repeat each Argument
  ) -> (repeat each Argument) {
    guard let mutation, let detour else { return (repeat each arguments) }
    return mutation.given(detour.call, repeat each arguments)
  }

  /// Logs a call without any other step.
  @usableFromInline func record(_ call: CallCore) -> Passage {
    let ticket = log?.begin(call) ?? 0
    let tickets = otherLogs.map { $0.begin(call) }
    for step in steps {
      switch step {
      case .faults(let plan): plan.note(call, isSynchronous: true)
      case .gate(let gate): gate.note(call, remark: "synchronous")
      case .scheduled(let base): base.noteUnfailing(call)
      case .log, .custom, .callbacks: break
      }
    }
    return Passage(ticket: ticket, detour: tickets.isEmpty ? nil : Detour(call, .forward, tickets: tickets))
  }

  /// Logs a call that throws and cannot wait.
  ///
  /// - Returns: The fault to inject, if any.
  @usableFromInline func enterSynchronously(_ call: CallCore) -> (passage: Passage, fault: Fault?) {
    let ticket = log?.begin(call) ?? 0
    let tickets = otherLogs.map { $0.begin(call) }
    let point = scheduled?.begin(call)
    var fault: Fault?
    for step in steps where fault == nil {
      switch step {
      case .faults(let plan): fault = plan.fault(for: call)
      case .gate(let gate): gate.note(call, remark: "synchronous")
      case .scheduled(let base): fault = point.flatMap { base.fault(at: $0, of: call) }
      case .log, .custom, .callbacks: break
      }
    }
    let isPlain = tickets.isEmpty && point == nil && mutation == nil
    let detour = isPlain ? nil : Detour(call, .forward, tickets: tickets, point: point)
    return (Passage(ticket: ticket, detour: detour), fault)
  }

  /// Logs that a call returned.
  @usableFromInline package func end(_ passage: Passage) {
    log?.end(passage.ticket, .returned)
    if let detour = passage.detour { end(detour, .returned) }
  }

  /// Logs that a call failed.
  @usableFromInline package func end(_ passage: Passage, _ error: any Error) {
    log?.end(passage.ticket, .failed(error))
    if let detour = passage.detour { end(detour, .failed(error)) }
  }

  /// Notes the outcome of a call in what few chains have: other logs, and a scenario's run.
  @inline(never) private func end(_ detour: Detour, _ outcome: CallOutcome) {
    note(detour, outcome)
    close(detour)
  }

  private func note(_ detour: Detour, _ outcome: CallOutcome, isCancelledByApp: Bool = false) {
    if let scheduled, let point = detour.point {
      scheduled.note(point, outcome, isCancelledByApp: isCancelledByApp)
    }
    for (log, ticket) in zip(otherLogs, detour.tickets) { log.end(ticket, outcome) }
  }

  /// Notes the answer of a call that goes on until its completion handler returns.
  func answer(_ passage: Passage, _ outcome: CallOutcome, isCancelledByApp: Bool = false) {
    log?.end(passage.ticket, outcome)
    if let detour = passage.detour { note(detour, outcome, isCancelledByApp: isCancelledByApp) }
  }

  /// Notes that the base was called although the fault of the call would have prevented it.
  func noteWork(of detour: Detour) {
    if let scheduled, let point = detour.point { scheduled.noteWork(of: point) }
  }

  /// The action of a call that is made in no task.
  func outerAction(of detour: Detour) -> ActionTasks? {
    detour.point.flatMap { scheduled?.outerAction(of: $0) }
  }

  /// Notes that the current task continues a call.
  func continues(_ detour: Detour) {
    if let scheduled, let point = detour.point { scheduled.continues(point) }
  }

  /// Waits for the first event of a publisher; in a scenario's run, not longer than something else happens.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, or the failure with which the publisher begins.
  nonisolated(nonsending) func waitForEvent<Failure: Error>(
    of detour: Detour, _ first: Signal<Failure?>
  ) async throws {
    let failure: Failure?
    if let scheduled, detour.point != nil {
      failure = try await scheduled.waitForEvent(of: detour.call, first)
    } else {
      failure = try await first.value()
    }
    if let failure { throw failure }
  }

  /// Notes that the completion handler of a call has returned.
  func close(_ detour: Detour) {
    if let scheduled, let point = detour.point { scheduled.close(point) }
  }

  /// Makes a call; in a scenario's run, its sleeps are a part of it.
  package nonisolated(nonsending) func calling<Result, Failure: Error>(
    _ passage: Passage, _ call: nonisolated(nonsending) () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard passage.detour?.point != nil else { return try await call() }
    let result: Swift.Result<Result, Failure> = await RunRecord.$isInCall.withValue(true) {
      do throws(Failure) { return .success(try await call()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Makes a synchronous part of a call.
  func calling<Result>(_ passage: Passage, _ call: () -> Result) -> Result {
    passage.detour?.point == nil ? call() : RunRecord.$isInCall.withValue(true, operation: call)
  }

  /// Returns a stream of a call, observed by a scenario's run.
  func watched<Element: Sendable>(
    _ stream: AsyncThrowingStream<Element, any Error>, _ passage: Passage
  ) -> AsyncThrowingStream<Element, any Error> {
    guard let scheduled, let point = passage.detour?.point else { return stream }
    return scheduled.watched(stream, from: point)
  }

  /// Reports a stream that is intercepted as a call, once in a sweep, which would try no fault of a stream on it.
  func checkKind<Result>(of result: Result, _ passage: Passage) {
    guard let scheduled, let point = passage.detour?.point, scheduled.isWithoutFaults,
      result is any AsyncSequence
    else { return }
    TestIssue.currentReporter?.record(
      """
      \(point) returns a stream, but is intercepted as a call, so that a sweep tries no fault of a stream on it.
      Use interceptStream for it.
      """, at: nil)
  }

  /// Whether no plan affects a call, as far as is known without counting it.
  private func isClear(for call: CallCore, _ plans: [FaultPlanCore]) -> Bool {
    for plan in plans where plan.concerns(call) { return false }
    for plan in plans { plan.note(call) }
    return true
  }

  /// Advances a call as far as possible without waiting.
  ///
  /// - Parameter position: The first interceptor that the call has not passed; advanced by this function.
  private func advance(_ call: CallCore, _ point: FaultPoint?, from position: inout Int) -> Step {
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
      case .scheduled(let base):
        guard let point else { continue }
        if base.interleaves(at: point) { return .interrupt(base, point) }
        guard let fault = base.fault(at: point, of: call) else { continue }
        if case .latency(let delay) = fault.effect { return .sleep(delay) }
        return .fault(fault)
      case .custom(let interceptor):
        return .custom(interceptor)
      case .log, .callbacks:
        continue
      }
    }
    return .forward
  }

  /// Waits where an interceptor delays a call, for a chain without custom interceptors.
  ///
  /// - Returns: The fault to inject; `nil` if the call continues to the base.
  package nonisolated(nonsending) func wait(_ detour: Detour?) async -> Fault? {
    guard let detour else { return nil }
    var (step, position) = (detour.step, detour.position)
    return await wait(&step, detour, &position)
  }

  /// Waits where an interceptor delays a call, up to the next one that may hold its answer.
  ///
  /// - Parameter step: The next step; `.custom` or `.interrupt` for such an interceptor.
  /// - Returns: The fault to inject; `nil` if the call continues.
  private nonisolated(nonsending) func wait(
    _ step: inout Step, _ detour: Detour, _ position: inout Int
  ) async -> Fault? {
    while true {
      switch step {
      case .forward, .custom, .interrupt:
        return nil
      case .fault(let fault):
        return fault
      case .sleep(let duration):
        do { try await time.sleep(for: duration) } catch { return .cancelled }
      case .hold(let gate, let ticket):
        guard let fault = await gate.wait(ticket) else { break }
        switch fault.effect {
        case .latency(let delay): step = .sleep(delay)
        case .drawnLatency(let distribution): step = .sleep(distribution.median)
        default: return fault
        }
        continue
      }
      step = advance(detour.call, detour.point, from: &position)
    }
  }

  // MARK: - Custom interceptors

  /// Takes a call through the remaining interceptors to the base.
  ///
  /// - Parameter reach: Makes the call, with a fault or without.
  package nonisolated(nonsending) func run<Result>(
    _ detour: Detour, _ reach: nonisolated(nonsending) (Fault?) async throws -> Result
  ) async throws -> Result {
    try await run(detour.step, detour, from: detour.position, as: nil, reach)
  }

  /// Takes a call that returns a stream through the remaining interceptors to the base.
  nonisolated(nonsending) func runStream<Element: Sendable>(
    _ detour: Detour,
    _ reach: nonisolated(nonsending) (Fault?) async throws -> AsyncThrowingStream<Element, any Error>
  ) async throws -> AsyncThrowingStream<Element, any Error> {
    try await run(detour.step, detour, from: detour.position, as: ThrowingStreamCall<Element>.self, reach)
  }

  /// - Parameter kind: How a custom interceptor receives the call, if not as one that returns a value.
  private nonisolated(nonsending) func run<Result>(
    _ step: Step, _ detour: Detour, from position: Int, as kind: StreamCall<Result>.Type?,
    _ reach: nonisolated(nonsending) (Fault?) async throws -> Result
  ) async throws -> Result {
    var (step, position) = (step, position)
    if let fault = await wait(&step, detour, &position) { return try await reach(fault) }
    let place = position
    nonisolated(nonsending) func next() async throws -> Result {
      var position = place
      return try await run(
        advance(detour.call, detour.point, from: &position), detour, from: position, as: kind, reach)
    }
    switch step {
    case .interrupt(let base, let point):
      return try await interrupting(point, of: base) {
        if let fault = base.fault(at: point, of: detour.call) {
          guard case .latency(let delay) = fault.effect else { return try await reach(fault) }
          try await time.sleep(for: delay)
        }
        return try await next()
      }
    case .custom(let interceptor):
      if let kind { return try await kind.pass(detour.call, to: interceptor, next: next) }
      return try await interceptor.intercept(detour.call, next: next)
    default:
      return try await reach(nil)
    }
  }

  /// Makes a call between the interruptions at its request and those at its answer, which may be an error.
  private nonisolated(nonsending) func interrupting<Result>(
    _ point: FaultPoint, of base: ScheduledBase, _ call: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    await base.interrupt(point, at: .request)
    let result: Result
    do {
      result = try await call()
    } catch {
      await base.interrupt(point, at: .answer)
      throw error
    }
    await base.interrupt(point, at: .answer)
    return result
  }
}

/// How a custom interceptor receives a call of a stream, for a function that makes calls with any result.
///
/// It is a type, because a non-escaping closure cannot receive another that captures one. It is a class, because a
/// protocol would cost each call a search for its witnesses.
private class StreamCall<Stream> {
  nonisolated(nonsending) class func pass(
    _ call: CallCore, to interceptor: any ErasedInterceptor,
    next: nonisolated(nonsending) () async throws -> Stream
  ) async throws -> Stream {
    try await interceptor.intercept(call, next: next)
  }
}

private final class ThrowingStreamCall<Element: Sendable>:
  StreamCall<AsyncThrowingStream<Element, any Error>>
{
  nonisolated(nonsending) override class func pass(
    _ call: CallCore, to interceptor: any ErasedInterceptor,
    next: nonisolated(nonsending) () async throws -> AsyncThrowingStream<Element, any Error>
  ) async throws -> AsyncThrowingStream<Element, any Error> {
    try await interceptor.interceptStream(call, next: next)
  }
}
