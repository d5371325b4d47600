/// Something that a contract is tried against, made fresh for each trial.
///
/// An adopter keeps theirs in an extension, so that tests and commands name them alike:
///
/// ```swift
/// extension Implementation where Subject == any TodoService {
///   static var inMemory: Self { .double("in-memory", InMemoryTodoService()) { $0 } }
///   static var live: Self { .live(over: TodoBackend()) { LiveTodoService(transport: $0, time: $1.time) } }
/// }
/// ```
public struct Implementation<Subject: Sendable>: Sendable {
  /// The name in reports and on the command line, without spaces, such as `in-memory`.
  public let name: String

  let prepare: @Sendable (TrialEnvironment) async throws -> (Subject, TrialEnvironment)

  /// An implementation.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - make: Makes a fresh instance that shares no state with another trial's, and says how conditions are brought
  ///     about; whatever is random in it comes from the trial's seed.
  public init(_ name: String, make: @escaping @Sendable (_ trial: TrialEnvironment) async throws -> Subject) {
    self.init(name, in: { $0 }, make: make)
  }

  /// An implementation that runs in an environment of its own, such as a replay.
  ///
  /// - Parameter environment: The environment that takes the place of the given one.
  package init(
    _ name: String, in environment: @escaping @Sendable (TrialEnvironment) throws -> TrialEnvironment,
    make: @escaping @Sendable (_ trial: TrialEnvironment) async throws -> Subject
  ) {
    self.name = name
    prepare = { given in
      let environment = try environment(given)
      return (try await make(environment), environment)
    }
  }

  private init(
    name: String, prepare: @escaping @Sendable (TrialEnvironment) async throws -> (Subject, TrialEnvironment)
  ) {
    self.name = name
    self.prepare = prepare
  }

  /// The same with something around the subject: a decorator, or a deliberately wrong implementation.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - wrap: The subject that is tried in place of this one's.
  public func wrapping(
    as name: String, _ wrap: @escaping @Sendable (Subject) -> Subject
  ) -> Implementation {
    Implementation(name: name) { [prepare] environment in
      let (subject, environment) = try await prepare(environment)
      return (wrap(subject), environment)
    }
  }
}

extension Implementation {
  /// A double behind an ``Intercepted``, whose calls conditions can make fail.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - makeBase: A fresh double for each trial.
  ///   - subject: The double as the service that it is: `{ $0 }`.
  public static func double<Base: Sendable>(
    _ name: String, _ makeBase: @autoclosure @escaping @Sendable () throws -> Base,
    as subject: @escaping @Sendable (Intercepted<Base>) -> Subject
  ) -> Self {
    .double(name, try makeBase()) { double, _ in subject(double) }
  }

  /// A double behind an ``Intercepted``, with conditions of its own.
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
  ///   - make: The double as the service that it is; says how conditions of the service are brought about.
  public static func double<Base: Sendable>(
    _ name: String, _ makeBase: @autoclosure @escaping @Sendable () throws -> Base,
    as make: @escaping @Sendable (Intercepted<Base>, TrialEnvironment) async throws -> Subject
  ) -> Self {
    Implementation(name) { trial in
      let double = trial.intercept(try makeBase())
      trial.bringAboutFailures(of: double)
      return try await make(double, trial)
    }
  }
}
