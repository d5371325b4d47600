import UnderstudyHTTP

/// The exchanges of a recorder that are open, or that have ended and are not written yet.
struct RecorderBook: Sendable {
  /// When an exchange that has ended is written.
  struct Turn: Sendable {
    /// The number of the exchange in the order of their ends.
    let place: Int
    /// Whether the queue writes it, instead of the task that ended it.
    let isQueued: Bool
    /// Whether it is large, so that its own client waits.
    let isLarge: Bool
  }

  typealias Waiter = CheckedContinuation<Void, Never>

  private var open: [Int: RecordedExchange] = [:]
  private var count = 0
  /// Whether further exchanges are recorded.
  private var isRecording = true
  var fixtures: JSONValue?

  /// The exchanges that have ended and are not written, by their places.
  private var ended: [Int: (number: Int, exchange: RecordedExchange)] = [:]
  private var endedCount = 0
  private var writtenCount = 0
  private var waiters: [Int: Waiter] = [:]
  /// Whether the queue writes the exchanges that end.
  private var isQueued = false
  private var isQueueRunning = false
  /// The number of tasks that write the small exchanges that they have ended.
  private var taskCount = 0

  // MARK: Open exchanges

  /// - Returns: The number of the exchange.
  mutating func begin(_ exchange: RecordedExchange) -> Int {
    defer { count += 1 }
    if isRecording { open[count] = exchange }
    return count
  }

  /// - Returns: The result of the closure; `nil` if the exchange is not open.
  @discardableResult
  mutating func change<Result>(_ number: Int, _ change: (inout RecordedExchange) -> Result) -> Result? {
    open.index(forKey: number).map { change(&open.values[$0]) }
  }

  /// The open exchanges that have a response or a failure, in the order of their requests.
  var answered: [(number: Int, exchange: RecordedExchange)] {
    open.sorted { $0.key < $1.key }.filter { $0.value.isAnswered }.map { ($0.key, $0.value) }
  }

  /// Ends the recording.
  ///
  /// - Returns: The exchanges that were ``answered``.
  mutating func endAll() -> [(number: Int, exchange: RecordedExchange)] {
    guard isRecording else { return [] }
    defer { open = [:] }
    isRecording = false
    return answered
  }

  // MARK: Turns

  /// - Parameter size: The maximum number of bytes of an exchange that the caller writes.
  mutating func end(
    _ number: Int, upTo size: Int, _ change: (inout RecordedExchange) -> Void
  ) -> Turn? {
    guard var exchange = open.removeValue(forKey: number) else { return nil }
    change(&exchange)
    defer { endedCount += 1 }
    ended[endedCount] = (number, exchange)
    let isLarge = exchange.size > size
    if isLarge { isQueued = true }
    if !isQueued { taskCount += 1 }
    return Turn(place: endedCount, isQueued: isQueued, isLarge: isLarge)
  }

  /// - Returns: Whether the caller starts the queue.
  mutating func endTurn() -> Bool {
    taskCount -= 1
    return startsQueue()
  }

  /// Returns whether the caller starts the queue.
  ///
  /// It is not started while tasks write, because they would wait until it has written a large exchange.
  mutating func startsQueue() -> Bool {
    guard isQueued, !isQueueRunning, taskCount == 0 else { return false }
    isQueueRunning = true
    return true
  }

  /// - Returns: Whether the queue has ended, because it has written all exchanges.
  mutating func endQueue() -> Bool {
    guard ended.isEmpty else { return false }
    (isQueued, isQueueRunning) = (false, false)
    return true
  }

  /// Removes the next exchange to write, up to a place.
  mutating func takeNext(upTo place: Int) -> (number: Int, exchange: RecordedExchange)? {
    writtenCount <= place ? ended.removeValue(forKey: writtenCount) : nil
  }

  /// Notes that the exchange that was removed last is written.
  ///
  /// - Parameter isInQueue: Whether the queue has written it.
  /// - Returns: The task that waits for the exchange, and whether the queue has ended.
  mutating func endWriting(isInQueue: Bool) -> (waiter: Waiter?, endsQueue: Bool) {
    defer { writtenCount += 1 }
    // Before the waiting task goes on, so that its next exchange is written at its end again.
    return (waiters.removeValue(forKey: writtenCount), isInQueue && endQueue())
  }

  /// Stores a task that waits for an exchange.
  ///
  /// - Returns: Whether the exchange is written already.
  mutating func wait(for turn: Turn, _ waiter: Waiter) -> Bool {
    guard turn.place >= writtenCount else { return true }
    waiters[turn.place] = waiter
    return false
  }

  /// Ends the recording, and removes all exchanges.
  ///
  /// - Returns: The tasks that wait for them.
  mutating func discard() -> [Waiter] {
    defer { (open, ended, writtenCount, waiters, isRecording) = ([:], [:], endedCount, [:], false) }
    return Array(waiters.values)
  }
}
