// Error: is unavailable: Write import UnderstudyTesting, and add that library to the test target.
import Testing
import Understudy

let scenario = Scenario("saving", "A user adds a todo.") { run in run.expect("saving.ends", true, "saving") }

@Test func isRight() async throws { try await scenario.sweep() }
