import Foundation

#if canImport(Darwin)
  import Darwin
#endif

/// The executor of tasks that have none of their own, such as those that code under test starts with `Task {}`.
///
/// No task executor preference reaches them. In a process that does nothing else than sweep, the jobs that the main queue
/// gives to this executor during a run return to the main queue instead. All tasks of a run then take turns on one queue:
/// their order is the same on every machine, and no thread is woken for each of their steps.
///
/// In other processes this would take the tasks of other tests to the main queue, too. There it is done only if
/// `UNDERSTUDY_ONLY_SWEEPS` is set.
package enum GlobalExecutor {
  /// Whether the process does nothing else while it sweeps.
  private static let onlySweeps = Locked(
    ProcessInfo.processInfo.environment["UNDERSTUDY_ONLY_SWEEPS"] != nil)
  /// The number of runs in progress.
  private static let runs = Locked(0)

  /// Declares that the process does nothing else while it sweeps, before its first run.
  package static func returnJobs() { onlySweeps.withLock { $0 = true } }

  /// Whether jobs of a run may be elsewhere than on the main queue; decided at the first run.
  static let hasJobs = !onlySweeps.withLock(\.self) || !setHook()

  /// Begins a run.
  static func beginRun() {
    _ = hasJobs
    runs.withLock { $0 += 1 }
  }

  /// Ends a run.
  static func endRun() { runs.withLock { $0 -= 1 } }

  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  /// Sets the hook.
  ///
  /// The runtime declares the variable for this purpose, in `swift/Runtime/Concurrency.h`: `SWIFT_CC(swift) void
  /// (*swift_task_enqueueGlobal_hook)(Job *job, swift_task_enqueueGlobal_original original)`. It is a pointer, which is
  /// written once; until a thread sees it, its jobs go where they went before.
  ///
  /// - Returns: Whether it is set; it is not if the runtime's symbols have been stripped, or another library has a hook.
  private static func setHook() -> Bool {
    guard let symbol = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else { return false }
    let hook = symbol.assumingMemoryBound(to: Hook?.self)
    if hook.pointee != nil { return false }
    hook.pointee = { job, original in
      if MainQueue.isCurrent, GlobalExecutor.runs.withLock({ $0 > 0 }) {
        MainActor.shared.enqueue(job)
      } else {
        original(job)
      }
    }
    return true
  }
}
