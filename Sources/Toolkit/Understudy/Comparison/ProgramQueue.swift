import Foundation

/// Where the tasks of an implementation run, as far as that is known.
final class Workplace: Sendable {
  enum Place: Sendable {
    case unknown
    /// In the queue of a program alone: when the queue is empty, the implementation has settled.
    case queue
    /// On other threads, on the main actor or with real time, too. A call waits although the queue is empty.
    case elsewhere
  }

  private let state = Locked(GlobalExecutor.hasProgramHook ? Place.unknown : .elsewhere)

  var place: Place { state.withLock(\.self) }

  func note(_ place: Place) {
    state.withLock { if $0 != .elsewhere { $0 = place } }
  }
}

/// Runs all tasks of one implementation in a program, one after another, on the thread of the comparison.
///
/// The implementation has settled when the queue is empty. That needs no time, and is the same in every run. Tasks that
/// the implementation starts with `Task {}` come to the queue by the hook of ``GlobalExecutor``.
final class ProgramQueue: Sendable {
  private struct State {
    var ready: [UnownedJob] = []
    var first = 0
    /// Whether the program has ended, after which jobs run as soon as they are ready.
    var isOver = false
    var isRunning = false
    var waiting: Signal<Void>?

    mutating func next() -> UnownedJob? {
      guard first < ready.count else {
        ready.removeAll(keepingCapacity: true)
        first = 0
        return nil
      }
      first += 1
      return ready[first - 1]
    }

    mutating func beginsToRun() -> Bool {
      guard isOver, !isRunning, first < ready.count else { return false }
      isRunning = true
      return true
    }
  }

  private let state = Locked(State())
  private let workplace: Workplace

  init(_ workplace: Workplace = Workplace()) {
    self.workplace = workplace
  }

  /// Runs an operation as a task of the implementation, and every other task of it that can run.
  ///
  /// - Parameters:
  ///   - isCall: Whether a wait for another thread shows that the implementation works elsewhere.
  ///   - substitute: The value of an operation that has not ended when nothing runs in the process any more, and which
  ///     is cancelled then (default: wait on).
  /// - Throws: `CancellationError` when the caller's task is cancelled.
  nonisolated(nonsending) func run<Value: Sendable>(
    asCall isCall: Bool = true, orWhenIdle substitute: Value? = nil,
    _ operation: @escaping @Sendable () async -> Value
  ) async throws -> Value {
    let result = Locked<Value?>(nil)
    let task = start {
      let value = await operation()
      result.withLock { $0 = $0 ?? value }
      self.wake()
    }
    let isIdle = Locked(false)
    var watch: StallMonitor.Watch?
    defer { watch?.end() }
    while true {
      drain()
      if let value = result.withLock(\.self) {
        if isCall, watch != nil, !isIdle.withLock(\.self) { workplace.note(.elsewhere) }
        return value
      }
      if let substitute, watch == nil {
        // An implementation that has never waited for another thread is not likely to begin now.
        let limit = workplace.place == .elsewhere ? Duration.seconds(1) : .milliseconds(200)
        watch = StallMonitor.current.watch(for: limit, isCharged: false) { _ in
          isIdle.withLock { $0 = true }
          result.withLock { $0 = $0 ?? substitute }
          task.cancel()
          self.wake()
        }
      } else if isCall {
        workplace.note(.elsewhere)
      }
      let signal = Signal<Void>()
      let mustWait = state.withLock { state in
        guard state.first == state.ready.count else { return false }
        state.waiting = signal
        return true
      }
      if mustWait, result.withLock({ $0 == nil }) { try await signal.value() }
    }
  }

  /// Starts a task whose jobs are in the queue.
  @discardableResult func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      Task(executorPreference: self, operation: operation)
    } else {
      Task(operation: operation)
    }
  }

  /// Runs jobs until none is ready.
  func drain() {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
    GlobalExecutor.withProgram(self) {
      while let job = state.withLock({ $0.next() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  /// Ends the program; what is still under way goes on by itself.
  func end() {
    let begins = state.withLock { state in
      state.isOver = true
      return state.beginsToRun()
    }
    if begins { runRest() }
  }

  func add(_ job: UnownedJob) {
    let (begins, waiting) = state.withLock { state in
      state.ready.append(job)
      defer { state.waiting = nil }
      return (state.beginsToRun(), state.waiting)
    }
    if begins { runRest() }
    waiting?.send(())
  }

  private func wake() {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.send(())
  }

  private func runRest() {
    Task.detached { [self] in
      drain()
      let isMore = state.withLock { state in
        state.isRunning = false
        return state.beginsToRun()
      }
      if isMore { runRest() }
    }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension ProgramQueue: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }
}
