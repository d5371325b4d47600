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
    let (fixture, end) = try await environment.begin(condition, for: implementation)
    notes.withLock { $0.endings.append(end) }
    return fixture
  }

  /// Requests a condition that holds while `body` runs.
  ///
  /// If the implementation does not support the condition, the clause ends here and is reported as skipped.
  public func during<Fixture: Sendable, Result: Sendable>(
    _ condition: Condition<Fixture>, _ body: (Fixture) async throws -> Result
  ) async throws -> Result {
    let (fixture, end) = try await environment.begin(condition, for: implementation)
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
}

/// The reason why a trial ends before its clause does.
enum TrialEnd: Error {
  case skip(String)
  case failedCondition(String)
  /// A requirement was not met; its violation is already recorded.
  case requirement
}
