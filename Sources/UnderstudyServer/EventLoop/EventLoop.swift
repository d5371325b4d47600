import Foundation
import Understudy

/// Waits for sockets, and runs the tasks that use them, on a thread of its own.
///
/// It runs until it is stopped. Each server has one, and shares it with nobody.
package final class EventLoop: Sendable {
  private enum Phase: Sendable {
    case running
    case stopping
    case stopped
  }

  private struct State: Sendable {
    var phase = Phase.running
    /// Whether the thread waits for events, or is about to; whoever brings a job must wake it then.
    var isPolling = false
    var jobs: [UnownedJob] = []
    var watched = WatchList()
    /// Who waits until the thread has come to its end.
    var joiners: [CheckedContinuation<Void, Never>] = []
  }

  private let poller: Poller
  private let state = Locked(State())
  /// What bytes are received into before it is known how many they are.
  let scratch = Locked([UInt8](repeating: 0, count: 64 << 10))

  private init() throws(SocketError) {
    poller = try Poller()
  }

  /// Starts a loop.
  ///
  /// - Parameter name: What its thread is called in a debugger.
  package static func start(named name: String) throws(SocketError) -> EventLoop {
    let loop = try EventLoop()
    let thread = Thread { loop.run() }
    thread.name = name
    thread.start()
    return loop
  }

  /// Lets the thread end once the jobs that are there have run; sockets that are still open are reset.
  package func stop() {
    let mustWake = state.withLock { state in
      guard case .running = state.phase else { return false }
      state.phase = .stopping
      return Self.takesWakeUp(&state)
    }
    if mustWake { poller.wakeUp() }
  }

  /// Returns once a thread that was told to stop has come to its end.
  package func join() async {
    await withCheckedContinuation { joiner in
      let isOver = state.withLock { state in
        if case .stopped = state.phase { return true }
        state.joiners.append(joiner)
        return false
      }
      if isOver { joiner.resume() }
    }
  }

  /// Starts a task on the loop's thread; on systems before macOS 15 and iOS 18, wherever tasks run.
  @discardableResult package func task(
    _ operation: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      Task(executorPreference: self, operation: operation)
    } else {
      Task(operation: operation)
    }
  }

  // MARK: - Descriptors

  /// Tells an observer when its descriptor becomes ready, from now until it is closed.
  ///
  /// - Returns: What ``unwatch(_:)`` takes once the descriptor is closed.
  func watch(_ descriptor: CInt, _ observer: any ReadinessObserver) throws(SocketError) -> UInt64 {
    let token = state.withLock { state -> UInt64? in
      guard case .running = state.phase else { return nil }
      return state.watched.add(observer)
    }
    guard let token else { throw SocketError(.closed, "The event loop has been stopped.") }
    do throws(SocketError) {
      try poller.add(descriptor, token: token)
      return token
    } catch {
      unwatch(token)
      throw error
    }
  }

  func unwatch(_ token: UInt64) {
    state.withLock { $0.watched.remove(token) }
  }

  // MARK: - Jobs

  private func add(_ job: UnownedJob) {
    let (isTaken, mustWake) = state.withLock { state in
      if case .stopped = state.phase { return (false, false) }
      state.jobs.append(job)
      return (true, Self.takesWakeUp(&state))
    }
    if mustWake { poller.wakeUp() }
    // A job that comes after the end must still run, or its task would never come to its own.
    if !isTaken { DispatchQueue.global().async { self.run(job) } }
  }

  /// Whether this is the first to find the thread waiting.
  private static func takesWakeUp(_ state: inout State) -> Bool {
    defer { state.isPolling = false }
    return state.isPolling
  }

  // MARK: - The thread

  private func run() {
    var events = Poller.Events()
    var batch: [UnownedJob] = []
    while step(&events, &batch) {}
    // Nobody may wait for ever for a socket that will never be ready again.
    for observer in state.withLock({ $0.watched.all }) { observer.loopEnds() }
    while true {
      while runJobs(&batch) {}
      let joiners = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
        guard state.jobs.isEmpty else { return nil }
        state.phase = .stopped
        defer { state.joiners = [] }
        return state.joiners
      }
      guard let joiners else { continue }
      for joiner in joiners { joiner.resume() }
      return
    }
  }

  /// Waits once, and does what is then to be done.
  ///
  /// - Returns: Whether to go on.
  private func step(_ events: inout Poller.Events, _ batch: inout [UnownedJob]) -> Bool {
    let mayBlock = state.withLock { state -> Bool? in
      guard case .running = state.phase else { return nil }
      state.isPolling = state.jobs.isEmpty
      return state.isPolling
    }
    guard let mayBlock else { return false }
    let count = poller.wait(isBlocking: mayBlock, &events)
    state.withLock { $0.isPolling = false }
    return Self.releasingObjects {
      for index in 0..<count {
        guard let event = poller.event(index, of: events) else { continue }
        state.withLock { $0.watched.observer(of: event.token) }?.handle(event.readiness)
      }
      // Jobs bring about jobs; sockets wait for them a little, but not for ever.
      var rounds = 0
      while rounds < 16, runJobs(&batch) { rounds += 1 }
      return true
    }
  }

  /// Runs the jobs that are there.
  ///
  /// - Returns: Whether there were any.
  private func runJobs(_ batch: inout [UnownedJob]) -> Bool {
    state.withLock { state in swap(&state.jobs, &batch) }
    if batch.isEmpty { return false }
    for job in batch { run(job) }
    batch.removeAll(keepingCapacity: true)
    return true
  }

  private func run(_ job: UnownedJob) {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Releases what Objective-C has autoreleased at the end, as no run loop does it for this thread.
  private static func releasingObjects<Result>(_ body: () -> Result) -> Result {
    #if canImport(Darwin)
      autoreleasepool(invoking: body)
    #else
      body()
    #endif
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension EventLoop: TaskExecutor {
  /// Called by the concurrency runtime.
  package func enqueue(_ job: consuming ExecutorJob) {
    add(UnownedJob(job))
  }
}
