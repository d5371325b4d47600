// Error: is unavailable: Intercepted<Base> is not the service type.
import Understudy

let scenario = Scenario("saving", "A user adds a todo.") { run in
  let service: any TodoService = InMemoryTodos()
  let list = TodoList(service: run.intercepted(service, as: "todos"))
  await run.act { await list.add("Milk") }
  run.expect("saving.ends", !list.isSaving, "still saving")
}
