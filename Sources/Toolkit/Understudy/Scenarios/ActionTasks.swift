/// The tasks of one action of a run: one, and another each time that the action is started again.
final class ActionTasks: Sendable {
  /// The action to which the current task belongs, if any.
  @TaskLocal static var current: ActionTasks?
  /// Whether the current task is not the first one of its action.
  @TaskLocal static var isRestarted = false

  /// The name of an interruption; empty for an action of ``ScenarioRun/act(_:)``.
  let name: String
  private let record: RunRecord
  private let state: Locked<State>

  private struct State: Sendable {
    /// The action, until the run is over.
    var body: (@MainActor @Sendable () async -> Void)?
    var running = 0
    var latest: Task<Void, Never>?
  }

  /// Creates an action without a task.
  init(_ name: String, in record: RunRecord, _ body: @escaping @MainActor @Sendable () async -> Void) {
    self.name = name
    self.record = record
    state = Locked(State(body: body))
  }

  /// Whether every task has ended.
  var hasEnded: Bool { state.withLock { $0.running == 0 } }

  /// Starts a task that runs the action, unless the run is over.
  @MainActor func start() {
    let (body, isRestarted) = state.withLock { state in
      if state.body != nil { state.running += 1 }
      return (state.body, state.latest != nil)
    }
    guard let body else { return }
    // Outside the lock: a job is enqueued, which ends waits of the run. The task runs on the main actor, so it does not
    // begin before this function returns.
    let task = MainTaskExecutor.task(in: record) { [self] in
      await Self.$current.withValue(self) {
        await Self.$isRestarted.withValue(isRestarted) { await body() }
      }
      state.withLock { $0.running -= 1 }
      record.noteChange()
    }
    state.withLock { $0.latest = task }
  }

  /// Cancels the latest task.
  @MainActor func cancel() { state.withLock { $0.latest }?.cancel() }

  /// Releases the action, which may refer to the run.
  func release() { state.withLock { $0.body = nil } }
}

/// Waits for the tasks that are started while a closure runs.
///
/// A task inherits the task-local values of its parent context, unless it is detached, and releases them when it ends.
/// A value that only those tasks hold is therefore released when the last of them ends.
enum BegunTasks {
  private final class Mark: Sendable {
    let end: Signal<Void>

    init(_ end: Signal<Void>) {
      self.end = end
    }

    deinit { end.send(()) }
  }

  @TaskLocal private static var mark: Mark?

  /// Runs `body`, then waits until the tasks that it started have ended, or the current task is cancelled.
  @MainActor static func wait<Failure: Error>(
    for body: () async throws(Failure) -> Void
  ) async throws(Failure) {
    let end = Signal<Void>()
    let result: Result<Void, Failure> = await $mark.withValue(Mark(end)) {
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    try? await end.value()
    try result.get()
  }

  /// Starts a task for which no caller of ``wait(for:)`` waits.
  static func task(_ body: @escaping @MainActor @Sendable () async -> Void) -> Task<Void, Never> {
    $mark.withValue(nil) { MainTaskExecutor.waitingTask(body) }
  }
}
