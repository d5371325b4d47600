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
