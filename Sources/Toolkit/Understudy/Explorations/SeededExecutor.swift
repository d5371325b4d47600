/// An executor that runs the jobs of its tasks one at a time, and draws the next one from those that are ready.
///
/// The execution depends on the seed alone, as long as the tasks only wait for each other.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class SeededExecutor: TaskExecutor {
  private struct State: Sendable {
    var generator: SeededGenerator
    var ready: [UnownedJob] = []
    var hasBegun = false
    var isRunning = false

    /// Whether the caller must start to run jobs now.
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

  /// Starts to run jobs, once all tasks have been enqueued.
  func begin() {
    let begins = state.withLock { state in
      state.hasBegun = true
      return state.beginsToRun()
    }
    if begins { run() }
  }

  private func run() {
    // The caller that enqueued a job continues in the meantime.
    Task.detached { [self] in
      while let job = state.withLock({ $0.next() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}
