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
  static let hasJobs = !onlySweeps.withLock(\.self) || !hasHook

  /// Whether the tasks that an implementation starts in a program of a comparison come to the queue of the program.
  static var hasProgramHook: Bool {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { hasHook } else { false }
  }

  private static let hasHook = setHook()

  /// Begins a run.
  static func beginRun() {
    _ = hasJobs
    runs.withLock { $0 += 1 }
  }

  /// Ends a run.
  static func endRun() { runs.withLock { $0 -= 1 } }

  // MARK: - Programs of a comparison

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The queue whose jobs this thread is running.
  private static var program: ProgramQueue? {
    pthread_getspecific(key).map { Unmanaged<ProgramQueue>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs jobs of a queue; jobs that they give to the global executor return to the queue.
  static func withProgram(_ queue: ProgramQueue, _ body: () -> Void) {
    let outer = pthread_getspecific(key)
    // The queue lives as long as the call, after which the thread refers to the outer one again.
    pthread_setspecific(key, Unmanaged.passUnretained(queue).toOpaque())
    withExtendedLifetime(queue, body)
    pthread_setspecific(key, outer)
  }

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
      if let program = GlobalExecutor.program {
        program.add(job)
      } else if MainQueue.isCurrent, GlobalExecutor.runs.withLock({ $0 > 0 }), !GlobalExecutor.hasJobs {
        MainActor.shared.enqueue(job)
      } else {
        original(job)
      }
    }
    return true
  }
}
