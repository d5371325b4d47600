/// A watchdog for runs that take too long: one task for a whole sweep, which checks periodically whether the run has
/// changed.
final class SweepWatchdog: Sendable {
  private struct State: Sendable {
    var run = 0
    var giveUp: (@Sendable () -> Void)?
    var looker: Task<Void, Never>?
  }

  private let state = Locked(State())

  /// Creates a watchdog.
  ///
  /// - Parameter limit: The time limit of a run. An excess is detected at the latest after twice the limit.
  init(_ limit: Duration, on time: Time) {
    let looker = Task { [weak self] in
      var lookedAt = 0
      while (try? await time.sleep(for: limit)) != nil, let self {
        lookedAt = look(lookedAt)
      }
    }
    state.withLock { $0.looker = looker }
  }

  /// Starts to watch a run in place of the previous one.
  ///
  /// - Parameter giveUp: Ends the wait for the run.
  func watch(_ giveUp: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.run += 1
      state.giveUp = giveUp
    }
  }

  /// Stops watching.
  func stop() {
    state.withLock { state in
      state.looker?.cancel()
      state.looker = nil
      state.giveUp = nil
    }
  }

  /// Abandons the run if it is the same as at the last check.
  ///
  /// - Returns: The number of the run.
  private func look(_ last: Int) -> Int {
    let (run, giveUp) = state.withLock { state in
      (state.run, state.run == last ? state.giveUp : nil)
    }
    giveUp?()
    return run
  }
}
