/// Who knows whether the tasks have ended that were begun while something was done.
///
/// A task inherits the values of task-local variables from where it is begun and lets go of them at its end, unless it is
/// detached. So the last of the tasks is over when a value that only they have is gone.
enum BegunTasks {
  private final class Mark: Sendable {}

  @TaskLocal private static var mark: Mark?

  /// Does something, then waits.
  ///
  /// - Parameters:
  ///   - body: What begins tasks.
  ///   - wait: Is told how to find out whether they have ended, and returns when they have.
  @MainActor static func wait<Failure: Error>(
    for body: () async throws(Failure) -> Void,
    _ wait: @MainActor (_ hasEnded: @MainActor () -> Bool) async -> Void
  ) async throws(Failure) {
    var mark: Mark? = Mark()
    weak let last = mark
    let result: Result<Void, Failure> = await $mark.withValue(mark) {
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    mark = nil
    await wait { last == nil }
    try result.get()
  }
}
