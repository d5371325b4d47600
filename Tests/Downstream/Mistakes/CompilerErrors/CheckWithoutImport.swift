// Error: is unavailable: Write import UnderstudyTesting, and add that library to the test target.
import Testing
import Understudy

@Test(arguments: Contract.todos.checks(of: .inMemory))
func honours(_ check: ContractCheck<any TodoService>) async throws { try await check.run() }
