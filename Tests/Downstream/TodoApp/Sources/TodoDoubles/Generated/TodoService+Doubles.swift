public import Todos
public import UnderstudyDoubles

extension Intercepted.Operation where Base: TodoService {
  public static var add: Self { Self("add") }
  public static var items: Self { Self("items") }
  public static var setDone: Self { Self("setDone") }
  public static var remove: Self { Self("remove") }
}

extension Intercepted: TodoService where Base: TodoService {
  public func add(_ title: String) async throws(TodoError) -> Todo {
    try await intercept(.add, title, failure: TodoError.init) { base throws(TodoError) in
      try await base.add(title)
    }
  }
  public func items() async throws(TodoError) -> [Todo] {
    try await intercept(.items, failure: TodoError.init) { base throws(TodoError) in try await base.items() }
  }
  public func setDone(_ isDone: Bool, id: Todo.ID) async throws(TodoError) -> Todo {
    try await intercept(.setDone, isDone, id, failure: TodoError.init) { base throws(TodoError) in
      try await base.setDone(isDone, id: id)
    }
  }
  public func remove(id: Todo.ID) async throws(TodoError) {
    try await intercept(.remove, id, failure: TodoError.init) { base throws(TodoError) in
      try await base.remove(id: id)
    }
  }
}
