/// The tasks of one action of a run: one, another each time that the action is started again, and those that they start.
final class ActionTasks: Sendable {
  /// The action to which the current task belongs, if any.
  @TaskLocal static var current: ActionTasks?
  /// Whether the current task is not the first one of its action.
  @TaskLocal static var isRestarted = false

  /// The name of an interruption; empty for an action of ``ScenarioRun/act(named:fileID:line:_:)``.
  let name: String
  /// What the action is called in messages.
  let label: String
  private let record: RunRecord
  private let state: Locked<State>

  private struct State: Sendable {
    /// The action, until the run is over.
    var body: (@MainActor @Sendable () async -> Void)?
    var running = 0
    /// The number of its tasks of which one that they started has not ended.
    var unfinished = 0
    var latest: Task<Void, Never>?
    /// What counts the tasks that each of its tasks started.
    var counters: [BegunTasks.Counter] = []
  }

  /// Creates an action without a task.
  init(
    _ name: String, _ label: String, in record: RunRecord,
    _ body: @escaping @MainActor @Sendable () async -> Void
  ) {
    self.name = name
    self.label = label
    self.record = record
    state = Locked(State(body: body))
  }

  /// Whether every task has ended, apart from those that they started.
  var hasEnded: Bool { state.withLock { $0.running == 0 } }
  /// Whether every task has ended, also those that they started, except detached ones.
  var haveAllEnded: Bool { state.withLock { $0.running == 0 && $0.unfinished == 0 } }

  /// The number of tasks that are under way and that its tasks started, except detached ones.
  var begunTasks: Int { state.withLock { $0.counters }.reduce(0) { $0 + $1.count } }

  /// Starts a task that runs the action, unless the run is over.
  @MainActor func start() {
    let (body, isRestarted) = state.withLock { state in
      if state.body != nil {
        state.running += 1
        state.unfinished += 1
      }
      return (state.body, state.latest != nil)
    }
    guard let body else { return }
    if !isRestarted { record.begin(self) }
    // Outside the lock: a job is enqueued, which ends waits of the run. The task runs on the main actor, so it does not
    // begin before this function returns.
    let task = MainTaskExecutor.task(in: record) { [self] in
      await run {
        await Self.$isRestarted.withValue(isRestarted) {
          // A call may start an interruption.
          await RunRecord.$isInCall.withValue(false) { await body() }
        }
      }
      state.withLock { $0.running -= 1 }
      record.noteChange()
    }
    state.withLock { $0.latest = task }
  }

  /// Runs a part of the action that a task continues which does not belong to it.
  @MainActor func resume(_ body: @MainActor () async -> Void) async {
    state.withLock { $0.unfinished += 1 }
    await run(body)
  }

  /// Runs a part of the action, which is unfinished until the tasks that it starts have ended.
  @MainActor private func run(_ body: @MainActor () async -> Void) async {
    await BegunTasks.run(
      counting: { [state] counter in state.withLock { $0.counters.append(counter) } },
      body: { await Self.$current.withValue(self, operation: body) },
      whenAllHaveEnded: { [state, record] in
        state.withLock { $0.unfinished -= 1 }
        record.noteChange()
      })
  }

  /// Cancels the latest task.
  @MainActor func cancel() { state.withLock { $0.latest }?.cancel() }

  /// Releases the action, which may refer to the run.
  func release() { state.withLock { $0.body = nil } }
}

/// Notices the end of the tasks that are started while a closure runs.
///
/// A task inherits the task-local values of its parent context, unless it is detached, and releases them when it ends.
/// A value that only those tasks hold is therefore released when the last of them ends.
enum BegunTasks {
  fileprivate final class Mark: Sendable {
    private let end: @Sendable () -> Void
    /// A task that is started in a wait within another one belongs to both.
    private let outer = mark

    init(_ end: @escaping @Sendable () -> Void) {
      self.end = end
    }

    deinit { end() }
  }

  @TaskLocal private static var mark: Mark?

  /// Counts the tasks that have not ended.
  ///
  /// Each task holds one reference to the value that it inherited. The standard library has the function that counts
  /// references for debuggers, so this is only to say how long to be patient, and never that all have ended.
  struct Counter: Sendable {
    fileprivate weak var mark: Mark?

    /// The number of tasks.
    var count: Int { max(0, references - Self.own) }

    /// Those of the tasks, and some that counting adds, which depends on how this file is compiled.
    private var references: Int { mark.map { Int(_getRetainCount($0)) } ?? 0 }

    private static let heldOnce = Mark {}
    private static let own = Counter(mark: heldOnce).references - 1
  }

  /// Runs `body`, then waits until the tasks that it started have ended, or the current task is cancelled.
  @MainActor static func wait<Value, Failure: Error>(
    for body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let end = Signal<Void>()
    let result: Result<Value, Failure> = await $mark.withValue(Mark { end.send(()) }) {
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    try? await end.value()
    return try result.get()
  }

  /// Runs `body`, and calls `whenAllHaveEnded` once it and the tasks that it started have ended.
  ///
  /// - Parameter counting: Takes what counts the tasks; while `body` runs, it is one of them.
  @MainActor static func run(
    counting: (Counter) -> Void, body: @MainActor () async -> Void,
    whenAllHaveEnded: @escaping @Sendable () -> Void
  ) async {
    let mark = Mark(whenAllHaveEnded)
    counting(Counter(mark: mark))
    await $mark.withValue(mark) { await body() }
  }

  /// Starts a task for which no caller of ``wait(for:)`` waits.
  static func task(_ body: @escaping @MainActor @Sendable () async -> Void) -> Task<Void, Never> {
    $mark.withValue(nil) { MainTaskExecutor.waitingTask(body) }
  }
}

/// What a scenario waits for in vain: tasks of actions that wait for something outside of the run, such as a notification,
/// and publishers that send nothing until something else happens.
///
/// The runs of a sweep share them: only the first one finds it out.
final class OpenActions: Sendable {
  private let labels = Locked<Set<String>>([])

  func insert(_ actions: [ActionTasks]) { labels.withLock { $0.formUnion(actions.map(\.label)) } }

  func contains(_ action: ActionTasks) -> Bool { contains(action.label) }

  /// - Parameter call: The call of the method that returns the publisher.
  func insert(_ call: String) { labels.withLock { _ = $0.insert(call) } }

  func contains(_ label: String) -> Bool { labels.withLock { $0.contains(label) } }
}
