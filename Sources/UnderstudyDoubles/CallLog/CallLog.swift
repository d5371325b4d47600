import UnderstudyPrimitives

/// Every call that reached an ``Intercepted``, in the order in which they were made: a spy.
///
/// A call is in the log from the moment at which it is made, whether or not it then fails, is held or is cancelled.
public final class CallLog<Base: Sendable>: Sendable, CustomStringConvertible {
  /// How a call went.
  public enum Outcome: Sendable {
    /// It has not come back yet.
    case underWay
    /// It returned.
    case returned
    /// It threw.
    case failed(any Error)
  }

  /// One call, and how it went.
  public struct Record: Sendable, CustomStringConvertible {
    /// What was called, and with what.
    public let call: Intercepted<Base>.Call
    /// How it went, when the record was read.
    public fileprivate(set) var outcome: Outcome

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

  private struct Waiter {
    let operation: Intercepted<Base>.Operation
    let count: Int
    let signal: Signal<Void>
  }

  private struct State {
    var records: [Record] = []
    var waiters: [Waiter] = []
  }

  private let state = Locked(State())

  /// An empty log.
  public init() {}

  /// Every call and how it went.
  public var records: [Record] { state.withLock { $0.records } }

  /// Every call.
  public var calls: [Intercepted<Base>.Call] { records.map(\.call) }

  /// What was called.
  public var operations: [Intercepted<Base>.Operation] { records.map(\.call.operation) }

  /// How many calls there were of an operation, or of a pattern of them.
  public func count(of operation: Intercepted<Base>.Operation) -> Int {
    state.withLock { Self.count(of: operation, in: $0.records) }
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
            \(Swift.type(of: call.packedArguments as Any)).self.
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
    let signal = Signal<Void>()
    let isThere = state.withLock { state in
      let isThere = Self.count(of: operation, in: state.records) >= count
      if !isThere { state.waiters.append(Waiter(operation: operation, count: count, signal: signal)) }
      return isThere
    }
    if isThere { return }
    defer { state.withLock { $0.waiters.removeAll { $0.signal === signal } } }
    try await signal.value()
  }

  /// One line for each call.
  public var description: String {
    let lines = records.enumerated().map { "\($0.offset + 1). \($0.element)" }
    return lines.isEmpty ? "No calls." : lines.joined(separator: "\n")
  }

  private static func count(of operation: Intercepted<Base>.Operation, in records: [Record]) -> Int {
    records.count { operation.matches($0.call.operation) }
  }

  // MARK: - For interceptors

  /// Writes a call down.
  ///
  /// - Returns: What ``end(_:_:)`` finds it by.
  func begin(_ call: Intercepted<Base>.Call) -> Int {
    let (ticket, signals) = state.withLock { state -> (Int, [Signal<Void>]) in
      state.records.append(Record(call: call, outcome: .underWay))
      let ticket = state.records.count - 1
      if state.waiters.isEmpty { return (ticket, []) }
      let due = state.waiters.filter { Self.count(of: $0.operation, in: state.records) >= $0.count }
      return (ticket, due.map(\.signal))
    }
    for signal in signals { signal.send(()) }
    return ticket
  }

  /// Writes down how it went.
  func end(_ ticket: Int, _ outcome: Outcome) {
    state.withLock { $0.records[ticket].outcome = outcome }
  }
}
