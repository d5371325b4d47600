public import Foundation

/// One run of a clause for one implementation.
///
/// A clause records its expectations through the trial, so that the same clause runs in a test, in a command and in an
/// app. The trial continues after a violation and collects them all.
public struct Trial<Subject: Sendable>: Sendable {
  /// The fresh instance of the implementation.
  public let subject: Subject

  let notes: Locked<TrialNotes>
  private let environment: TrialEnvironment
  private let implementation: String

  init(of subject: Subject, in environment: TrialEnvironment, implementation: String) {
    self.subject = subject
    self.environment = environment
    self.implementation = implementation
    // The implementation uses the seed too, and its ids must differ from those of the trial.
    notes = Locked(TrialNotes(generator: SeededGenerator(seed: ~environment.seed)))
  }

  /// Returns the next seeded identifier, the same for every implementation under the same clause and seed.
  public func uuid() -> UUID {
    notes.withLock { notes in
      let text = notes.generator.nextUUIDString()
      guard let id = UUID(uuidString: text) else {
        preconditionFailure("The seeded generator wrote \(text), which is not a UUID.")
      }
      return id
    }
  }

  /// Returns the next seeded number in a range.
  public func integer(in range: ClosedRange<Int>) -> Int {
    notes.withLock { Int.random(in: range, using: &$0.generator) }
  }

  /// Requests a condition that holds until the trial ends, and returns its fixture.
  ///
  /// If the implementation does not support the condition, the clause ends here and is reported as skipped.
  public func given<Fixture: Sendable>(_ condition: Condition<Fixture>) async throws -> Fixture {
    let (fixture, end) = try await begin(condition)
    notes.withLock { $0.endings.append(end) }
    return fixture
  }

  /// Sets up a condition, and notes if the clause must end because that is not possible.
  private func begin<Fixture: Sendable>(
    _ condition: Condition<Fixture>
  ) async throws -> (Fixture, @Sendable () async -> Void) {
    do {
      return try await environment.begin(condition, for: implementation)
    } catch let end as TrialEnd {
      notes.withLock { $0.unavailable = $0.unavailable ?? end }
      throw end
    }
  }

  /// Requests a condition that holds while `body` runs.
  ///
  /// If the implementation does not support the condition, the clause ends here and is reported as skipped.
  public func during<Fixture: Sendable, Result: Sendable>(
    _ condition: Condition<Fixture>, _ body: (Fixture) async throws -> Result
  ) async throws -> Result {
    let (fixture, end) = try await begin(condition)
    do {
      let result = try await body(fixture)
      await end()
      return result
    } catch {
      await end()
      throw error
    }
  }
}

/// The state of a trial.
struct TrialNotes: Sendable {
  var generator: SeededGenerator
  var expectations = 0
  var violations: [Violation] = []
  /// Ends the conditions that were set up; run in reverse order.
  var endings: [@Sendable () async -> Void] = []
  /// Why the first condition that was not set up must end the clause.
  var unavailable: TrialEnd?
  /// Whether the clause has passed, so that a later expectation would change its result.
  var hasPassed = false
}

/// The reason why a trial ends before its clause does.
enum TrialEnd: Error {
  case skip(String)
  case failedCondition(String)
  /// A requirement was not met; its violation is already recorded.
  case requirement

  /// The reason in words.
  var reason: String {
    switch self {
    case .skip(let reason), .failedCondition(let reason): reason
    case .requirement: "a requirement was not met"
    }
  }
}

extension Trial {
  /// Records a violation with this message unless the condition holds.
  public func expect(
    _ condition: Bool, _ message: @autoclosure () -> String, fileID: String = #fileID, line: Int = #line
  ) {
    note(condition ? nil : message(), fileID, line)
  }

  /// Records a violation unless the values are equal.
  ///
  /// - Parameters:
  ///   - actual: The value that was found.
  ///   - expected: The value to find.
  ///   - what: The name of the value in the message, such as `the children after the delete`.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  public func expect<Value: Equatable>(
    _ actual: Value, equals expected: Value, _ what: @autoclosure () -> String = "the value",
    fileID: String = #fileID, line: Int = #line
  ) {
    if actual == expected { return note(nil, fileID, line) }
    let values = Alike(expected, actual)
    note("Expected \(what()) to be \(values.expected), found \(values.found).\(values.advice)", fileID, line)
  }

  /// Records a violation unless the operation throws an error equal to this one.
  public func expect<Failure: Error & Equatable, Value>(
    throws expected: Failure, fileID: String = #fileID, line: Int = #line,
    from operation: () async throws -> Value
  ) async {
    do {
      let value = try await operation()
      note("Expected the call to throw \(expected), but it returned \(value).", fileID, line)
    } catch {
      if (error as? Failure) == expected { return note(nil, fileID, line) }
      let errors = Alike(expected, error)
      note(
        "Expected the call to throw \(errors.expected), but it threw \(errors.found).\(errors.advice)",
        fileID,
        line)
    }
  }

  /// Records a violation unless the operation throws an error that satisfies a predicate.
  ///
  /// - Parameters:
  ///   - expectation: The expectation, to follow "Expected", such as `to be refused as a duplicate`.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - operation: The call.
  ///   - matches: Whether the error is the expected one.
  public func expect<Value>(
    _ expectation: String, fileID: String = #fileID, line: Int = #line,
    from operation: () async throws -> Value, throwing matches: (any Error) -> Bool
  ) async {
    do {
      let value = try await operation()
      note("Expected the call \(expectation), but it returned \(value).", fileID, line)
    } catch {
      note(matches(error) ? nil : "Expected the call \(expectation), but it threw \(error).", fileID, line)
    }
  }

  /// Returns the value, or ends the clause with a violation if it is `nil`.
  public func require<Value>(
    _ value: Value?, _ message: @autoclosure () -> String, fileID: String = #fileID, line: Int = #line
  ) throws -> Value {
    note(value == nil ? message() : nil, fileID, line)
    guard let value else { throw TrialEnd.requirement }
    return value
  }

  /// Returns the result of an operation, or ends the clause with a violation if it throws.
  ///
  /// Use this for a call whose success the clause requires. For any other call use `try`: its error is reported as
  /// unexpected.
  ///
  /// - Parameters:
  ///   - expectation: The expectation, to follow "Expected the call", such as `to be a success`.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - operation: The call.
  public func require<Value>(
    _ expectation: String, fileID: String = #fileID, line: Int = #line,
    from operation: () async throws -> Value
  ) async throws -> Value {
    do {
      let value = try await operation()
      note(nil, fileID, line)
      return value
    } catch let end as TrialEnd {
      throw end
    } catch {
      note("Expected the call \(expectation), but it threw \(error).", fileID, line)
      throw TrialEnd.requirement
    }
  }

  /// Runs what follows the clause.
  func afterClause(_ end: @escaping @Sendable () async throws -> Void) async throws {
    try await environment.afterClause(end)
  }

  private func note(_ message: String?, _ fileID: String, _ line: Int) {
    let isLate = notes.withLock { notes in
      notes.expectations += 1
      if let message {
        notes.violations.append(Violation(message, fileID: fileID, line: line))
      }
      return notes.hasPassed
    }
    if isLate { TestIssue.noteLateExpectation(of: "clause", fileID, line) }
    if message != nil { environment.noteViolation() }
  }
}
