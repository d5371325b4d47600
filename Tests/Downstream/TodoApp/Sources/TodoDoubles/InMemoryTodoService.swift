public import Todos

/// The todos in memory, for previews and tests.
public actor InMemoryTodoService: TodoService {
  private var todos: [Todo] = []
  private var nextID = 1

  /// No todos.
  public init() {}

  /// Stores a todo.
  public func add(_ title: String) throws(TodoError) -> Todo {
    try checkCancellation()
    if todos.contains(where: { $0.title.utf8.elementsEqual(title.utf8) }) { throw .duplicate }
    let todo = Todo(id: nextID, title: title)
    nextID += 1
    todos.append(todo)
    return todo
  }

  /// All todos.
  public func items() throws(TodoError) -> [Todo] {
    try checkCancellation()
    return todos
  }

  /// Marks a todo.
  public func setDone(_ isDone: Bool, id: Todo.ID) throws(TodoError) -> Todo {
    try checkCancellation()
    guard let place = todos.firstIndex(where: { $0.id == id }) else { throw .notFound }
    todos[place].isDone = isDone
    return todos[place]
  }

  /// Removes a todo.
  public func remove(id: Todo.ID) throws(TodoError) {
    try checkCancellation()
    todos.removeAll { $0.id == id }
  }

  private func checkCancellation() throws(TodoError) {
    if Task.isCancelled { throw .cancelled }
  }
}
