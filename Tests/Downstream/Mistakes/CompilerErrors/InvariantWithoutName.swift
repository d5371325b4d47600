// Error: is unavailable: An invariant has a name, a condition and what was found
import Understudy

let scenario = Scenario("saving", "A user adds a todo.") { run in
  let list = TodoList(service: run.intercepted(InMemoryTodos(), as: "todos"))
  run.expect(!list.isSaving, "still saving")
}
