import Dispatch

/// Runs the jobs of a run that are bound to no actor on the main queue.
///
/// The jobs of a run then follow one another in one order, however busy the machine is, and no thread has to be woken
/// for each call of a service. It also makes a run's silence exact: a job that is ready is counted in the ``RunRecord``
/// until it has run. Only structured tasks inherit the executor. A task that is started with `Task {}` runs elsewhere, and
/// so does everything on systems without task executors (before macOS 15 and iOS 18): there a call or a reader that is
/// between two threads is not counted.
enum MainTaskExecutor {
  /// A task for a run of a scenario.
  static func task(
    in record: RunRecord, _ body: @escaping @MainActor @Sendable () async -> Void
  ) -> Task<Void, Never> {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      return Task(executorPreference: record) { await body() }
    }
    return Task { await body() }
  }

  /// Runs something of a run within a task that need not be the run's own.
  static func run<Result: Sendable>(in record: RunRecord, _ body: () async -> Result) async -> Result {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      return await withTaskExecutorPreference(record, operation: body)
    }
    return await body()
  }

  /// Returns after every job that is ready on the main queue now, and, on systems without task executors, after a round
  /// trip through the global executor.
  @MainActor static func runReadyJobs() async {
    if #unavailable(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2) { await Task.detached {}.value }
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { RunRecord.resume(continuation) }
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
