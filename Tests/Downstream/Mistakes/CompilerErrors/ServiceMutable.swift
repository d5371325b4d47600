// Error: stored property 'todos' of 'Sendable'-conforming class 'PlainTodos' is mutable
import Understudy

final class PlainTodos: TodoService {
  var todos: [Todo] = []

  func add(_ title: String) async throws(TodoError) -> Todo { throw .unavailable }
  func items() async throws(TodoError) -> [Todo] { todos }
}
