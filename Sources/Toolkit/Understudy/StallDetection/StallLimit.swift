import Foundation

/// Runs an operation with a limit on how long it may stall; see ``StallMonitor``.
///
/// - Parameters:
///   - limit: How long the operation may stall before it is cancelled. An operation that ignores its cancellation is
///     abandoned.
///   - progress: A number that changes whenever the operation makes progress.
///   - stalled: Makes the result when the operation has stalled.
///   - cancelled: Makes the result when the caller's task is cancelled.
///   - operation: The operation, run in a separate task.
package func withStallLimit<Value: Sendable>(
  _ limit: Duration, progress: @escaping @Sendable () -> Int = { 0 },
  stalled: @escaping @Sendable (Stall) -> Value, cancelled: () -> Value,
  _ operation: @escaping @Sendable () async -> Value
) async -> Value {
  let first = Signal<Value>()
  let task = Locked<Task<Void, Never>?>(nil)
  let watch = StallMonitor.current.watch(for: limit, isCharged: true, progress: progress) { stall in
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
  /// How long a wait of a test may stall: `UNDERSTUDY_STALL` in seconds, or 30 s.
  static let waitLimit = limit(in: ProcessInfo.processInfo.environment) ?? .seconds(30)
  /// How long a test, a trial or a program may stall: `UNDERSTUDY_STALL` in seconds, or 60 s.
  package static let trialLimit = limit(in: ProcessInfo.processInfo.environment) ?? .seconds(60)
  /// How long the process may be idle during a run of a scenario: `UNDERSTUDY_STALL` in seconds, or 10 s.
  ///
  /// It is shorter than the limit of a test, because a run needs neither real time nor another process: its clock is
  /// virtual, and its calls are those of doubles. When nothing has run for some seconds, nothing will. The processor
  /// time of a run, which other tests can use up, keeps the limit of a trial.
  package static let runLimit = limit(in: ProcessInfo.processInfo.environment) ?? .seconds(10)

  /// The limit of all waits and trials in an environment variable.
  static func limit(in environment: [String: String]) -> Duration? {
    environment.positiveNumber("UNDERSTUDY_STALL").map { .seconds($0) }
  }
}
