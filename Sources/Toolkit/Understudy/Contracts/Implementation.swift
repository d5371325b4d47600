/// A named factory of an implementation under test, called for each trial.
///
/// An adopter declares implementations in an extension, so that tests and commands use the same names:
///
/// ```swift
/// extension Implementation where Subject == any TodoService {
///   static var inMemory: Self { .double("in-memory", InMemoryTodoService()) { $0 } }
///   static var live: Self { .live(over: TodoBackend()) { LiveTodoService(transport: $0, time: $1.time) } }
/// }
/// ```
public struct Implementation<Subject: Sendable>: Sendable {
  /// The name in reports and on the command line, without spaces, such as `in-memory`.
  ///
  /// Failures print Swift code with the static member that the name stands for: `in-memory` is `.inMemory`.
  public let name: String

  /// Creates the subject.
  ///
  /// The second argument receives the environment that is used in place of the given one, also if the subject then
  /// cannot be created.
  let prepare:
    @Sendable (TrialEnvironment, _ note: @Sendable (TrialEnvironment) -> Void) async throws -> (
      Subject, TrialEnvironment
    )

  /// Creates an implementation.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - make: Creates a fresh instance that shares no state with other trials, and registers its condition handlers.
  ///     All randomness is derived from the trial's seed.
  public init(_ name: String, make: @escaping @Sendable (_ trial: TrialEnvironment) async throws -> Subject) {
    self.init(name, in: { $0 }, make: make)
  }

  /// Creates an implementation that runs in another environment, such as a replay.
  ///
  /// - Parameter environment: Returns the environment to use in place of the given one.
  package init(
    _ name: String, in environment: @escaping @Sendable (TrialEnvironment) throws -> TrialEnvironment,
    make: @escaping @Sendable (_ trial: TrialEnvironment) async throws -> Subject
  ) {
    self.name = name
    prepare = { given, note in
      let environment = try environment(given)
      note(environment)
      // Its doubles are made for every clause, and not every clause makes the calls of every rule.
      let subject = try await TestIssue.$isSuspended.withValue(true) { try await make(environment) }
      return (subject, environment)
    }
  }

  private init(
    name: String,
    prepare:
      @escaping @Sendable (TrialEnvironment, @Sendable (TrialEnvironment) -> Void) async throws -> (
        Subject, TrialEnvironment
      )
  ) {
    self.name = name
    self.prepare = prepare
  }

  /// Returns this implementation with a wrapper around its subject: a decorator, or a deliberately wrong
  /// implementation.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - wrap: Returns the subject to check in place of the original one.
  package func wrapping(
    as name: String, _ wrap: @escaping @Sendable (Subject) -> Subject
  ) -> Implementation {
    Implementation(name: name) { [prepare] environment, note in
      let (subject, environment) = try await prepare(environment, note)
      return (wrap(subject), environment)
    }
  }
}

extension Implementation {
  /// A double behind an ``Intercepted``, into whose calls conditions can inject faults.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - makeBase: A fresh double for each trial.
  ///   - subject: The double as the service type: `{ $0 }`.
  public static func double<Base: Sendable>(
    _ name: String, _ makeBase: @autoclosure @escaping @Sendable () throws -> Base,
    as subject: @escaping @Sendable (Intercepted<Base>) -> Subject
  ) -> Self {
    .double(name, try makeBase()) { double, _ in subject(double) }
  }

  /// A double behind an ``Intercepted`` with its own condition handlers.
  ///
  /// ```swift
  /// .double("in-memory", InMemoryTodoService()) { todos, trial in
  ///   trial.on(.nameIsTaken) { try await todos.base.add("Taken").title }
  ///   return todos
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - makeBase: A fresh double for each trial.
  ///   - make: Returns the double as the service type, and registers condition handlers.
  public static func double<Base: Sendable>(
    _ name: String, _ makeBase: @autoclosure @escaping @Sendable () throws -> Base,
    as make: @escaping @Sendable (Intercepted<Base>, TrialEnvironment) async throws -> Subject
  ) -> Self {
    Implementation(name) { trial in
      let double = trial.intercept(try makeBase())
      trial.setUpFailures(of: double)
      return try await make(double, trial)
    }
  }
}
