// Error: A schedule is in brackets: under: [.at(
import Testing
import Understudy
import UnderstudyTesting

let scenario = Scenario("saving", "A user adds a todo.") { run in run.expect("saving.ends", true, "saving") }

@Test func isRight() async throws { try await scenario.run(under: .at("todos.add", call: 1, .offline)) }
