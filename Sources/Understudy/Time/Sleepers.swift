/// The tasks that sleep on a manual clock, and its time.
final class Sleepers: Sendable {
  private let state: Locked<SleeperState>
  private let jumps: Bool

  init(jumps: Bool) {
    self.jumps = jumps
    state = Locked(SleeperState())
  }

  var now: Duration { state.withLock { $0.now } }
  var count: Int { state.withLock { $0.count } }

  func advance(by duration: Duration) {
    move { ManualClock.sum($0.now, duration) }
  }

  func advance(to offset: Duration) {
    move { _ in offset }
  }

  private func move(to target: (SleeperState) -> Duration) {
    wake(
      state.withLock { state in
        let target = target(state)
        return state.advance(to: max(state.now, target))
      })
  }

  func sleep(until deadline: Duration, for purpose: SleepPurpose) async throws {
    try Task.checkCancellation()
    let limits = TimeLimit.enclosing.filter(isMine)
    let ownLimit = purpose == .deadline ? TimeLimit.own.flatMap { isMine($0) ? $0 : nil } : nil
    let id = state.withLock { $0.announce() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let sleeper = Sleeper(deadline, purpose, own: ownLimit, within: limits, continuation)
        let outcome = state.withLock { state -> (due: [Sleeper], signals: [Signal<Void>])? in
          guard state.add(sleeper, as: id) else { return nil }
          let signals = state.dueSignals()
          return (jumps ? state.jump() : state.advance(to: state.now), signals)
        }
        guard let outcome else { return continuation.resume(throwing: CancellationError()) }
        for signal in outcome.signals { signal.send(()) }
        wake(outcome.due)
      }
    } onCancel: {
      let sleeper = state.withLock { $0.cancel(id) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Wakes the sleepers that a timeout held back but did not cancel, because they are in tasks of their own.
  ///
  /// A clock that is advanced by the test does so at the next advance.
  func timeLimitIsOver() {
    if jumps { wake(state.withLock { $0.jump() }) }
  }

  func wait(forAtLeast count: Int) async throws {
    let signal = Signal<Void>()
    let isThere = state.withLock { state in
      if state.count >= count { return true }
      state.waiters.append((count, signal))
      return false
    }
    if isThere { return }
    defer { state.withLock { $0.waiters.removeAll { $0.signal === signal } } }
    try await signal.value(waitingFor: "\(Words.count(count, "sleeper")) on a test clock") { [self] in
      "\(self.count)"
    }
  }

  /// Whether a timeout runs on this clock; a timeout on another clock has no effect here.
  private func isMine(_ limit: TimeLimit) -> Bool {
    (limit.clock as? ManualClock)?.sleepers === self
  }

  private func wake(_ due: [Sleeper]) {
    for sleeper in due { sleeper.continuation.resume() }
  }
}
