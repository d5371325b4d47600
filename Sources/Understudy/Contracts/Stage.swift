/// All that an implementation sets up for one trial: the subject, and the conditions it can bring about.
public struct Stage<Subject: Sendable>: Sendable {
  var subject: Subject
  let provisions: [Provision]
  let seed: UInt64?
  let tearDown: @Sendable (Outcome) async throws -> Void

  /// A stage.
  ///
  /// - Parameters:
  ///   - subject: A fresh instance that shares no state with another trial's.
  ///   - provisions: How it brings conditions about. One that is not here is skipped as not possible.
  ///   - seed: What the trial's ids come from, where the stage knows better than the trial, as a recording does.
  ///   - tearDown: Runs when the trial is over, and is told how it ended. What it throws fails the trial.
  public init(
    _ subject: Subject, provisions: [Provision] = [], seed: UInt64? = nil,
    tearDown: @escaping @Sendable (Outcome) async throws -> Void = { _ in }
  ) {
    self.subject = subject
    self.provisions = provisions
    self.seed = seed
    self.tearDown = tearDown
  }
}

/// How an implementation brings one condition about, or why it cannot.
public struct Provision: Sendable {
  enum Means: Sendable {
    case bringAbout(@Sendable () async throws -> Circumstance)
    case unavailable(String)
  }

  package let condition: String
  let means: Means

  private init<Fixture>(_ condition: Condition<Fixture>, _ means: Means) {
    self.condition = condition.name
    self.means = means
  }

  /// Brings the condition about and gives the fixture that comes with it.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - end: Puts things back, for a condition that a clause wants for a while only.
  ///   - begin: Makes the condition hold.
  public static func bringing<Fixture: Sendable>(
    about condition: Condition<Fixture>,
    endingWith end: @escaping @Sendable () async -> Void = {},
    by begin: @escaping @Sendable () async throws -> Fixture
  ) -> Provision {
    Provision(condition, .bringAbout { Circumstance(fixture: try await begin(), end: end) })
  }

  /// Says why this implementation cannot bring the condition about; clauses that ask for it are skipped.
  ///
  /// - Parameter reason: What stands in the report, such as `a recording cannot refuse what it did not record`.
  public static func unavailable<Fixture: Sendable>(
    _ condition: Condition<Fixture>, because reason: String
  ) -> Provision {
    Provision(condition, .unavailable(reason))
  }
}

extension Provision {
  /// The same, and hands on each fixture of a condition when it has been brought about.
  package func handingOn<Fixture: Sendable>(
    _ condition: Condition<Fixture>, to receive: @escaping @Sendable (Fixture) -> Void
  ) -> Provision {
    guard condition.name == self.condition, case .bringAbout(let begin) = means else { return self }
    return Provision(
      condition,
      .bringAbout {
        let circumstance = try await begin()
        if let fixture = circumstance.fixture as? Fixture { receive(fixture) }
        return circumstance
      })
  }
}

/// A condition that holds, until it is ended.
struct Circumstance: Sendable {
  let fixture: any Sendable
  let end: @Sendable () async -> Void
}
