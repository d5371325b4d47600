// Error: type '(Bool, [String])' cannot conform to 'Equatable'
import Understudy

let scenario = Scenario("saving", "A user adds a todo.") { run in
  let list = TodoList(service: run.intercepted(InMemoryTodos(), as: "todos"))
  run.watch(list) { ($0.isSaving, $0.titles) }
}
