/// The tasks of one action of a run: one, and another each time that the action is started again.
final class ActionTasks: Sendable {
  /// The action to which the current task belongs, if any.
  @TaskLocal static var current: ActionTasks?

  /// The name of an interruption; empty for an action of ``ScenarioRun/act(_:)``.
  let name: String
  private let body: @MainActor @Sendable () async -> Void
  private let record: RunRecord
  private let state = Locked<(running: Int, latest: Task<Void, Never>?)>((0, nil))

  /// Creates an action without a task.
  init(_ name: String, in record: RunRecord, _ body: @escaping @MainActor @Sendable () async -> Void) {
    self.name = name
    self.body = body
    self.record = record
  }

  /// Whether every task has ended.
  var hasEnded: Bool { state.withLock { $0.running == 0 } }

  /// Starts a task that runs the action.
  func start() {
    state.withLock { state in
      state.running += 1
      state.latest = MainTaskExecutor.task(in: record) { [self] in
        await Self.$current.withValue(self) { await body() }
        self.state.withLock { $0.running -= 1 }
        record.noteChange()
      }
    }
  }

  /// Cancels the latest task.
  func cancel() { state.withLock { $0.latest }?.cancel() }
}
