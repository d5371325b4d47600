import Foundation
import Understudy

/// An event loop that waits for sockets, and runs the tasks that use them on its own thread.
///
/// It runs until it is stopped. Each server has its own.
package final class EventLoop: Sendable {
  private enum Phase: Sendable {
    case running
    case stopping
    case stopped
  }

  private struct State: Sendable {
    var phase = Phase.running
    /// Whether the thread waits for events or is about to wait.
    ///
    /// Adding a job must then wake it.
    var isPolling = false
    var jobs: [UnownedJob] = []
    var watched = WatchList()
    /// The continuations that wait for the end of the thread.
    var joiners: [CheckedContinuation<Void, Never>] = []
  }

  private let poller: Poller
  private let state = Locked(State())
  /// A buffer to receive bytes before their number is known.
  let scratch = Locked([UInt8](repeating: 0, count: 64 << 10))

  private init() throws(SocketError) {
    poller = try Poller()
  }

  /// Starts an event loop.
  ///
  /// - Parameter name: The name of its thread, for debuggers.
  /// - Throws: `SocketError` if the system cannot provide a poller.
  package static func start(named name: String) throws(SocketError) -> EventLoop {
    let loop = try EventLoop()
    let thread = Thread { loop.run() }
    thread.name = name
    thread.start()
    return loop
  }

  /// Ends the thread after the jobs already enqueued.
  ///
  /// Sockets that are still open are reset.
  package func stop() {
    let mustWake = state.withLock { state in
      guard case .running = state.phase else { return false }
      state.phase = .stopping
      return Self.takesWakeUp(&state)
    }
    if mustWake { poller.wakeUp() }
  }

  /// Returns once a stopped thread has ended.
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

  /// Starts a task on the event loop's thread, or on the global executor on systems before macOS 15 and iOS 18.
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

  /// Notifies an observer when a descriptor becomes ready, until the descriptor is closed.
  ///
  /// - Returns: The token to pass to `unwatch(_:)` once the descriptor is closed.
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
    // A job that is enqueued after the end must still run, or its task would never complete.
    if !isTaken { DispatchQueue.global().async { self.run(job) } }
  }

  /// Whether this call is the first to find the thread waiting.
  private static func takesWakeUp(_ state: inout State) -> Bool {
    defer { state.isPolling = false }
    return state.isPolling
  }

  // MARK: - Thread

  private func run() {
    var events = Poller.Events()
    var batch: [UnownedJob] = []
    while step(&events, &batch) {}
    // No task may wait forever for a socket that will never become ready.
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

  /// Waits once and handles the events.
  ///
  /// - Returns: Whether to continue.
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
      // Jobs may enqueue further jobs. A limited number of rounds runs before the sockets are polled again.
      var rounds = 0
      while rounds < 16, runJobs(&batch) { rounds += 1 }
      return true
    }
  }

  /// Runs the enqueued jobs.
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
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension EventLoop: TaskExecutor {
  /// Enqueues a job; called by the concurrency runtime.
  package func enqueue(_ job: consuming ExecutorJob) {
    add(UnownedJob(job))
  }
}

/// The readiness changes of a descriptor since the last event.
struct Readiness: OptionSet, Sendable {
  let rawValue: UInt8

  /// There may be bytes, a connection or the end of the stream to read.
  static let readable = Readiness(rawValue: 1)
  /// There may be space to write, or a connection attempt has completed.
  static let writable = Readiness(rawValue: 2)
  /// The peer has closed its side; bytes that it sent earlier may still be unread.
  static let ended = Readiness(rawValue: 4)
  /// Both directions are closed by a reset or a failure.
  static let failed = Readiness(rawValue: 8)
  /// Nothing more can be sent, because this side ended its direction, or because the connection is lost.
  ///
  /// kqueue reports both alike.
  static let sendingEnded = Readiness(rawValue: 16)
}

/// An object that receives readiness events from an `EventLoop`.
protocol ReadinessObserver: AnyObject, Sendable {
  /// Handles an event; called on the event loop's thread.
  func handle(_ readiness: Readiness)

  /// Called when the event loop ends; the descriptor receives no further events.
  func loopEnds()
}

/// The descriptors that an `EventLoop` watches, by token.
///
/// A token contains the number of a slot and its generation. An event that was pending when its descriptor was closed
/// therefore never reaches the next owner of the slot. Tokens are never zero.
struct WatchList: Sendable {
  private struct Slot: Sendable {
    var use: UInt32 = 0
    var observer: (any ReadinessObserver)?
  }

  private var slots: [Slot] = []
  private var free: [Int] = []

  mutating func add(_ observer: any ReadinessObserver) -> UInt64 {
    let index = free.popLast() ?? slots.endIndex
    if index == slots.endIndex { slots.append(Slot()) }
    slots[index].use = slots[index].use == .max ? 1 : slots[index].use + 1
    slots[index].observer = observer
    return UInt64(slots[index].use) << 32 | UInt64(truncatingIfNeeded: index)
  }

  mutating func remove(_ token: UInt64) {
    let index = Int(token & 0xFFFF_FFFF)
    guard observer(of: token) != nil else { return }
    slots[index].observer = nil
    free.append(index)
  }

  func observer(of token: UInt64) -> (any ReadinessObserver)? {
    let index = Int(token & 0xFFFF_FFFF)
    guard index < slots.count, slots[index].use == UInt32(truncatingIfNeeded: token >> 32) else { return nil }
    return slots[index].observer
  }

  var all: [any ReadinessObserver] { slots.compactMap(\.observer) }
}
