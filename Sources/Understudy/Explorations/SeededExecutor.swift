/// Runs the jobs of its tasks one at a time, and draws the next one from those that are ready.
///
/// So what the tasks do depends on the seed alone, as long as they wait for nothing but one another.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class SeededExecutor: TaskExecutor {
  private struct State: Sendable {
    var generator: SeededGenerator
    var ready: [UnownedJob] = []
    var hasBegun = false
    var isRunning = false

    /// Whether somebody has to begin to run jobs now.
    mutating func beginsToRun() -> Bool {
      guard hasBegun, !isRunning, !ready.isEmpty else { return false }
      isRunning = true
      return true
    }

    mutating func next() -> UnownedJob? {
      guard !ready.isEmpty else {
        isRunning = false
        return nil
      }
      return ready.remove(at: Int.random(in: ready.indices, using: &generator))
    }
  }

  private let state: Locked<State>

  init(seed: UInt64) {
    state = Locked(State(generator: SeededGenerator(seed: seed)))
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let begins = state.withLock { state in
      state.ready.append(job)
      return state.beginsToRun()
    }
    if begins { run() }
  }

  /// Lets jobs run, once all that shall take turns are there.
  func begin() {
    let begins = state.withLock { state in
      state.hasBegun = true
      return state.beginsToRun()
    }
    if begins { run() }
  }

  private func run() {
    // Whoever made a job ready goes on meanwhile.
    Task.detached { [self] in
      while let job = state.withLock({ $0.next() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}
