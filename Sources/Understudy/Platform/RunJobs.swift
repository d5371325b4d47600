import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The main queue as the executor of every task of a run, including those that code under test starts with `Task {}`,
/// which no task executor preference reaches.
///
/// What a job of a run enqueues is a job of a run, too. All tasks of a run then take turns on one queue, so that their
/// order is the same on every machine, and no thread is woken for each of their steps. Other tasks of the process keep
/// their executors.
enum RunJobs {
  /// Whether a job of a run is running.
  ///
  /// Only the main queue reads and writes it.
  nonisolated(unsafe) private static var isRunning = false

  /// Runs a job on the main queue, after those that are ready.
  static func enqueue(_ run: @escaping @Sendable () -> Void) {
    _ = isHooked
    DispatchQueue.main.async {
      isRunning = true
      run()
      isRunning = false
    }
  }

  private static func enqueueOnMainActor(_ job: UnownedJob) {
    enqueue { job.runSynchronously(on: MainActor.sharedUnownedExecutor) }
  }

  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  /// Whether the runtime calls the hooks; it does not if its symbols have been stripped.
  ///
  /// The runtime declares them for this purpose, in `swift/Runtime/Concurrency.h`: `SWIFT_CC(swift) void
  /// (*swift_task_enqueueGlobal_hook)(Job *job, swift_task_enqueueGlobal_original original)`, and another one for the
  /// main actor. Each is a pointer, which is written once. Until a thread sees it, its jobs go where they went before.
  static let isHooked: Bool = {
    let variables = ["swift_task_enqueueGlobal_hook", "swift_task_enqueueMainExecutor_hook"].compactMap { (name: String) in
      dlsym(dlopen(nil, RTLD_LAZY), name)?.assumingMemoryBound(to: Hook?.self)
    }
    // Another library may have hooks of its own.
    guard variables.count == 2, variables.allSatisfy({ $0.pointee == nil }) else { return false }
    for variable in variables {
      variable.pointee = { job, original in
        if MainQueue.isCurrent, isRunning { enqueueOnMainActor(job) } else { original(job) }
      }
    }
    return true
  }()
}
