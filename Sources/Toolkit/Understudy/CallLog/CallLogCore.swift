import UnderstudyText

/// The state of a ``CallLog``.
final class CallLogCore: Sendable {
  typealias Outcome = CallOutcome

  struct Record: Sendable {
    let call: CallCore
    var outcome: Outcome

    var isUnderWay: Bool { if case .underWay = outcome { true } else { false } }
  }

  /// What a check of the expectations finds.
  struct Finding: Sendable {
    let text: String
    /// Whether the expectations are met, but one of them seems to have a misspelled name.
    let isWarning: Bool

    init(_ text: String, isWarning: Bool = false) {
      (self.text, self.isWarning) = (text, isWarning)
    }
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
    /// The number of calls when the expectations were last checked; `nil` if they have not been.
    var verifiedCount: Int?
    /// Whether a double has the log.
    var isAttached = false
    /// The warnings that were recorded.
    var warnings: Set<String> = []

    /// Counts a call for each waiter, and removes the waiters whose count is reached.
    @inline(never) mutating func signals(dueAfter call: CallCore) -> [Signal<Void>] {
      for place in waiters.indices where waiters[place].operation.matches(call) {
        waiters[place].missing -= 1
      }
      defer { waiters.removeAll { $0.missing <= 0 } }
      return waiters.filter { $0.missing <= 0 }.map(\.signal)
    }
  }

  private let state: Locked<State>
  /// The check of the expectations, and where the log is made; `nil` without expectations.
  private let expectations: (finding: @Sendable ([Record]) -> Finding?, place: CodePlace)?
  /// The check of the expectations at the end of the test.
  private let report: ReleaseReport?

  /// Creates an empty log without expectations.
  ///
  /// - Parameter limit: The maximum number of records; `nil` for all.
  init(keepingLast limit: Int? = nil) {
    state = Locked(State(records: KeptRecords(limit: limit)))
    (expectations, report) = (nil, nil)
  }

  /// Creates an empty log with expectations.
  ///
  /// - Parameters:
  ///   - place: Where the log is made.
  ///   - finding: The unmet expectations; `nil` if all are met.
  init(expectationsAt place: CodePlace, finding: @escaping @Sendable ([Record]) -> Finding?) {
    let state = Locked(State(records: KeptRecords(limit: nil)))
    self.state = state
    expectations = (finding, place)
    report =
      TestIssue.isSuspended
      ? Self.reportOfUnchecked(state, at: place)
      : ReleaseReport {
        let (unchecked, isAttached) = state.withLock { state in
          let all = state.records.all
          return (state.verifiedCount == all.count ? nil : all, state.isAttached)
        }
        guard let unchecked else { return [] }
        let found = isAttached ? finding(unchecked) : Finding(Self.unattached)
        return found.map { [ReleaseReport.Issue($0.text, at: place, isWarning: $0.isWarning)] } ?? []
      }
  }

  private static let unattached = """
    No double has this log, so its expectations check nothing. Pass it to a double: \
    Intercepted(service, by: .log(log)).
    """

  /// The places of logs in a trial, a program or a run that were verified once, or have an issue.
  private static let settledPlaces = Locked<Set<CodePlace>>([])

  /// The report about a log of a trial, a program or a run, where only `CallLog.verify()` checks expectations.
  private static func reportOfUnchecked(_ state: Locked<State>, at place: CodePlace) -> ReleaseReport? {
    guard let reporter = TestIssue.currentReporter else { return nil }
    return ReleaseReport(to: reporter) {
      guard state.withLock({ $0.verifiedCount == nil }),
        settledPlaces.withLock({ $0.insert(place).inserted })
      else { return [] }
      return [
        ReleaseReport.Issue(
          """
          The expectations of a log are not checked in a scenario, a clause or an exploration, where faults change \
          the calls. Call verify() where they must be met, or remove them.
          """, at: place)
      ]
    }
  }

  /// Where the log is made; `nil` without expectations.
  var place: CodePlace? { expectations?.place }

  /// Notes that a double has the log.
  func noteAttachment() { state.withLock { $0.isAttached = true } }

  /// The records, and the number of earlier calls whose records were dropped.
  var contents: (records: [Record], droppedCount: Int) {
    state.withLock { ($0.records.all, $0.records.droppedCount) }
  }

  var records: [Record] { contents.records }

  /// The unmet expectations, which are then checked again only if further calls are made; `nil` if all are met.
  func verify() -> String? {
    let (calls, isAttached) = state.withLock { state in
      let all = state.records.all
      state.verifiedCount = all.count
      return (all, state.isAttached)
    }
    guard let expectations else { return nil }
    // Where a fault changes the calls, it is right not to verify them.
    if TestIssue.isSuspended { Self.settledPlaces.withLock { _ = $0.insert(expectations.place) } }
    guard isAttached else { return Self.unattached }
    guard let finding = expectations.finding(calls) else { return nil }
    if finding.isWarning { warn(finding.text) }
    return finding.isWarning ? nil : finding.text
  }

  /// Records a warning of the current test, once for this log.
  private func warn(_ text: String) {
    if state.withLock({ $0.warnings.insert(text).inserted }) { TestIssue.warn(text, at: place) }
  }

  /// Records a warning for the name of no call that seems to be a misspelled name of another call.
  @inline(never) func warnOfSlip(in operation: OperationCore) {
    let calls = state.withLock { $0.records.all }.map(\.call.operation)
    if let slip = operation.slip(among: calls) { warn("No call of \(operation) was made, and \(slip)") }
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
      let due = state.waiters.isEmpty ? nil : state.signals(dueAfter: record.call)
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
    try await signal.value(waitingFor: "\(Words.count(count, "call")) of \(operation)", at: place) {
      [self] in
      let (records, droppedCount) = contents
      let dropped = droppedCount == 0 ? [] : ["\(Words.count(droppedCount, "earlier call")) dropped"]
      let calls = dropped + records.map { "\($0.call)" }
      return
        "\(self.count(of: operation)); all calls: \(calls.isEmpty ? "none" : calls.joined(separator: ", "))"
    }
  }
}

/// The records of a log: of every call, or of the last calls, with the counts of the earlier ones.
struct KeptRecords: Sendable {
  typealias Record = CallLogCore.Record

  /// The maximum number of counted operations, because a client may request any path.
  private static let operationLimit = 1_000

  /// The maximum number of records.
  private let limit: Int
  /// The record of a call is at its number modulo the limit.
  private var records = GrowingList<Record>()
  /// The number of calls whose records were dropped.
  private(set) var droppedCount = 0
  /// The dropped calls by operation; those of further operations are counted as `.any`, which only `.any` matches.
  private var droppedCalls: [OperationCore: Int] = [:]

  /// - Parameter limit: The maximum number of records, at least one; `nil` for all.
  init(limit: Int?) {
    self.limit = max(1, limit ?? .max)
  }

  /// Adds a record, in place of the oldest one if there are as many as the limit.
  ///
  /// - Returns: The number of the call.
  mutating func append(_ record: Record) -> Int {
    let number = droppedCount + records.count
    if records.count < limit {
      records.append(record)
    } else {
      drop(records[place(of: number)])
      records.update(place(of: number)) { $0 = record }
    }
    return number
  }

  private mutating func drop(_ record: Record) {
    droppedCount += 1
    let operation = record.call.operation
    let isCounted = droppedCalls.count < Self.operationLimit || droppedCalls[operation] != nil
    droppedCalls[isCounted ? operation : .any, default: 0] += 1
  }

  /// Sets the outcome of a call, unless its record was dropped.
  @inline(__always) mutating func end(_ number: Int, _ outcome: CallOutcome) {
    if number >= droppedCount { records.update(place(of: number)) { $0.outcome = outcome } }
  }

  /// The place of the record of a call; a division for each would take longer than the rest.
  private func place(of number: Int) -> Int { number < limit ? number : number % limit }

  /// The number of calls of an operation, including dropped ones.
  func count(of operation: OperationCore) -> Int {
    // The arguments of dropped calls are not known.
    droppedCalls.reduce(0) { $0 + (operation.selection == nil && operation.matches($1.key) ? $1.value : 0) }
      + records.all.count { operation.matches($0.call) }
  }

  /// The records, in the order of the calls.
  var all: [Record] {
    let all = records.all
    let oldest = droppedCount % limit
    return oldest == 0 ? all : Array(all[oldest...] + all[..<oldest])
  }
}

/// An append-only list, stored in blocks of one size.
///
/// An array moves all of its elements when it grows. With a million requests in a log, each reallocation blocked a
/// server for tens of milliseconds and used twice the memory.
struct GrowingList<Element: Sendable>: Sendable {
  private static var blockSize: Int { 1_024 }

  private var full: [[Element]] = []
  /// The block that new elements are appended to.
  private var last: [Element] = []

  var count: Int { full.count * Self.blockSize + last.count }

  mutating func append(_ element: Element) {
    if last.count == Self.blockSize {
      full.append(last)
      last = []
      last.reserveCapacity(Self.blockSize)
    }
    last.append(element)
  }

  /// The element at an index, which must exist.
  subscript(index: Int) -> Element {
    let (block, place) = index.quotientAndRemainder(dividingBy: Self.blockSize)
    return block < full.count ? full[block][place] : last[place]
  }

  /// Changes the element at an index, which must exist.
  @inline(__always) mutating func update(_ index: Int, _ change: (inout Element) -> Void) {
    let (block, place) = index.quotientAndRemainder(dividingBy: Self.blockSize)
    if block < full.count { change(&full[block][place]) } else { change(&last[place]) }
  }

  /// Every element, in order.
  var all: [Element] { full.flatMap { $0 } + last }
}
