import Dispatch

/// Runs what is bound to no actor on the main queue too.
///
/// The jobs of a run then follow one another in one order, whatever else the machine does, and no thread has to be woken
/// for each call of a service. What a task of its own does runs elsewhere all the same. Systems that cannot do that run
/// everything as they do otherwise.
enum MainTaskExecutor {
  /// A task for a run of a scenario.
  static func task(_ body: @escaping @MainActor @Sendable () async -> Void) -> Task<Void, Never> {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      return Task(executorPreference: MainQueue.executor) { await body() }
    }
    return Task { await body() }
  }

  /// Runs something within a task that is not a run's own.
  static func run<Result: Sendable>(_ body: () async -> Result) async -> Result {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      return await withTaskExecutorPreference(MainQueue.executor, operation: body)
    }
    return await body()
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension MainQueue {
  /// The main queue for what is bound to no actor.
  fileprivate static let executor = Executor()

  fileprivate final class Executor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}
