import Dispatch

/// A task executor that runs nonisolated jobs of a run on the main queue.
///
/// The jobs of a run then have a fixed order, independent of the machine's load, and no thread is woken for each call
/// of a service. It also makes the detection of a quiet run exact: a ready job is counted in the `RunRecord` until it
/// has run. Only structured tasks inherit the executor. A task that is started with `Task {}` runs elsewhere (but see
/// ``GlobalExecutor``). So do all tasks on systems without task executors (before macOS 15 and iOS 18): there, a call or
/// a reader that is between two threads is not counted.
enum MainTaskExecutor {
  /// Creates a task for a run of a scenario.
  static func task(
    in record: RunRecord, _ body: @escaping @MainActor @Sendable () async -> Void
  ) -> Task<Void, Never> {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      return Task(executorPreference: record) { await body() }
    }
    return Task { await body() }
  }

  /// Creates a task that only waits for a run, and whose jobs are not work of the run.
  ///
  /// With the executor, no other thread takes part when the task continues after a wait.
  static func waitingTask(_ body: @escaping @MainActor @Sendable () async -> Void) -> Task<Void, Never> {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      return Task(executorPreference: MainQueueExecutor.shared) { await body() }
    }
    return Task { await body() }
  }

  /// Runs work of a run in a task that may not belong to the run.
  static func run<Result: Sendable>(in record: RunRecord, _ body: () async -> Result) async -> Result {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      return await withTaskExecutorPreference(record, operation: body)
    }
    return await body()
  }

  /// Returns after every job that is ready on the main queue, and, on systems without task executors, after a round
  /// trip through the global executor.
  @MainActor static func runReadyJobs() async {
    if #unavailable(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2), GlobalExecutor.hasJobs {
      await runReadyJobsElsewhere()
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { RunRecord.resume(continuation) }
    }
  }

  /// Returns after a round trip through the global executor.
  ///
  /// `Task.value` would continue in a job of the run, which is a change of it.
  @MainActor static func runReadyJobsElsewhere() async {
    await withCheckedContinuation { continuation in
      Task.detached { RunRecord.resume(continuation) }
    }
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension RunRecord: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isCounted = !Self.isResumingWait
    if isCounted { jobIsReady() }
    DispatchQueue.main.async {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
      if isCounted { self.jobHasRun() }
    }
  }
}

/// Runs nonisolated jobs on the main queue.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class MainQueueExecutor: TaskExecutor {
  static let shared = MainQueueExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
