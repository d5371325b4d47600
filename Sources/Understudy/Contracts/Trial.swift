public import Foundation

/// One run of a clause against one implementation.
///
/// A clause expects through its trial, so that the same clause works in a test, in a command and in an app. The
/// trial goes on after a violation and collects them all.
public struct Trial<Subject: Sendable>: Sendable {
  /// The implementation's fresh instance.
  public let subject: Subject

  let notes: Locked<TrialNotes>
  private let environment: TrialEnvironment
  private let implementation: String

  init(of subject: Subject, in environment: TrialEnvironment, implementation: String) {
    self.subject = subject
    self.environment = environment
    self.implementation = implementation
    // The implementation has the seed too, and its ids must not be the trial's.
    notes = Locked(TrialNotes(generator: SeededGenerator(seed: ~environment.seed)))
  }

  /// The next seeded identifier: the same for every implementation that is tried under the same clause and seed.
  public func uuid() -> UUID {
    notes.withLock { notes in
      let text = notes.generator.nextUUIDString()
      guard let id = UUID(uuidString: text) else {
        preconditionFailure("The seeded generator wrote \(text), which is not a UUID.")
      }
      return id
    }
  }

  /// The next seeded number in a range.
  public func integer(in range: ClosedRange<Int>) -> Int {
    notes.withLock { Int.random(in: range, using: &$0.generator) }
  }

  /// Asks for a condition that holds until the trial ends, and gets what comes with it.
  ///
  /// Where the implementation cannot bring it about, the clause ends here and is reported as skipped.
  public func given<Fixture: Sendable>(_ condition: Condition<Fixture>) async throws -> Fixture {
    let (fixture, end) = try await environment.begin(condition, for: implementation)
    notes.withLock { $0.endings.append(end) }
    return fixture
  }

  /// Asks for a condition that holds while `body` runs.
  ///
  /// Where the implementation cannot bring it about, the clause ends here and is reported as skipped.
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

/// What a trial has seen so far.
struct TrialNotes: Sendable {
  var generator: SeededGenerator
  var expectations = 0
  var violations: [Violation] = []
  /// Ends the conditions that were given, to be run last first.
  var endings: [@Sendable () async -> Void] = []
}

/// Why a trial ends before its clause does.
enum TrialEnd: Error {
  case skip(String)
  case failedCondition(String)
  /// A requirement was not met; the violation is noted already.
  case requirement
}
