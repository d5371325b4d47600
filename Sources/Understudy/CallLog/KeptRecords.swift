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
    droppedCalls.reduce(0) { $0 + (operation.matches($1.key) ? $1.value : 0) }
      + records.all.count { operation.matches($0.call.operation) }
  }

  /// The records, in the order of the calls.
  var all: [Record] {
    let all = records.all
    let oldest = droppedCount % limit
    return oldest == 0 ? all : Array(all[oldest...] + all[..<oldest])
  }
}
