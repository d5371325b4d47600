import Foundation

/// Runs an operation with a limit on how long it may stall; see ``StallMonitor``.
///
/// - Parameters:
///   - limit: How long the operation may stall before it is cancelled. An operation that ignores its cancellation is
///     abandoned.
///   - idle: How long the process may be idle (default: the limit).
///   - progress: A number that changes whenever the operation makes progress.
///   - stalled: Makes the result when the operation has stalled.
///   - cancelled: Makes the result when the caller's task is cancelled.
///   - operation: The operation, run in a separate task.
package func withStallLimit<Value: Sendable>(
  _ limit: Duration, idle: Duration? = nil, progress: @escaping @Sendable () -> Int = { 0 },
  stalled: @escaping @Sendable (Stall) -> Value, cancelled: () -> Value,
  _ operation: @escaping @Sendable () async -> Value
) async -> Value {
  let first = Signal<Value>()
  let task = Locked<Task<Void, Never>?>(nil)
  let watch = StallMonitor.current.watch(for: limit, idle: idle, isCharged: true, progress: progress) {
    stall in
    // The result precedes the cancellation: an operation that hangs but responds to it would otherwise return first.
    first.send(stalled(stall))
    task.withLock(\.self)?.cancel()
  }
  let work = Task {
    let value = await watch.run(operation)
    first.send(value)
  }
  task.withLock { $0 = work }
  defer {
    watch.end()
    work.cancel()
  }
  do {
    return try await first.value()
  } catch {
    return cancelled()
  }
}

extension Signal {
  /// Waits for the value, and gives up when the process has stalled.
  ///
  /// - Parameters:
  ///   - expected: What the wait is for, such as `2 calls of todos.add`.
  ///   - place: Where the double was made that it waits for.
  ///   - found: What has happened instead.
  /// - Throws: ``UnderstudyError`` with `.stalled` when no task of the process has run for ``StallMonitor/waitLimit``;
  ///   `CancellationError` when the task is cancelled.
  nonisolated(nonsending) func value(
    waitingFor expected: String, at place: CodePlace? = nil, found: @escaping @Sendable () -> String
  ) async throws -> Value {
    if !Task.isCancelled, let value = take() { return value }
    let watch = StallMonitor.current.watch(for: StallMonitor.waitLimit, isCharged: false) {
      [weak self] stall in
      self?.fail(
        UnderstudyError(
          .stalled,
          """
          Stalled while waiting for \(expected): \(stall). Found: \(found()). Check that the code under test gets that \
          far, and that what it waits for happens, such as an answer to a held call or an advance of a test clock.
          """, at: place))
    }
    defer { watch.end() }
    return try await value()
  }
}

extension StallMonitor {
  /// How long a wait of a test may stall: `UNDERSTUDY_STALL` in seconds, or 20 s.
  ///
  /// It is shorter than that of the clause or the run around it, whose failure would say less.
  static let waitLimit = limit(in: ProcessInfo.processInfo.environment) ?? .seconds(20)
  /// How long a test, a trial or a program may stall: `UNDERSTUDY_STALL` in seconds, or 60 s.
  package static let trialLimit = limit(in: ProcessInfo.processInfo.environment) ?? .seconds(60)
  /// How long the process may be idle during a clause, or a run of a scenario: `UNDERSTUDY_STALL` in seconds, or 30 s.
  ///
  /// It is shorter than the limit of a test, which may wait for another process. The processor time of a run, which other
  /// tests can use up, keeps the limit of a trial.
  package static let idleLimit = limit(in: ProcessInfo.processInfo.environment) ?? .seconds(30)

  /// How the limit is raised, as the last sentence of a failure.
  static let remedy = "If it needs longer, raise UNDERSTUDY_STALL, in seconds."

  /// The limit of all waits and trials in an environment variable.
  static func limit(in environment: [String: String]) -> Duration? {
    environment.positiveNumber("UNDERSTUDY_STALL").map { .seconds($0) }
  }
}
