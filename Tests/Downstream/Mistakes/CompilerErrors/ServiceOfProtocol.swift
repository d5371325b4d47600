// Error: type 'any TodoService' cannot conform to 'TodoService'
import Understudy

@MainActor func list(_ service: any TodoService) -> TodoList {
  TodoList(service: Intercepted<any TodoService>(service))
}
