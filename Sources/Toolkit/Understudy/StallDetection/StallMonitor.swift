import Foundation

/// Detects operations that stall: a limit that does not depend on the load of the machine.
///
/// A thread of its own measures the process ten times a second. A time limit on a wall clock expires on a busy machine
/// although nothing is wrong; the monitor counts only time in which an operation could have continued:
///
/// - While the process is idle (it uses less than a tenth of one core), nothing can end a wait but a timer, another
///   process or the network. An operation has stalled when it was idle for its limit without progress.
/// - While the process is busy, the operations under way share its processor time. An operation has also stalled when
///   its share is longer than its limit, such as one in an endless loop. Time in which tasks had to wait for a thread is
///   not charged.
package final class StallMonitor: Sendable {
  /// The monitor of the process.
  package static let shared = StallMonitor(measures: true)

  /// The monitor that this task's operations use; a test injects one of its own.
  @TaskLocal package static var current = StallMonitor.shared

  /// The operation that this task belongs to.
  @TaskLocal static var enclosing: Watch?

  /// One operation, from its start to its end.
  package struct Watch: Sendable {
    fileprivate let monitor: StallMonitor
    fileprivate let id: Int

    /// Runs the watched operation, so that others inside it count as its progress.
    package nonisolated(nonsending) func run<Value>(
      _ operation: nonisolated(nonsending) () async throws -> Value
    ) async rethrows -> Value {
      try await StallMonitor.$enclosing.withValue(self, operation: operation)
    }

    /// Ends the watch, so that a stall is no longer reported.
    package func end() { monitor.remove(id) }
  }

  private struct Watched {
    let limits: StallLimits
    let isCharged: Bool
    /// The operation around this one, which is not charged while this one is.
    let parent: Int?
    var chargedChildren = 0
    var account = StallAccount()
    let progress: @Sendable () -> Int
    let stalled: @Sendable (Stall) -> Void
  }

  private struct State {
    var watched: [Int: Watched] = [:]
    var nextID = 0
    var isRunning = false
    /// How long the process has been idle.
    var idle: Duration = .zero
    var isBlockedThreadPoolReported = false
    /// Called when an operation is watched; for tests of waits.
    var whenWatching: [@Sendable () -> Void] = []

    mutating func noteProgress(of id: Int) {
      var next: Int? = id
      while let id = next {
        watched[id]?.account = StallAccount()
        next = watched[id]?.parent
      }
    }
  }

  private let state = Locked(State())
  private let measures: Bool

  /// Creates a monitor.
  ///
  /// - Parameter measures: Whether a thread measures the process; otherwise only ``take(_:)`` has an effect.
  init(measures: Bool = false) {
    self.measures = measures
  }

  /// Watches an operation.
  ///
  /// A wait inside an operation with a shorter limit has half of that limit, so that it is reported first: its message
  /// says more.
  ///
  /// - Parameters:
  ///   - limit: How long the operation may stall.
  ///   - idleLimit: How long the process may be idle, if that is shorter than the limit (default: the limit).
  ///   - isCharged: Whether it is charged with processor time. A wait for a signal is not.
  ///   - isUninterrupted: Whether the process must be idle for the whole limit at a time, and able to run jobs: on a busy
  ///     machine another operation may block the threads for a while, and the process looks idle then.
  ///   - progress: A number that changes whenever the operation makes progress.
  ///   - stalled: Called once, on the monitor's thread, when the operation has stalled.
  package func watch(
    for limit: Duration, idle idleLimit: Duration? = nil, isCharged: Bool, isUninterrupted: Bool = false,
    progress: @escaping @Sendable () -> Int = { 0 },
    _ stalled: @escaping @Sendable (Stall) -> Void
  ) -> Watch {
    let parent = Self.enclosing.flatMap { $0.monitor === self ? $0.id : nil }
    let (id, starts, callbacks) = state.withLock { state in
      let id = state.nextID
      state.nextID += 1
      var idle = min(idleLimit ?? limit, limit)
      if !isCharged, let outer = parent.flatMap({ state.watched[$0]?.limits.idle }), outer < idle {
        idle = outer / 2
      }
      state.watched[id] = Watched(
        limits: StallLimits(idle: idle, processorTime: limit, isUninterrupted: isUninterrupted),
        isCharged: isCharged,
        parent: parent, progress: progress, stalled: stalled)
      if isCharged, let parent { state.watched[parent]?.chargedChildren += 1 }
      defer {
        state.isRunning = state.isRunning || measures
        if !state.whenWatching.isEmpty { state.whenWatching = [] }
      }
      return (id, measures && !state.isRunning, state.whenWatching)
    }
    if starts { startThread() }
    for callback in callbacks { callback() }
    return Watch(monitor: self, id: id)
  }

  /// Calls a closure when an operation is watched, at once if one is.
  func whenWatching(_ body: @escaping @Sendable () -> Void) {
    let isWatching = state.withLock { state in
      if state.watched.isEmpty { state.whenWatching.append(body) }
      return !state.watched.isEmpty
    }
    if isWatching { body() }
  }

  /// Keeps measuring while an operation without a limit is under way.
  func watchWithoutLimit() -> Watch {
    watch(for: .seconds(Int32.max), isCharged: false) { _ in }
  }

  private func remove(_ id: Int) {
    state.withLock { state in
      guard let removed = state.watched.removeValue(forKey: id) else { return }
      guard removed.isCharged, let parent = removed.parent else { return }
      state.watched[parent]?.chargedChildren -= 1
      state.noteProgress(of: parent)
    }
  }

  // MARK: - Measuring

  /// The time between two measurements.
  static let interval: Duration = .milliseconds(100)

  private func startThread() {
    let thread = Thread { [self] in
      var meter = ProcessMeter()
      // The thread ends when there has been nothing to watch for a while, so that short operations do not each start one.
      var unused = 0
      while unused < 20 {
        Thread.sleep(forTimeInterval: Self.interval / .seconds(1))
        let measurement = meter.measure()
        take(measurement)
        let isUsed = state.withLock { state in
          if state.watched.isEmpty, unused == 19 { state.isRunning = false }
          return !state.watched.isEmpty
        }
        unused = isUsed ? 0 : unused + 1
      }
    }
    thread.name = "Understudy stall monitor"
    thread.start()
  }

  /// Charges a measurement to all operations, and reports those that have stalled.
  func take(_ measurement: ProcessMeter.Measurement) {
    let (watched, idle, reportsBlockedPool) = state.withLock { state in
      state.idle = measurement.isIdle ? state.idle + Self.interval : .zero
      let isBlocked =
        !measurement.startsTasks && state.idle >= .seconds(30) && !state.isBlockedThreadPoolReported
      if isBlocked { state.isBlockedThreadPoolReported = true }
      return (state.watched, state.idle, isBlocked)
    }
    if reportsBlockedPool {
      FileHandle.standardError.write(
        Data(
          """
          No task has started for 30 s although the process is idle: every thread of Swift's concurrency is blocked. \
          Something waits with a semaphore, a lock or a synchronous call. Use await instead.\n
          """.utf8))
    }
    let charged = watched.values.count { $0.isCharged && $0.chargedChildren == 0 }
    for (id, one) in watched {
      // Progress is read outside the lock, because it reads the state of others.
      let progress = one.progress()
      let stall = state.withLock { state -> Stall? in
        guard var now = state.watched[id] else { return nil }
        defer { state.watched[id]?.account = now.account }
        return now.account.take(
          measurement, progress: progress, limits: one.limits,
          share: now.isCharged && now.chargedChildren == 0 ? max(1, charged) : nil)
      }
      guard let stall else { continue }
      remove(id)
      one.stalled(stall)
    }
    if idle > .zero, (idle / .milliseconds(500)).truncatingRemainder(dividingBy: 1) == 0 {
      Admission.shared.admitOneMore()
    }
  }
}

/// Why an operation counts as stalled.
package enum Stall: Sendable, Hashable, CustomStringConvertible {
  /// The process was idle, and the operation made no progress.
  case idle(Duration)
  /// The operation used its share of processor time.
  case processorTime(Duration)

  package var description: String {
    switch self {
    case .idle(let limit): "no task was running and nothing made progress for \(limit)"
    case .processorTime(let limit): "it did not end within its share of processor time, \(limit)"
    }
  }
}

/// How much may be charged to one operation.
struct StallLimits: Sendable {
  let idle: Duration
  let processorTime: Duration
  /// Whether the process must be idle for the whole limit at a time, and able to run jobs.
  var isUninterrupted = false
}

/// What is charged to one operation.
struct StallAccount: Sendable {
  private var idle: Duration = .zero
  private var used: Duration = .zero
  private var progress: Int?

  /// Charges a measurement.
  ///
  /// - Parameters:
  ///   - progress: A number that changes whenever the operation makes progress.
  ///   - limits: How long the operation may stall.
  ///   - share: The number of operations that share the processor time; `nil` if it is not charged.
  mutating func take(
    _ measurement: ProcessMeter.Measurement, progress: Int, limits: StallLimits, share: Int?
  ) -> Stall? {
    if progress != self.progress {
      self.progress = progress
      idle = .zero
    }
    if limits.isUninterrupted, !measurement.isIdle || !measurement.runsJobs {
      idle = .zero
      return nil
    }
    if measurement.isIdle {
      // The nominal interval, because a machine that was asleep takes one measurement for the whole night.
      idle += StallMonitor.interval
      if idle >= limits.idle { return .idle(limits.idle) }
    } else if measurement.startsTasks, let share {
      used += min(measurement.processorTime, StallMonitor.interval) / share
      if used >= limits.processorTime { return .processorTime(limits.processorTime) }
    }
    return nil
  }
}

/// Measures the processor time of the process, and whether it starts tasks.
struct ProcessMeter {
  struct Measurement: Sendable {
    /// The real time since the measurement before.
    let elapsed: Duration
    /// The processor time of the whole process since the measurement before.
    let processorTime: Duration
    /// Whether a task that was created at the measurement before has run.
    let startsTasks: Bool
    /// Whether, in addition, a job of the main queue has run, so that no thread of either is blocked.
    var runsJobs = true
    /// Whether another thread than the monitor's is ready to run, as if a busy machine or disk kept it waiting.
    var hasReadyThread = false

    /// Whether the process had processor time to spare, and no task that used it.
    ///
    /// A process that cannot start a task, but does not compute either, has blocked its threads.
    var isIdle: Bool { processorTime * 10 < elapsed && !hasReadyThread }
  }

  private var time = ContinuousClock.now
  private var processorTime = Self.processorTimeOfProcess()
  private var probe: Probe?

  /// A task that notes that it has run, elsewhere and on the main queue.
  private final class Probe: Sendable {
    let hasRun = Locked(false)
    let hasRunOnMainQueue = Locked(false)

    init() {
      Task {
        hasRun.withLock { $0 = true }
        await MainActor.run { hasRunOnMainQueue.withLock { $0 = true } }
      }
    }
  }

  mutating func measure() -> Measurement {
    let now = ContinuousClock.now
    let processorTimeNow = Self.processorTimeOfProcess()
    let startsTasks = probe?.hasRun.withLock(\.self) ?? false
    let runsJobs = probe?.hasRunOnMainQueue.withLock(\.self) ?? false
    defer {
      time = now
      processorTime = processorTimeNow
      if startsTasks || probe == nil { probe = Probe() }
    }
    var measurement = Measurement(
      elapsed: now - time, processorTime: processorTimeNow - processorTime, startsTasks: startsTasks,
      runsJobs: runsJobs)
    if measurement.isIdle { measurement.hasReadyThread = ProcessThreads.isOneReady }
    return measurement
  }

  private static func processorTimeOfProcess() -> Duration {
    // In microseconds: POSIX fixes CLOCKS_PER_SEC to a million.
    .microseconds(Int64(clock()))
  }
}
