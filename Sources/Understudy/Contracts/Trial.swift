public import Foundation

/// One run of a clause against one implementation.
///
/// A clause expects through its trial, so that the same clause works in a test, in a command and in an app. The
/// trial goes on after a violation and collects them all.
public struct Trial<Subject: Sendable>: Sendable {
  /// The implementation's fresh instance.
  public let subject: Subject

  let notes: Locked<TrialNotes>
  private let provisions: [Provision]
  private let implementation: String

  init(of stage: Stage<Subject>, implementation: String, seed: UInt64) {
    subject = stage.subject
    provisions = stage.provisions
    self.implementation = implementation
    // The stage has the seed too, and its ids must not be the trial's.
    notes = Locked(TrialNotes(generator: SeededGenerator(seed: ~seed)))
  }

  /// The next seeded identifier: the same for every implementation that is tried under the same clause and seed.
  public func uuid() -> UUID {
    notes.withLock { notes in
      // The generator writes the canonical form, which `UUID` reads.
      UUID(uuidString: notes.generator.nextUUIDString()) ?? UUID()
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
    let (fixture, end) = try await bringAbout(condition)
    notes.withLock { $0.endings.append(end) }
    return fixture
  }

  /// Asks for a condition that holds while `body` runs.
  ///
  /// Where the implementation cannot bring it about, the clause ends here and is reported as skipped.
  public func during<Fixture: Sendable, Result: Sendable>(
    _ condition: Condition<Fixture>, _ body: (Fixture) async throws -> Result
  ) async throws -> Result {
    let (fixture, end) = try await bringAbout(condition)
    do {
      let result = try await body(fixture)
      await end()
      return result
    } catch {
      await end()
      throw error
    }
  }

  private func bringAbout<Fixture: Sendable>(
    _ condition: Condition<Fixture>
  ) async throws -> (Fixture, @Sendable () async -> Void) {
    switch provisions.first(where: { $0.condition == condition.name })?.means {
    case nil:
      throw TrialEnd.skip("\(implementation) has no way to bring about: \(condition)")
    case .unavailable(let reason):
      throw TrialEnd.skip("\(condition): \(reason)")
    case .bringAbout(let begin):
      let circumstance: Circumstance
      do {
        circumstance = try await begin()
      } catch {
        throw TrialEnd.failedCondition("The condition \"\(condition)\" could not be brought about: \(error)")
      }
      guard let fixture = circumstance.fixture as? Fixture else {
        await circumstance.end()
        throw TrialEnd.failedCondition(
          """
          The condition "\(condition)" asks for a fixture of type \(Fixture.self), and \(implementation) \
          brought one of type \(type(of: circumstance.fixture)). Use the same Condition value in both places.
          """)
      }
      return (fixture, circumstance.end)
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
