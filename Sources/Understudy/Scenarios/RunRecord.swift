/// What is known of one run, whichever executor it happens on.
final class RunRecord: Sendable {
  private struct State: Sendable {
    var points: [SeenPoint] = []
    var places: [FaultPoint: Int] = [:]
    var calls: [String: Int] = [:]
    var failures: [FailedCall] = []
    var met: Set<FaultPoint> = []
    var isPaused = false
    /// How many calls, and readers of streams, have something to do.
    var busy = 0
    /// How many readers of streams wait for an event that has not been sent.
    var waiting = 0
    /// How many jobs of the run's executor have not run yet.
    var jobs = 0
    /// How often any of this has changed.
    var changes = 0
    /// The waits for the next change.
    var waits: [CheckedContinuation<Void, Never>] = []
    /// Whether events wait until they are told.
    var holdsEvents = false
    /// The readers whose events wait, in the order in which those came.
    var held: [CheckedContinuation<Void, Never>] = []
    var generator: SeededGenerator
  }

  let schedule: FaultSchedule
  private let state: Locked<State>

  init(_ schedule: FaultSchedule, seed: UInt64) {
    self.schedule = schedule
    state = Locked(State(generator: SeededGenerator(seed: seed)))
  }

  /// The calls, in the order in which they were made.
  var points: [SeenPoint] { state.withLock { $0.points } }
  /// The calls that failed, in the order in which they did.
  var failures: [FailedCall] { state.withLock { $0.failures } }
  /// The entries of the schedule whose calls were never made.
  var unmet: [FaultSchedule.Entry] {
    let met = state.withLock { $0.met }
    return schedule.entries.filter { !met.contains($0.point) }
  }

  // MARK: - Changes

  /// How often a call, a reader or a job of the run has begun or ended, or something else was noted as changed.
  var changes: Int { state.withLock { $0.changes } }

  /// Returns at the first change after so many, at once if there was one, or when the task is cancelled.
  ///
  @MainActor func change(after count: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          let isOver = state.changes != count || Task.isCancelled
          if !isOver { state.waits.append(continuation) }
          return isOver
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      noteChange()
    }
  }

  /// Something else has changed that a wait may be for.
  func noteChange() { change { _ in } }

  private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, waits) = state.withLock { state in
      let result = body(&state)
      state.changes += 1
      defer { if !state.waits.isEmpty { state.waits = [] } }
      return (result, state.waits)
    }
    for wait in waits { Self.resume(wait) }
    return result
  }

  /// Whether a wait of a run is being resumed.
  ///
  /// The runtime may hand its job to the run's executor. That job is no sign of work, and counting it would let the wait
  /// resume itself.
  @TaskLocal static var isResumingWait = false

  /// Resumes a wait of a run.
  static func resume(_ wait: CheckedContinuation<Void, Never>) {
    $isResumingWait.withValue(true) { wait.resume() }
  }

  // MARK: - What is under way

  /// Whether no call is under way, whoever reads a stream waits, and no job of the run is ready.
  var isQuiet: Bool { state.withLock { $0.busy == 0 && $0.jobs == 0 } }

  /// Whether all is quiet, and a reader waits for an event.
  var isWaitingForEvent: Bool { state.withLock { $0.busy == 0 && $0.jobs == 0 && $0.waiting > 0 } }

  /// A job has been handed to the run's executor.
  func jobIsReady() { change { $0.jobs += 1 } }

  /// A job of the run's executor has run.
  func jobHasRun() { change { $0.jobs -= 1 } }

  /// A reader has something to do.
  func begin() { change { $0.busy += 1 } }

  /// A call or a reader has nothing to do any more.
  func end() { change { $0.busy -= 1 } }

  /// Whether events wait until they are told by ``tellEvent()``.
  func holdEvents(_ holdsEvents: Bool) { state.withLock { $0.holdsEvents = holdsEvents } }

  /// Tells the event that has waited longest; its reader is busy from then on.
  ///
  /// - Returns: Whether there was one.
  func tellEvent() -> Bool {
    let reader = change { state -> CheckedContinuation<Void, Never>? in
      guard !state.held.isEmpty else { return nil }
      state.busy += 1
      return state.held.removeFirst()
    }
    reader?.resume()
    return reader != nil
  }

  /// A reader, busy until now, waits for an event.
  func beginWaiting() {
    change { state in
      state.busy -= 1
      state.waiting += 1
    }
  }

  /// A reader has its event, or the end of its stream; returns once that is told, from when on the reader is busy.
  func endWaiting() async {
    await withCheckedContinuation { continuation in
      let isHeld = change { state in
        state.waiting -= 1
        if state.holdsEvents { state.held.append(continuation) } else { state.busy += 1 }
        return state.holdsEvents
      }
      if !isHeld { continuation.resume() }
    }
  }

  /// Whether calls are left alone.
  func pause(_ isPaused: Bool) { state.withLock { $0.isPaused = isPaused } }

  func begin(operation: String, _ interaction: Fault.Interaction, at injectionPoint: InjectionPoint)
    -> FaultPoint?
  {
    change { state in
      if state.isPaused { return nil }
      state.busy += 1
      let call = state.calls[operation, default: 0] + 1
      state.calls[operation] = call
      let point = FaultPoint(operation, call: call)
      state.places[point] = state.points.count
      state.points.append(SeenPoint(point: point, interaction: interaction, injectionPoint: injectionPoint))
      return point
    }
  }

  func fault(at point: FaultPoint) -> Fault? {
    guard let fault = schedule.fault(at: point) else { return nil }
    return state.withLock { state in
      state.met.insert(point)
      guard case .drawnLatency(let distribution) = fault.effect else { return fault }
      return .latency(distribution.next(using: &state.generator))
    }
  }

  func fail(_ point: FaultPoint, _ error: any Error) {
    let fault = schedule.fault(at: point)
    state.withLock { $0.failures.append(FailedCall(point: point, fault: fault, error: error)) }
  }

  func countEvent(of point: FaultPoint) {
    state.withLock { state in
      if let place = state.places[point] { state.points[place].events += 1 }
    }
  }
}
