// Error: is unavailable: A scenario has a name, a sentence and a body
import Understudy

let scenario = Scenario("saving") { run in
  let list = TodoList(service: run.intercepted(InMemoryTodos(), as: "todos"))
  await run.act { await list.add("Milk") }
  run.expect("saving.ends", !list.isSaving, "still saving")
}
