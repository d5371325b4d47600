// Overloads for common mistakes, whose messages the compiler prints in place of its own. It tries them only after every
// other overload has failed, so correct code is neither ambiguous nor slower to check. The cases of
// Tests/Downstream/Mistakes/CompilerErrors show what each is for.

extension Clause {
  /// A clause without its name, its sentence or its check.
  @available(
    *, unavailable,
    message:
      "A clause has a name, a sentence and a check: Clause(\"todos.add.listed\", \"…\") { trial in … }."
  )
  public init(
    _ id: String = "", _ statement: String = "",
    check: @escaping @Sendable (Trial<Subject>) async throws -> Void = { _ in }
  ) {
    fatalError()
  }
}

extension ContractBuilder {
  /// A clause under a condition.
  @available(
    *, unavailable,
    message:
      "Every implementation has the same clauses. Request a Condition in the clause: try await trial.given(…)."
  )
  public static func buildOptional(_ clauses: [Clause<Subject>]?) -> [Clause<Subject>] { fatalError() }

  /// One of two clauses.
  @available(
    *, unavailable,
    message:
      "Every implementation has the same clauses. Request a Condition in the clause: try await trial.given(…)."
  )
  public static func buildEither(first clauses: [Clause<Subject>]) -> [Clause<Subject>] { fatalError() }

  /// One of two clauses.
  @available(
    *, unavailable,
    message:
      "Every implementation has the same clauses. Request a Condition in the clause: try await trial.given(…)."
  )
  public static func buildEither(second clauses: [Clause<Subject>]) -> [Clause<Subject>] { fatalError() }
}

extension Contract {
  /// The implementations as an array.
  @available(
    *, unavailable, message: "Write the implementations without brackets: checks(of: .inMemory, .live)."
  )
  public func checks(of implementations: [Implementation<Subject>]) -> [ContractCheck<Subject>] {
    fatalError()
  }
}

extension ContractCheck {
  /// A check in a file that does not import the module for tests.
  @available(
    *, unavailable, message: "Write import UnderstudyTesting, and add that library to the test target."
  )
  public func run() async throws { fatalError() }
}

extension Trial {
  /// An expectation without a message or a label.
  @available(
    *, unavailable,
    message: "Write expect(actual, equals: expected), or expect(condition, \"what was found\")."
  )
  public func expect<Value>(_ actual: Value, _ expected: Value? = nil) { fatalError() }

  /// A condition whose type is not written.
  @available(
    *, unavailable,
    message:
      "Write the type of the fixture: Condition<Void>(\"…\"), or extension Condition where Fixture == Void."
  )
  public func given(_ condition: Condition<Void>) async throws { fatalError() }

  /// The type of an error in place of the error.
  @available(
    *, unavailable,
    message:
      "Write the error: expect(throws: TodoError.duplicate) { … }. For any error of a type: expect(\"to be refused\") { … } throwing: { $0 is TodoError }."
  )
  public func expect<Failure: Error, Value>(
    throws type: Failure.Type, from operation: () async throws -> Value
  ) async {
    fatalError()
  }
}

extension Implementation {
  /// A double that is not the service type.
  @available(
    *, unavailable,
    message:
      "Intercepted<Base> is not the service type. Pass a double of its own type, not of an `any` type, and write or generate extension Intercepted: TodoService where Base: TodoService."
  )
  public static func double<Base: Sendable>(
    _ name: String, _ makeBase: @autoclosure @escaping @Sendable () throws -> Base,
    as subject: @escaping @Sendable (Intercepted<Base>) -> Intercepted<Base>
  ) -> Self {
    fatalError()
  }

  /// A double without the closure that returns it as the service type.
  @available(
    *, unavailable, message: "Write the double, and { $0 }: .double(\"in-memory\", InMemoryTodos()) { $0 }."
  )
  public static func double<Base>(_ name: String, _ base: Base) -> Self { fatalError() }
}

extension Interceptor {
  /// A rule in place of an interceptor.
  @available(*, unavailable, message: "A rule is in .faults: by: .faults(.on(.add, .offline)).")
  public static func on(_ operation: Intercepted<Base>.Operation, call number: Int = 0, _ fault: Fault)
    -> Self
  {
    fatalError()
  }
}

extension FaultPlan {
  /// A rule in place of a plan.
  ///
  /// With it, the compiler searches a mistake within `.faults(.on(…))` as one of a rule, and not of a plan.
  @available(*, unavailable, message: "A rule is in a plan: FaultPlan(.on(.add, .offline)).")
  public static func on(_ operation: Intercepted<Base>.Operation, call number: Int = 0, _ fault: Fault)
    -> FaultPlan
  {
    fatalError()
  }
}

extension Intercepted {
  /// A call without the error of a fault, or whose closure has other arguments.
  @available(
    *, unavailable,
    message:
      "Write the arguments, the error of a fault, and a closure with the arguments: intercept(.add, title, failure: TodoError.init) { base, title throws(TodoError) in … }."
  )
  nonisolated(nonsending) public func intercept<each Argument, each Parameter, Result, Failure: Error>(
    _ operation: Operation, _ arguments: repeat each Argument, failure: ((Fault) -> Failure)? = nil,
    call: nonisolated(nonsending) (Base, repeat each Parameter) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    fatalError()
  }
}

extension Error {
  /// An error type that does not say which error a fault becomes.
  @available(
    *, unavailable,
    message: "Write extension TodoError { init(_ fault: Fault) { … } } for this error type, by fault.symptom."
  )
  public init(_ fault: Fault) { fatalError() }
}

extension Fault {
  /// The symptom in place of the fault.
  @available(*, unavailable, renamed: "timeout")
  public static var timedOut: Fault { fatalError() }
}

extension FaultSchedule {
  /// An entry in place of a schedule.
  @available(
    *, unavailable, message: "A schedule is in brackets: under: [.at(\"todos.add\", call: 1, .conflict)]."
  )
  public static func at(_ operation: String, call number: Int, _ fault: Fault) -> Self { fatalError() }
}

extension Scenario {
  /// A scenario without its name, its sentence or its body.
  @available(
    *, unavailable,
    message:
      "A scenario has a name, a sentence and a body: Scenario(\"adding\", \"A user adds a todo.\") { run in … }."
  )
  public init(
    _ name: String = "", _ statement: String = "",
    body: @escaping @MainActor @Sendable (ScenarioRun) async throws -> Void = { _ in }
  ) {
    fatalError()
  }

  /// A sweep in a file that does not import the module for tests.
  @available(
    *, unavailable, message: "Write import UnderstudyTesting, and add that library to the test target."
  )
  public func sweep() async throws { fatalError() }

  /// A run in a file that does not import the module for tests.
  @available(
    *, unavailable, message: "Write import UnderstudyTesting, and add that library to the test target."
  )
  public func run(under schedule: FaultSchedule) async throws { fatalError() }
}

extension ScenarioRun {
  /// A base that is not the service type.
  @available(
    *, unavailable,
    message:
      "Intercepted<Base> is not the service type. Pass a double of its own type, not of an `any` type, and write or generate extension Intercepted: TodoService where Base: TodoService."
  )
  public func intercepted<Base: Sendable, Service>(_ base: Base, as name: String) -> Service { fatalError() }

  /// An invariant without a message.
  @available(
    *, unavailable,
    message:
      "An invariant has a name, a condition and what was found: run.expect(\"loading.ends\", !list.isLoading, \"…\")."
  )
  public func expect(_ invariant: String, _ holds: Bool) { fatalError() }

  /// An invariant without a name.
  @available(
    *, unavailable,
    message:
      "An invariant has a name, a condition and what was found: run.expect(\"loading.ends\", !list.isLoading, \"…\")."
  )
  public func expect(_ holds: Bool, _ message: String = "") { fatalError() }

  /// A screen without its state.
  @available(*, unavailable, message: "Write what the screen shows: run.watch(list) { $0.titles }.")
  public func watch(_ subject: AnyObject) { fatalError() }
}

extension StateTimeline where State == Never {
  /// A timeline without its state.
  @available(*, unavailable, message: "Write what the screen shows: StateTimeline(of: list) { $0.titles }.")
  public convenience init(of subject: Subject) { fatalError() }
}
