import UnderstudyText

/// The tasks that sleep on a manual clock, and its time.
final class Sleepers: Sendable {
  private let state: Locked<SleeperState>

  /// Creates the sleepers of a clock.
  ///
  /// - Parameter jumps: Whether the time advances as soon as a task waits.
  init(jumps: Bool) {
    state = Locked(SleeperState(jumps: jumps))
  }

  var now: Duration { state.withLock { $0.now } }
  var count: Int { state.withLock { $0.count } }

  func advance(by duration: Duration) {
    move { ManualClock.sum($0.now, duration) }
  }

  func advance(to offset: Duration) {
    move { _ in offset }
  }

  private func move(to target: (SleeperState) -> Duration) {
    wake(
      state.withLock { state in
        let target = target(state)
        return state.advance(to: max(state.now, target))
      })
  }

  func sleep(until deadline: Duration, inBackground isBackground: Bool) async throws {
    try Task.checkCancellation()
    let limits = TimeLimit.enclosing.filter(isMine)
    let ownLimit = isBackground ? TimeLimit.own.flatMap { isMine($0) ? $0 : nil } : nil
    let id = state.withLock { $0.announce() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let sleeper = Sleeper(
          deadline, isBackground: isBackground, own: ownLimit, within: limits, continuation)
        let outcome = state.withLock { state -> (due: [Sleeper], signals: [Signal<Void>])? in
          guard state.add(sleeper, as: id) else { return nil }
          let signals = state.dueSignals()
          return (state.advanceByItself(), signals)
        }
        guard let outcome else { return continuation.resume(throwing: CancellationError()) }
        for signal in outcome.signals { signal.send(()) }
        wake(outcome.due)
      }
    } onCancel: {
      let sleeper = state.withLock { $0.cancel(id) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Wakes the sleepers that a timeout held back but did not cancel, because they are in tasks of their own.
  ///
  /// A clock that is advanced by the test does so at the next advance.
  func timeLimitIsOver() {
    wake(state.withLock { $0.jumps ? $0.advanceByItself() : [] })
  }

  func wait(forAtLeast count: Int) async throws {
    let signal = Signal<Void>()
    let isThere = state.withLock { state in
      if state.count >= count { return true }
      state.waiters.append((count, signal))
      return false
    }
    if isThere { return }
    defer { state.withLock { $0.waiters.removeAll { $0.signal === signal } } }
    try await signal.value(waitingFor: "\(Words.count(count, "sleeper")) on a test clock") { [self] in
      "\(self.count)"
    }
  }

  /// Whether a timeout runs on this clock; a timeout on another clock has no effect here.
  private func isMine(_ limit: TimeLimit) -> Bool {
    (limit.clock as? ManualClock)?.sleepers === self
  }

  private func wake(_ due: [Sleeper]) {
    for sleeper in due { sleeper.continuation.resume() }
  }
}

/// A task that sleeps until a deadline.
///
/// It is a class because it is copied several times from one place to another.
final class Sleeper: Sendable {
  let deadline: Duration
  /// Whether an immediate clock does not advance for it: it waits for a timeout or a background activity.
  let isBackground: Bool
  /// The timeout whose deadline this is.
  let ownLimit: TimeLimit?
  /// The enclosing timeouts.
  let limits: [TimeLimit]
  let continuation: CheckedContinuation<Void, any Error>

  init(
    _ deadline: Duration, isBackground: Bool, own ownLimit: TimeLimit?, within limits: [TimeLimit],
    _ continuation: CheckedContinuation<Void, any Error>
  ) {
    self.deadline = deadline
    self.isBackground = isBackground
    self.ownLimit = ownLimit
    self.limits = limits
    self.continuation = continuation
  }

  /// Whether an enclosing timeout has expired, so that the task is about to be cancelled.
  var isDoomed: Bool {
    limits.contains { $0.phase.withLock { $0 } == .ranOut }
  }

  /// Whether the sleeper advances an immediate clock.
  ///
  /// It does only when the deadlines of all enclosing timeouts sleep too: only then is it known which is first.
  var movesTime: Bool {
    !isBackground
      && limits.allSatisfy { limit in
        switch limit.phase.withLock({ $0 }) {
        case .running, .over: true
        case .coming, .ranOut: false
        }
      }
  }
}

/// The sleepers in the order of their deadlines, and the current time.
struct SleeperState: Sendable {
  private enum Entry {
    case announced
    case cancelled
    case asleep(Sleeper)
  }

  /// Whether the time advances as soon as a task waits.
  let jumps: Bool
  private(set) var now = Duration.zero
  /// The number of sleepers.
  private(set) var count = 0
  var waiters: [(count: Int, signal: Signal<Void>)] = []

  private var nextID = 0
  private var entries: [Int: Entry] = [:]
  /// Sorted by deadline, then by the start of the sleep; includes cancelled sleepers.
  private var queue = DeadlineQueue()
  /// The sleepers that wait for something other than the deadline of a timeout, if the time advances for them.
  private var waits: Set<Int> = []
  /// The sleepers whose deadline passed while they were about to be cancelled.
  private var heldBack: [DeadlineQueue.Element] = []

  init(jumps: Bool) {
    self.jumps = jumps
  }

  /// Reserves an identifier for a sleeper that may be cancelled before it sleeps.
  mutating func announce() -> Int {
    defer { nextID += 1 }
    entries[nextID] = .announced
    return nextID
  }

  /// Adds a sleeper.
  ///
  /// - Returns: `false` if it has already been cancelled.
  mutating func add(_ sleeper: Sleeper, as id: Int) -> Bool {
    guard case .announced? = entries[id] else {
      entries[id] = nil
      return false
    }
    entries[id] = .asleep(sleeper)
    queue.insert(DeadlineQueue.Element(deadline: sleeper.deadline, id: id))
    if jumps, !sleeper.isBackground { waits.insert(id) }
    sleeper.ownLimit?.phase.withLock { if $0 == .coming { $0 = .running } }
    count += 1
    return true
  }

  /// Removes a sleeper, or records that it must not start to sleep.
  mutating func cancel(_ id: Int) -> Sleeper? {
    switch entries[id] {
    case .announced?:
      entries[id] = .cancelled
      return nil
    case .asleep(let sleeper)?:
      remove(id)
      // Cancelled entries stay in the queue until their turn, or until they are more than half of it.
      if queue.count > 64, queue.count > count * 2 {
        queue.removeAll { if case .asleep? = entries[$0.id] { false } else { true } }
      }
      return sleeper
    case .cancelled?, nil:
      return nil
    }
  }

  private mutating func remove(_ id: Int) {
    entries[id] = nil
    if jumps { waits.remove(id) }
    count -= 1
  }

  /// Removes and returns the signals that wait for at most the current number of sleepers.
  mutating func dueSignals() -> [Signal<Void>] {
    if waiters.isEmpty { return [] }
    let due = waiters.filter { $0.count <= count }.map(\.signal)
    waiters.removeAll { $0.count <= count }
    return due
  }

  /// Advances the time.
  ///
  /// - Returns: The sleepers to wake, in order.
  mutating func advance(to target: Duration) -> [Sleeper] {
    readmit()
    var due: [Sleeper] = []
    var batch: [(element: DeadlineQueue.Element, sleeper: Sleeper)] = []
    while let deadline = queue.first?.deadline, deadline <= target {
      while let element = queue.first, element.deadline == deadline {
        queue.removeFirst()
        if case .asleep(let sleeper)? = entries[element.id] { batch.append((element, sleeper)) }
      }
      wake(batch, into: &due)
      batch.removeAll(keepingCapacity: true)
    }
    now = max(now, target)
    return due
  }

  /// Wakes the sleepers of one deadline, except those that are about to be cancelled.
  private mutating func wake(
    _ batch: [(element: DeadlineQueue.Element, sleeper: Sleeper)], into due: inout [Sleeper]
  ) {
    // At equal deadlines, a timeout precedes the sleepers inside it, whichever slept first.
    for (_, sleeper) in batch where !sleeper.isDoomed {
      sleeper.ownLimit?.phase.withLock { if $0 == .running { $0 = .ranOut } }
    }
    for (element, sleeper) in batch {
      if sleeper.isDoomed {
        heldBack.append(element)
      } else {
        remove(element.id)
        due.append(sleeper)
      }
    }
  }

  /// Finds the sleepers that are due, and advances the time as long as another waits that is not about to be cancelled,
  /// if it advances by itself.
  ///
  /// - Returns: The sleepers to wake, in order.
  mutating func advanceByItself() -> [Sleeper] {
    var due = advance(to: now)
    while waits.contains(where: { if case .asleep(let one)? = entries[$0] { one.movesTime } else { false } }),
      let next = nextToWake(), next.deadline < ManualClock.never
    {
      due += advance(to: next.deadline)
    }
    return due
  }

  /// The first sleeper in the queue that is not cancelled and not about to be.
  private mutating func nextToWake() -> DeadlineQueue.Element? {
    while let first = queue.first {
      guard case .asleep(let sleeper)? = entries[first.id] else {
        queue.removeFirst()
        continue
      }
      guard sleeper.isDoomed else { return first }
      queue.removeFirst()
      heldBack.append(first)
    }
    return nil
  }

  /// Requeues the sleepers whose timeouts have ended without cancelling them.
  private mutating func readmit() {
    if heldBack.isEmpty { return }
    let candidates = heldBack
    heldBack = []
    for element in candidates {
      guard case .asleep(let sleeper)? = entries[element.id] else { continue }
      if sleeper.isDoomed { heldBack.append(element) } else { queue.insert(element) }
    }
  }
}
