/// The record of one run, independent of the executor.
final class RunRecord: Sendable {
  private struct State: Sendable {
    var points: [SeenPoint] = []
    var places: [FaultPoint: Int] = [:]
    var calls: [String: Int] = [:]
    var failures: [FailedCall] = []
    /// What became of the faults that were injected.
    var progress: [FaultPoint: FaultProgress] = [:]
    var isPaused = false
    /// The number of calls and stream readers that are busy.
    var busy = 0
    /// The number of stream readers that wait for an event that has not been sent.
    var waiting = 0
    /// The number of jobs of the run's executor that have not run yet.
    var jobs = 0
    /// The number of changes so far.
    var changes = 0
    /// The waits for the next change.
    var waits: [CheckedContinuation<Void, Never>] = []
    /// Whether events are held until `tellEvent()` is called.
    var holdsEvents = false
    /// The readers of held events, in the order of the events.
    var held: [CheckedContinuation<Void, Never>] = []
    var generator: SeededGenerator
  }

  let schedule: FaultSchedule
  private let state: Locked<State>

  init(_ schedule: FaultSchedule, seed: UInt64) {
    self.schedule = schedule
    state = Locked(State(generator: SeededGenerator(seed: seed)))
  }

  /// The calls, in order.
  var points: [SeenPoint] { state.withLock { $0.points } }
  /// How far the run has come, in words.
  var step: String {
    state.withLock { $0.points.last.map { "after \($0.point)" } ?? "before any call" }
  }
  /// The failed calls, in the order of their failures.
  var failures: [FailedCall] { state.withLock { $0.failures } }
  /// The entries of the schedule whose faults had no effect.
  var unmet: [UnmetEntry] {
    let progress = state.withLock { $0.progress }
    var points: Set<FaultPoint> = []
    return schedule.entries.compactMap { entry in
      guard points.insert(entry.point).inserted else {
        return UnmetEntry(entry: entry, reason: "an earlier entry of the schedule has the same call")
      }
      guard let progress = progress[entry.point] else { return UnmetEntry(entry: entry, reason: nil) }
      if progress.hasTakenEffect { return nil }
      return UnmetEntry(entry: entry, reason: progress.reason(for: entry.fault))
    }
  }

  // MARK: - Changes

  /// The number of begun or ended calls, readers and jobs of the run, and of other noted changes.
  var changes: Int { state.withLock { $0.changes } }

  /// Returns at the first change after a count, at once if it has already happened, or when the task is cancelled.
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

  /// Notes another change that a wait may depend on.
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
  /// The runtime may enqueue its job on the run's executor. That job is not work, and counting it would let the wait
  /// resume itself.
  @TaskLocal static var isResumingWait = false

  /// Resumes a wait of a run.
  static func resume(_ wait: CheckedContinuation<Void, Never>) {
    $isResumingWait.withValue(true) { wait.resume() }
  }

  // MARK: - Work in progress

  /// Whether no call and no stream reader is busy, and no job of the run is ready.
  var isQuiet: Bool { state.withLock { $0.busy == 0 && $0.jobs == 0 } }

  /// Whether the run is quiet, and a reader waits for an event.
  var isWaitingForEvent: Bool { state.withLock { $0.busy == 0 && $0.jobs == 0 && $0.waiting > 0 } }

  /// Notes that a job has been enqueued on the run's executor.
  func jobIsReady() { change { $0.jobs += 1 } }

  /// Notes that a job of the run's executor has run.
  func jobHasRun() { change { $0.jobs -= 1 } }

  /// Notes that a reader is busy.
  func begin() { change { $0.busy += 1 } }

  /// Notes that a call or a reader is no longer busy.
  func end() { change { $0.busy -= 1 } }

  /// Sets whether events are held until `tellEvent()` is called.
  func holdEvents(_ holdsEvents: Bool) { state.withLock { $0.holdsEvents = holdsEvents } }

  /// Delivers the oldest held event; its reader is busy from then on.
  ///
  /// - Returns: Whether an event was held.
  func tellEvent() -> Bool {
    let reader = change { state -> CheckedContinuation<Void, Never>? in
      guard !state.held.isEmpty else { return nil }
      state.busy += 1
      return state.held.removeFirst()
    }
    reader?.resume()
    return reader != nil
  }

  /// Notes that a busy reader now waits for an event.
  func beginWaiting() {
    change { state in
      state.busy -= 1
      state.waiting += 1
    }
  }

  /// Notes that a reader has its event or the end of its stream.
  ///
  /// Returns when that is delivered; the reader is busy from then on.
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

  /// Sets whether calls are ignored.
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
      var progress = state.progress[point] ?? FaultProgress()
      defer { state.progress[point] = progress }
      if let latency = fault.latency(using: &state.generator) {
        progress.take(.effect)
        return latency
      }
      return Fault(fault.effect, token: FaultToken { [self] step in note(step, at: point) })
    }
  }

  private func note(_ step: FaultToken.Step, at point: FaultPoint) {
    state.withLock { $0.progress[point]?.take(step) }
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

/// An entry of a schedule whose fault had no effect in a run.
struct UnmetEntry: Sendable {
  let entry: FaultSchedule.Entry
  /// Why the fault had no effect on the call; `nil` if the call was never made.
  let reason: String?
}
