import Testing
import Understudy
import UnderstudyTesting

// Each test has a mistake. The lines that begin with `Red:` are what its failure must say; see `check`.

@Suite struct ContractMistakes {
  /// No implementation sets up the condition of a clause.
  ///
  /// Red: No implementation could be tested under skipped.add.refused, so the clause checks nothing:
  /// Red: - in-memory: in-memory cannot set up the condition: the list is full
  /// Red: - other: other cannot set up the condition: the list is full
  @Test(arguments: Contract.todos("skipped").checks(of: .inMemory, .other))
  func aClauseThatEveryImplementationSkips(_ check: ContractCheck<any TodoService>) async throws {
    try await check.run()
  }

  /// The filter has a typing error.
  ///
  /// Environment: UNDERSTUDY_CLAUSE=libary.add
  /// Red: UNDERSTUDY_CLAUSE=libary.add selects no clause, so nothing was checked. The nearest is library.add.counted.
  @Test(arguments: Contract.todos("library").checks(of: .inMemory))
  func aFilterThatSelectsNoClause(_ check: ContractCheck<any TodoService>) async throws {
    try await check.run()
  }

  /// A clause without an expectation.
  ///
  /// Red: The clause expected nothing, so it would hold for anything.
  @Test(
    arguments: Contract<any TodoService>("empty") {
      Clause("empty.nothing", "It works.") { _ = try await $0.subject.add("Milk") }
    }.checks(of: .inMemory))
  func aClauseThatExpectsNothing(_ check: ContractCheck<any TodoService>) async throws {
    try await check.run()
  }

  /// A clause catches the error that ends it where its condition cannot be set up.
  ///
  /// Red: The clause went on without a condition, because it caught the error of trial.given(_:) or trial.during(_:_:):
  /// Red: in-memory cannot set up the condition: the list is full. Let this error end the clause
  @Test(
    arguments: Contract<any TodoService>("caught") {
      Clause("caught.refused", "A full list refuses an item.") { trial in
        do {
          try await trial.given(Condition<Void>("the list is full"))
          _ = try await trial.subject.add("Milk")
          trial.expect(false, "The item is added.")
        } catch {
          trial.expect(true, "")
        }
      }
    }.checks(of: .inMemory))
  func aClauseThatCatchesTheEndOfItsCondition(_ check: ContractCheck<any TodoService>) async throws {
    try await check.run()
  }

  /// The service is not the double that the closure receives.
  ///
  /// Red: No clause of ignored made a call of the transport or the double that these intercept: ignoring.
  /// Red: In the closure, make the service with the value that it receives, and return that service.
  @Test(
    arguments: Contract<any TodoService>("ignored") {
      Clause("ignored.count", "An item is counted.") { trial in
        trial.expect(try await trial.subject.add("Milk"), equals: 1)
      }
    }.checks(of: Implementation.double("ignoring", InMemoryTodos()) { _ in InMemoryTodos() }))
  func anImplementationThatIgnoresItsDouble(_ check: ContractCheck<any TodoService>) async throws {
    try await check.run()
  }

  /// The error that a fault becomes is not the one that the service throws.
  ///
  /// Red: in-memory breaks alike.titles.timeout: A call that fails with timeout throws what a double throws.
  /// Red: Expected the call to throw offline, which TodoError.init(_: Fault) makes of timeout, but it threw other.
  @Test(
    arguments: Contract<any TodoService>("alike") {
      Clause.failures("alike.titles", under: [.timeout], thrownAs: { _ in TodoError.offline }) {
        try await $0.titles()
      }
    }.checks(of: .inMemory))
  func aFaultThatTheServiceReportsInAnotherWay(_ check: ContractCheck<any TodoService>) async throws {
    try await check.run()
  }

  /// The condition fails all calls, and the clause makes none.
  ///
  /// Red: The condition "the server fails" had no effect, so the clause checks nothing under it:
  /// Red: any operation: server-error: no call that it selects was made
  /// Red: While the condition holds, make a call that it can change
  @Test(
    arguments: Contract<any TodoService>("unused") {
      Clause("unused.failure", "A failure is reported.") { trial in
        let count = try await trial.subject.add("Milk")
        try await trial.given(.serverFails)
        trial.expect(count, equals: 1, "the number")
      }
    }.checks(of: .inMemory))
  func aConditionUnderWhichNoCallIsMade(_ check: ContractCheck<any TodoService>) async throws {
    try await check.run()
  }

  /// A contract without clauses.
  ///
  /// Red: The contract "nothing" has no clause, so it would hold for anything. Add one.
  @Test(arguments: Contract<any TodoService>("nothing") {}.checks(of: .inMemory))
  func aContractWithoutClauses(_ check: ContractCheck<any TodoService>) async throws {
    try await check.run()
  }

  /// Two clauses have the same identifier, so a report shows one of them.
  ///
  /// Red: The contract "twice" uses an identifier for several clauses: twice.it.
  @Test(
    arguments: Contract<any TodoService>("twice") {
      Clause("twice.it", "It works.") { $0.expect(true, "works") }
      Clause("twice.it", "It works too.") { $0.expect(true, "works") }
    }.checks(of: .inMemory))
  func anIdentifierThatIsUsedTwice(_ check: ContractCheck<any TodoService>) async throws {
    try await check.run()
  }

  /// A strong contract has a mutant for each clause; this one has no mutants.
  ///
  /// Red: No mutant is killed by mutants.add.counted
  @Test func aKillMatrixWithoutMutants() async throws {
    try await Contract.todos("mutants").killMatrix(of: []).check()
  }

  /// The settings of the run are invalid.
  ///
  /// Environment: UNDERSTUDY_SEED=one
  /// Red: UNDERSTUDY_SEED must be an integer of at least 0; found "one".
  @Test(arguments: Contract.todos("seeded").checks(of: .inMemory))
  func anInvalidSeed(_ check: ContractCheck<any TodoService>) async throws {
    try await check.run()
  }

  enum InapplicableCommand: ExplorationCommand {
    case add

    static func random(in model: Int, using generator: inout some RandomNumberGenerator) -> Self { .add }

    func call(in model: Int) -> ExplorationCall<any TodoService, Int>? { nil }
  }

  /// No command is applicable in the model.
  ///
  /// Red: The exploration made no call, so it would pass on anything: no command made sense in the model.
  @Test func anExplorationWithoutCalls() async throws {
    let exploration = Exploration<InapplicableCommand>("todos") { _ in 0 }
    try await exploration.run(on: .inMemory, size: ExplorationSize(sequences: 2, length: 2, programs: 2))
  }

  enum IdleCommand: ExplorationCommand {
    case add

    static func random(in model: Int, using generator: inout some RandomNumberGenerator) -> Self { .add }

    func call(in model: Int) -> ExplorationCall<any TodoService, Int>? {
      ExplorationCall(run: { _ in true }, unanswered: { _ in }) { _, answer in answer.returned }
    }
  }

  /// The commands use no service.
  ///
  /// Red: The commands never called the service, so the exploration would pass on anything: their call(in:) must
  @Test func anExplorationWhoseCommandsCallNothing() async throws {
    let exploration = Exploration<IdleCommand>("todos") { _ in 0 }
    try await exploration.run(on: .inMemory, size: ExplorationSize(sequences: 2, length: 2, programs: 2))
  }

  /// The sequences have no command, and there are no programs.
  ///
  /// Red: The exploration made no call of its own, so it would pass on anything: its size has neither a sequence
  @Test func anExplorationWithoutASize() async throws {
    let exploration = Exploration<InapplicableCommand>("todos") { _ in 0 }
    try await exploration.run(on: .inMemory, size: ExplorationSize(sequences: 10, length: 0, programs: 0))
  }

  /// A kept program whose commands are not applicable any more.
  ///
  /// Red: The program made no call, so it would pass on anything: none of its 1 command makes sense in the model.
  @Test func aProgramWithoutCalls() async throws {
    let exploration = Exploration<InapplicableCommand>("todos") { _ in 0 }
    try await exploration.replay([.add], on: .inMemory)
  }
}
