/// Every call that reached an ``Intercepted``, in the order in which they were made: a spy.
///
/// A call is in the log from the moment at which it is made, whether or not it then fails, is held or is cancelled.
public final class CallLog<Base: Sendable>: Sendable, CustomStringConvertible {
  /// One call, and how it went.
  public struct Record: Sendable, CustomStringConvertible {
    /// What was called, and with what.
    public let call: Intercepted<Base>.Call
    /// How it went, when the record was read.
    public let outcome: CallOutcome

    /// The call, and how it went.
    public var description: String {
      switch outcome {
      case .underWay: "\(call) is under way"
      case .returned: "\(call) returned"
      case .failed(let error): "\(call) threw \(error)"
      }
    }
  }

  /// The arguments of a call do not have the types that were asked for.
  public struct ArgumentMismatch: Error, Sendable, CustomStringConvertible {
    /// What was asked for, what was there, and what to write instead.
    public let description: String
  }

  let core = CallLogCore()
  private let expectations: [Expectation]

  /// An empty log.
  ///
  /// - Parameter expectations: What ``verify()`` is to find in the end; see ``Expectation``.
  public init(expecting expectations: Expectation...) {
    self.expectations = expectations
  }

  /// What is not as expected, with all calls that were made; `nil` if all is as expected.
  public var complaint: String? {
    guard !expectations.isEmpty else { return nil }
    let records = core.records
    let sites = records.map(\.call.site)
    var complaints = expectations.compactMap { $0.complaint(about: sites) }
    for (site, record) in zip(sites, records) where !expectations.contains(where: { $0.allows(site) }) {
      complaints.append("no call of \(site), but there was \(record.call)")
    }
    guard !complaints.isEmpty else { return nil }
    return """
      Expected:
      \(complaints.map { "  - \($0)" }.joined(separator: "\n"))
      Calls:
      \(description)
      Check what makes the calls; or change what is expected, for instance with `.othersAllowed`.
      """
  }

  /// Checks the calls against what was expected.
  ///
  /// - Throws: ``UnmetExpectations``, which says all that is not as expected.
  public func verify() throws(UnmetExpectations) {
    if let complaint { throw UnmetExpectations(description: complaint) }
  }

  /// Every call and how it went.
  public var records: [Record] {
    core.records.map { Record(call: Intercepted.Call(core: $0.call), outcome: $0.outcome) }
  }

  /// Every call.
  public var calls: [Intercepted<Base>.Call] { records.map(\.call) }

  /// What was called.
  public var operations: [Intercepted<Base>.Operation] { records.map(\.call.operation) }

  /// How many calls there were of an operation, or of a pattern of them.
  public func count(of operation: Intercepted<Base>.Operation) -> Int {
    core.count(of: operation.site)
  }

  /// The arguments of each call of an operation.
  ///
  /// - Parameters:
  ///   - operation: The operation, or a pattern of them.
  ///   - type: The type of the only argument, or the types of all as a tuple without labels.
  /// - Throws: ``ArgumentMismatch`` if a call has other arguments.
  public func arguments<Arguments>(
    of operation: Intercepted<Base>.Operation, as type: Arguments.Type
  ) throws(ArgumentMismatch) -> [Arguments] {
    var all: [Arguments] = []
    for call in calls where operation.matches(call.operation) {
      guard let arguments = call.arguments(as: type) else {
        throw ArgumentMismatch(
          description: """
            The arguments of \(call) are not of type \(type). Ask for \
            \(Swift.type(of: call.core.arguments as Any)).self.
            """)
      }
      all.append(arguments)
    }
    return all
  }

  /// Waits until an operation has been called so many times in all; returns at once if it has been.
  ///
  /// The calls have been made then, and need not have come back.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func wait(for operation: Intercepted<Base>.Operation, calls count: Int = 1) async throws {
    try await core.wait(for: operation.site, calls: count)
  }

  /// One line for each call.
  public var description: String {
    let lines = records.enumerated().map { "\($0.offset + 1). \($0.element)" }
    return lines.isEmpty ? "No calls." : lines.joined(separator: "\n")
  }
}

/// How a call went.
public enum CallOutcome: Sendable {
  /// It has not come back yet.
  case underWay
  /// It returned.
  case returned
  /// It threw.
  case failed(any Error)
}
