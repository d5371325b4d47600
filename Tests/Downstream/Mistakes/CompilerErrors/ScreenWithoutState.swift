// Error: is unavailable: Write what the screen shows: run.watch(list) { $0.titles }.
import Understudy

let scenario = Scenario("saving", "A user adds a todo.") { run in
  let list = TodoList(service: run.intercepted(InMemoryTodos(), as: "todos"))
  run.watch(list)
}
