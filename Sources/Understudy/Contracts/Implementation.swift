/// One way to implement a service, as a contract tries it.
///
/// ```swift
/// extension Implementation where Subject == any TodoService {
///   static var inMemory: Self {
///     Implementation("in-memory") { _ in Stage(InMemoryTodoService()) }
///   }
/// }
/// ```
public struct Implementation<Subject: Sendable>: Sendable {
  /// The name in reports and on the command line, without spaces, such as `in-memory`.
  public let name: String

  let prepare: @Sendable (TrialContext) async throws -> Stage<Subject>

  /// An implementation.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - prepare: Sets up a fresh stage for one trial; whatever is random in it comes from the trial's seed.
  public init(
    _ name: String, prepare: @escaping @Sendable (_ trial: TrialContext) async throws -> Stage<Subject>
  ) {
    self.name = name
    self.prepare = prepare
  }

  /// The same stage with something around the subject: a decorator, or a deliberately wrong implementation.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - wrap: Gives the subject that is tried in place of this one's.
  public func wrapping(
    as name: String, _ wrap: @escaping @Sendable (Subject) -> Subject
  ) -> Implementation {
    Implementation(name) { [prepare] trial in
      var stage = try await prepare(trial)
      stage.subject = wrap(stage.subject)
      return stage
    }
  }
}

/// Which trial a stage is set up for.
public struct TrialContext: Sendable, Hashable {
  /// The name of the contract.
  public let contract: String
  /// The identifier of the clause.
  public let clause: String
  /// What everything random in the trial comes from; another one for each clause.
  public let seed: UInt64
}
