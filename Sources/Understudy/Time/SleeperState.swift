/// A task that sleeps until a deadline.
struct Sleeper: Sendable {
  let deadline: Duration
  let purpose: SleepPurpose
  /// The time-out whose end this is.
  let ownLimit: TimeLimit?
  /// The time-outs that it is inside of.
  let limits: [TimeLimit]
  let continuation: CheckedContinuation<Void, any Error>

  init(
    _ deadline: Duration, _ purpose: SleepPurpose, own ownLimit: TimeLimit?, within limits: [TimeLimit],
    _ continuation: CheckedContinuation<Void, any Error>
  ) {
    self.deadline = deadline
    self.purpose = purpose
    self.ownLimit = ownLimit
    self.limits = limits
    self.continuation = continuation
  }

  /// Whether a time-out around it has run out, so that it is about to be cancelled.
  var isDoomed: Bool {
    limits.contains { $0.phase.withLock { $0 } == .ranOut }
  }

  /// Whether time should move for it.
  ///
  /// Not before the deadlines of all time-outs around it sleep too: only then is it certain which comes first.
  var movesTime: Bool {
    purpose == .wait
      && limits.allSatisfy { limit in
        switch limit.phase.withLock({ $0 }) {
        case .running, .over: true
        case .coming, .ranOut: false
        }
      }
  }
}

/// Who sleeps, in the order of their deadlines, and what time it is.
struct SleeperState: Sendable {
  private enum Entry {
    case announced
    case cancelled
    case asleep(Sleeper)
  }

  private(set) var now = Duration.zero
  /// How many sleep.
  private(set) var count = 0
  var waiters: [(count: Int, signal: Signal<Void>)] = []

  private var nextID = 0
  private var entries: [Int: Entry] = [:]
  /// By deadline, and then in the order in which they went to sleep; with those who were cancelled.
  private var queue = DeadlineQueue()
  /// Those who wait for something, and not for a time-out to be cancelled.
  private var waits: Set<Int> = []
  /// Those whose deadline has passed while they were about to be cancelled.
  private var heldBack: [DeadlineQueue.Element] = []

  /// Makes a place for a sleeper that may be cancelled before it sleeps.
  mutating func announce() -> Int {
    defer { nextID += 1 }
    entries[nextID] = .announced
    return nextID
  }

  /// Puts a sleeper in its place.
  ///
  /// - Returns: `false` if it has been cancelled.
  mutating func add(_ sleeper: Sleeper, as id: Int) -> Bool {
    guard case .announced? = entries[id] else {
      entries[id] = nil
      return false
    }
    entries[id] = .asleep(sleeper)
    queue.insert(DeadlineQueue.Element(deadline: sleeper.deadline, id: id))
    if sleeper.purpose == .wait { waits.insert(id) }
    sleeper.ownLimit?.phase.withLock { if $0 == .coming { $0 = .running } }
    count += 1
    return true
  }

  /// Takes a sleeper out, or remembers that it must not go to sleep.
  mutating func cancel(_ id: Int) -> Sleeper? {
    switch entries[id] {
    case .announced?:
      entries[id] = .cancelled
      return nil
    case .asleep(let sleeper)?:
      remove(id)
      // What stays in the queue is dropped when its turn comes, or when it is more than half of it.
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
    waits.remove(id)
    count -= 1
  }

  /// Those who wait for as many sleepers as there are now.
  mutating func dueSignals() -> [Signal<Void>] {
    if waiters.isEmpty { return [] }
    let due = waiters.filter { $0.count <= count }.map(\.signal)
    waiters.removeAll { $0.count <= count }
    return due
  }

  /// Moves time on.
  ///
  /// - Returns: The sleepers to wake, in order.
  mutating func advance(to target: Duration) -> [Sleeper] {
    readmit()
    var due: [Sleeper] = []
    while let first = queue.first, first.deadline <= target {
      var batch: [(DeadlineQueue.Element, Sleeper)] = []
      while let element = queue.first, element.deadline == first.deadline {
        queue.removeFirst()
        if case .asleep(let sleeper)? = entries[element.id] { batch.append((element, sleeper)) }
      }
      // At the same moment a time-out comes before what is inside it, whoever went to sleep first.
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
    now = max(now, target)
    return due
  }

  /// Moves time on for as long as somebody waits whom nobody is about to cancel.
  ///
  /// - Returns: The sleepers to wake, in order.
  mutating func jump() -> [Sleeper] {
    var due = advance(to: now)
    while waits.contains(where: { if case .asleep(let one)? = entries[$0] { one.movesTime } else { false } }),
      let next = nextToWake(), next.deadline < ManualClock.never
    {
      due += advance(to: next.deadline)
    }
    return due
  }

  /// The first in the queue that is not cancelled and not about to be.
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

  /// Puts those back whose time-outs are over without having cancelled them.
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
