/// Notices when a run takes too long: one task for a whole sweep, which looks now and then whether the run has changed.
final class SweepWatchdog: Sendable {
  private struct State: Sendable {
    var run = 0
    var giveUp: (@Sendable () -> Void)?
    var looker: Task<Void, Never>?
  }

  private let state = Locked(State())

  /// A watchdog.
  ///
  /// - Parameter limit: How long a run may take; it is noticed at the latest after twice as long.
  init(_ limit: Duration, on time: Time) {
    let looker = Task { [weak self] in
      var lookedAt = 0
      while (try? await time.sleep(for: limit)) != nil, let self {
        lookedAt = look(lookedAt)
      }
    }
    state.withLock { $0.looker = looker }
  }

  /// Begins to watch a run, in place of the one before.
  ///
  /// - Parameter giveUp: Ends the wait for it.
  func watch(_ giveUp: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.run += 1
      state.giveUp = giveUp
    }
  }

  /// Watches nothing any more.
  func stop() {
    state.withLock { state in
      state.looker?.cancel()
      state.looker = nil
      state.giveUp = nil
    }
  }

  /// Gives the run up that is still the one of the last look.
  ///
  /// - Returns: Which run it is.
  private func look(_ last: Int) -> Int {
    let (run, giveUp) = state.withLock { state in
      (state.run, state.run == last ? state.giveUp : nil)
    }
    giveUp?()
    return run
  }
}
