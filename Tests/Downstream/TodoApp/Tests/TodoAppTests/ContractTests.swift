import Testing
import TodoContracts
import TodoDoubles
import Todos
import Understudy
import UnderstudyTesting

struct ContractTests {
  @Test(arguments: Contract.todoService.checks(of: .inMemory, .live, .recorded()))
  func honours(_ check: ContractCheck<any TodoService>) async throws { try await check.run() }

  private static let failures = Contract<any TodoService>("failures") {
    Clause.failures("todos.items", thrownAs: TodoError.init) { try await $0.items() }
  }

  /// A fault means the same to the double and to the client: no screen is tested with an error that never comes.
  @Test(arguments: failures.checks(of: .inMemory, .live))
  func failsAlike(_ check: ContractCheck<any TodoService>) async throws { try await check.run() }

  /// Each mutant of the double changes one thing that a method does.
  @Test func theContractNoticesEveryMutant() async throws {
    try await Contract.todoService.survivors(of: .inMemory, through: .todoService).check()
  }

  @Test func everyClauseCanFail() async throws {
    try await Contract.todoService.killMatrix(of: Mutant.all, under: .everyClause).check()
  }

  @Test func nothingIsFoundThatNoClauseNames() async throws {
    try await Exploration.todoService.run(on: .inMemory)
    try await Exploration.todoService.run(on: .live)
  }
}
