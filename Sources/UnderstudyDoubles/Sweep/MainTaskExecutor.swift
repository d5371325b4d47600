import Dispatch

/// Runs what is bound to no actor on the main queue too.
///
/// The jobs of a run then follow one another in one order, whatever else the machine does, and no thread has to be woken
/// for each call of a service. What a task of its own does still runs elsewhere.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class MainTaskExecutor: TaskExecutor {
  static let shared = MainTaskExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

extension Task where Failure == Never {
  /// A task for a run of a scenario, whose jobs all run on the main queue where the system can do that.
  static func ofRun(_ body: @escaping @MainActor @Sendable () async -> Success) -> Task {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      return Task(executorPreference: MainTaskExecutor.shared) { await body() }
    }
    return Task { await body() }
  }
}
