// Error: expression is 'async' but is not marked with 'await'
import Understudy

let scenario = Scenario("saving", "A user adds a todo.") { run in
  let list = TodoList(service: run.intercepted(InMemoryTodos(), as: "todos"))
  await run.act { list.add("Milk") }
  run.expect("saving.ends", !list.isSaving, "still saving")
}
