/// The state of a ``CallLog``.
final class CallLogCore: Sendable {
  typealias Outcome = CallOutcome

  struct Record: Sendable {
    let call: CallCore
    var outcome: Outcome

    var isUnderWay: Bool { if case .underWay = outcome { true } else { false } }
  }

  private struct Waiter {
    let operation: OperationCore
    /// How many more calls it waits for; a countdown avoids counting all calls again for each new one.
    var missing: Int
    let signal: Signal<Void>
  }

  private struct State {
    var records: KeptRecords
    var waiters: [Waiter] = []
    /// Whether the expectations of the log have been checked.
    var isVerified = false

    /// Counts a call for each waiter, and removes the waiters whose count is reached.
    @inline(never) mutating func signals(dueAfter operation: OperationCore) -> [Signal<Void>] {
      for place in waiters.indices where waiters[place].operation.matches(operation) {
        waiters[place].missing -= 1
      }
      defer { waiters.removeAll { $0.missing <= 0 } }
      return waiters.filter { $0.missing <= 0 }.map(\.signal)
    }
  }

  private let state: Locked<State>
  /// The test that made the log, if the log has expectations.
  private let reporter: (any IssueReporter)?
  private let place: CodePlace?
  /// The unmet expectations; `nil` if all are met.
  private let failure: @Sendable ([Record]) -> String?

  /// - Parameter limit: The maximum number of records; `nil` for all.
  init(
    keepingLast limit: Int? = nil, reporter: (any IssueReporter)? = nil, place: CodePlace? = nil,
    failure: @escaping @Sendable ([Record]) -> String? = { _ in nil }
  ) {
    state = Locked(State(records: KeptRecords(limit: limit)))
    self.reporter = reporter
    self.place = place
    self.failure = failure
  }

  deinit {
    guard let reporter else { return }
    let unverified = state.withLock { $0.isVerified ? nil : $0.records.all }
    if let failure = unverified.flatMap(failure) { reporter.record(failure, at: place) }
  }

  /// The records, and the number of earlier calls whose records were dropped.
  var contents: (records: [Record], droppedCount: Int) {
    state.withLock { ($0.records.all, $0.records.droppedCount) }
  }

  var records: [Record] { contents.records }

  /// The calls to check against the expectations, which are then not checked again.
  func takeForVerification() -> [Record] {
    state.withLock { state in
      state.isVerified = true
      return state.records.all
    }
  }

  func count(of operation: OperationCore) -> Int {
    state.withLock { $0.records.count(of: operation) }
  }

  /// Records a call.
  ///
  /// - Returns: A ticket for `end(_:_:)`.
  func begin(_ call: consuming CallCore) -> Int {
    let record = Record(call: call, outcome: .underWay)
    let (ticket, due) = state.withLock { state in
      let due = state.waiters.isEmpty ? nil : state.signals(dueAfter: record.call.operation)
      return (state.records.append(record), due)
    }
    if let due { Self.send(due) }
    return ticket
  }

  /// Resumes waiters, apart from `begin(_:)`: inlined, it makes the frame of each call several times as large.
  @inline(never) private static func send(_ signals: [Signal<Void>]) {
    for signal in signals { signal.send(()) }
  }

  /// Records the outcome of a call.
  func end(_ ticket: Int, _ outcome: Outcome) {
    state.withLock { $0.records.end(ticket, outcome) }
  }

  func wait(for operation: OperationCore, calls count: Int) async throws {
    let signal = Signal<Void>()
    let isThere = state.withLock { state in
      let missing = count - state.records.count(of: operation)
      if missing > 0 { state.waiters.append(Waiter(operation: operation, missing: missing, signal: signal)) }
      return missing <= 0
    }
    if isThere { return }
    defer { state.withLock { $0.waiters.removeAll { $0.signal === signal } } }
    try await signal.value(waitingFor: "\(Words.count(count, "call")) of \(operation)") {
      [self] in
      let (records, droppedCount) = contents
      let dropped = droppedCount == 0 ? [] : ["\(Words.count(droppedCount, "earlier call")) dropped"]
      let calls = dropped + records.map { "\($0.call)" }
      return
        "\(self.count(of: operation)); all calls: \(calls.isEmpty ? "none" : calls.joined(separator: ", "))"
    }
  }
}
