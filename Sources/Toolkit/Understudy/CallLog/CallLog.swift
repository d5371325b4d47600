import UnderstudyText

/// A log of every call that reached an ``Intercepted``, in the order of the calls.
///
/// A call is logged when it is made, whether it then fails, is held or is cancelled.
public final class CallLog<Base: Sendable>: Sendable, CustomStringConvertible {
  /// One call and its outcome.
  package struct Record: Sendable, CustomStringConvertible {
    /// The operation and its arguments.
    package let call: Intercepted<Base>.Call
    /// The outcome at the time the record was read.
    package let outcome: CallOutcome

    fileprivate init(_ record: CallLogCore.Record) {
      call = Intercepted.Call(core: record.call)
      outcome = record.outcome
    }

    /// The call and its outcome.
    package var description: String {
      switch outcome {
      case .underWay: "\(call) is under way"
      case .returned: "\(call) returned"
      case .failed(let error): "\(call) threw \(error)"
      }
    }
  }

  let core: CallLogCore

  /// Creates an empty log.
  ///
  /// - Parameters:
  ///   - expectations: What ``verify()`` checks; see ``Expectation``. In a test that links `UnderstudyTesting` they are
  ///     also checked when the log and the doubles with it have been released, if calls were made since, and a failure
  ///     is an issue of the test that made the log.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public init(
    expecting expectations: Expectation...,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let place = CodePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    for expectation in expectations {
      guard let mistake = expectation.mistake else { continue }
      TestIssue.currentReporter?.record(
        "An expectation checks nothing: \(expectation). \(mistake)", at: place)
    }
    core =
      expectations.isEmpty
      ? CallLogCore()
      : CallLogCore(expectationsAt: place) { Self.finding(about: expectations, $0) }
  }

  /// Creates an empty log that keeps only the last calls, with an upper limit of its memory.
  ///
  /// For a server that runs for long: each request needs some hundred bytes. The log has no expectations, which would
  /// need all calls. ``count(of:)`` and ``wait(for:calls:)`` include the dropped calls, of the first 1,000 different
  /// operations and for `.any`.
  ///
  /// - Parameter count: The maximum number of calls to keep, at least one.
  package init(keepingLast count: Int) {
    core = CallLogCore(keepingLast: count)
  }

  /// The unmet expectations with all calls that were made; `nil` if all are met.
  package var failure: String? { core.verify() }

  private static func finding(
    about expectations: [Expectation], _ records: [CallLogCore.Record]
  ) -> CallLogCore.Finding? {
    let calls = records.map(\.call)
    let operations = calls.map(\.operation)
    var failures = expectations.compactMap { $0.failure(about: calls) }
    for call in calls where !expectations.contains(where: { $0.allows(call) }) {
      failures.append("no call of \(call.operation), but found \(call)")
    }
    guard !failures.isEmpty else {
      let slips = expectations.compactMap { $0.slip(among: operations, besides: expectations) }
      return slips.isEmpty ? nil : CallLogCore.Finding(slips.joined(separator: "\n"), isWarning: true)
    }
    return CallLogCore.Finding(
      """
      Expected:
      \(failures.map { "  - \($0)" }.joined(separator: "\n"))
      Calls:
      \(description(of: records))
      Check the code that makes the calls, or change the expectations, for instance with `.othersAllowed`.
      """)
  }

  /// Checks the calls against the expectations.
  ///
  /// - Throws: ``UnderstudyError`` with `.unmetExpectations`, which lists every unmet expectation, or says that no
  ///   double has the log.
  public func verify() throws(UnderstudyError) {
    if let failure { throw UnderstudyError(.unmetExpectations, failure, at: core.place) }
  }

  /// Every kept call with its outcome.
  package var records: [Record] {
    core.records.map(Record.init)
  }

  /// The number of calls before ``records`` that were dropped; zero unless the log keeps only the last calls.
  package var droppedCount: Int { core.contents.droppedCount }

  /// Every call.
  public var calls: [Intercepted<Base>.Call] { records.map(\.call) }

  /// The operation of every kept call.
  package var operations: [Intercepted<Base>.Operation] { records.map(\.call.operation) }

  /// The number of calls of an operation, or of a pattern of operations.
  ///
  /// In a test, the name of no call that looks like a misspelled name of another call is a warning.
  public func count(of operation: Intercepted<Base>.Operation) -> Int {
    reportMistake(in: operation)
    if let mistake = operation.core.mistake(among: core.records.map(\.call)) {
      TestIssue.currentReporter?.record("No call can match \(operation). \(mistake).", at: nil)
    }
    let count = core.count(of: operation.core)
    if count == 0 { core.warnOfSlip(in: operation.core) }
    return count
  }

  /// Records an issue for an operation that no call has, whatever is called.
  private func reportMistake(in operation: Intercepted<Base>.Operation) {
    guard let mistake = operation.core.mistake else { return }
    TestIssue.currentReporter?.record("No call can match \(operation). \(mistake)", at: nil)
  }

  /// The arguments of each call of an operation.
  ///
  /// - Parameters:
  ///   - operation: The operation, or a pattern of them.
  ///   - type: The type of the only argument, or the types of all as a tuple without labels.
  /// - Throws: ``UnderstudyError`` with `.otherArguments` if a call has other arguments.
  public func arguments<Arguments>(
    of operation: Intercepted<Base>.Operation, as type: Arguments.Type
  ) throws(UnderstudyError) -> [Arguments] {
    reportMistake(in: operation)
    var all: [Arguments] = []
    for call in calls where operation.core.matches(call.core) {
      guard let arguments = call.arguments(as: type) else {
        throw UnderstudyError(
          .otherArguments,
          """
          The arguments of \(call) are not of type \(type). Ask for \
          \(Swift.type(of: call.core.arguments as Any)).self.
          """, at: core.place)
      }
      all.append(arguments)
    }
    return all
  }

  /// Waits until an operation has been called a number of times in total; returns at once if it already has been.
  ///
  /// The calls have been made by then, but may not have returned.
  ///
  /// - Throws: `CancellationError` when the task is cancelled; ``UnderstudyError`` with `.stalled` when no task of the
  ///   process has run for 30 s.
  public func wait(for operation: Intercepted<Base>.Operation, calls count: Int = 1) async throws {
    try await core.wait(for: operation.core, calls: count)
  }

  /// One line for each call.
  public var description: String {
    let (records, droppedCount) = core.contents
    return Self.description(of: records, after: droppedCount)
  }

  private static func description(of records: [CallLogCore.Record], after droppedCount: Int = 0) -> String {
    let dropped =
      droppedCount == 0
      ? []
      : ["\(Words.grouped(droppedCount)) earlier \(droppedCount == 1 ? "call was" : "calls were") dropped."]
    let lines =
      dropped + records.enumerated().map { "\(droppedCount + $0.offset + 1). \(Record($0.element))" }
    return lines.isEmpty ? "No calls." : lines.joined(separator: "\n")
  }
}

/// The outcome of a call.
package enum CallOutcome: Sendable {
  /// The call has not returned yet.
  case underWay
  /// The call returned.
  case returned
  /// The call threw an error.
  case failed(any Error)
}
