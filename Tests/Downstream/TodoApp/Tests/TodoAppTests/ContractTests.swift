import Testing
import TodoContracts
import Todos
import Understudy
import UnderstudyTesting

struct ContractTests {
  @Test(arguments: Contract.todoService.checks(of: .inMemory, .live, .recorded()))
  func honours(_ check: ContractCheck<any TodoService>) async throws { try await check.run() }

  @Test func everyClauseCanFail() async {
    await Contract.todoService.killMatrix(of: Mutant.all, under: .everyClause).check()
  }

  @Test func nothingIsFoundThatNoClauseNames() async throws {
    try await Exploration.todoService.run(on: .inMemory)
    try await Exploration.todoService.run(on: .live)
  }
}
