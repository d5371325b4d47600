// Error: is unavailable: Write a function with a parameter of type `some TodoService`
import Understudy

@MainActor func failing(_ service: any TodoService) -> TodoList {
  TodoList(service: Intercepted(service, by: .faults(.on(.add, .offline))))
}
