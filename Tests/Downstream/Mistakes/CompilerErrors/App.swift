import Observation
import Understudy

/// The service of an app, its double, what the generator writes for it, and a screen, as in the articles.
protocol TodoService: Sendable {
  func add(_ title: String) async throws(TodoError) -> Todo
  func items() async throws(TodoError) -> [Todo]
}

struct Todo: Sendable, Hashable {
  var id: Int
  var title: String
}

enum TodoError: Error, Equatable { case duplicate, unavailable }

extension TodoError {
  init(_ fault: Fault) { self = fault.symptom == .conflict ? .duplicate : .unavailable }
}

actor InMemoryTodos: TodoService {
  private var todos: [Todo] = []

  func add(_ title: String) throws(TodoError) -> Todo {
    if todos.contains(where: { $0.title == title }) { throw .duplicate }
    todos.append(Todo(id: todos.count + 1, title: title))
    return todos[todos.count - 1]
  }

  func items() -> [Todo] { todos }
}

extension Intercepted.Operation where Base: TodoService {
  static var add: Self { Self("add") }
  static var items: Self { Self("items") }
}

extension Intercepted: TodoService where Base: TodoService {
  func add(_ title: String) async throws(TodoError) -> Todo {
    try await intercept(.add, title, failure: { TodoError($0) }) { base, title throws(TodoError) in
      try await base.add(title)
    }
  }

  func items() async throws(TodoError) -> [Todo] {
    try await intercept(.items, failure: { TodoError($0) }) { base throws(TodoError) in try await base.items()
    }
  }
}

struct UnimplementedTodoService: TodoService {
  var onAdd: @Sendable (_ title: String) async throws(TodoError) -> Todo = { _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.add(_:)", closure: "onAdd"))
  }
  var onItems: @Sendable () async throws(TodoError) -> [Todo] = { () throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.items()", closure: "onItems"))
  }

  func add(_ title: String) async throws(TodoError) -> Todo { try await onAdd(title) }
  func items() async throws(TodoError) -> [Todo] { try await onItems() }
}

extension Understudy.Intercepted where Base == UnimplementedTodoService {
  @available(
    *, unavailable,
    message:
      "Write a function with a parameter of type `some TodoService`, intercept that, and call it with the `any TodoService`."
  )
  convenience init(
    _ base: any TodoService, by interceptors: Understudy.Interceptor<Base>..., time: Understudy.Time = .system
  ) {
    fatalError()
  }
}

@MainActor @Observable final class TodoList {
  private(set) var titles: [String] = []
  private(set) var isSaving = false
  private(set) var message: String?
  private let service: any TodoService

  init(service: any TodoService) { self.service = service }

  func add(_ title: String) async {
    isSaving = true
    defer { isSaving = false }
    do throws(TodoError) {
      _ = try await service.add(title)
      titles = try await service.items().map(\.title)
    } catch {
      message = error == .duplicate ? "There is already one." : "Please try again later."
    }
  }
}

extension Implementation where Subject == any TodoService {
  static var inMemory: Self { .double("in-memory", InMemoryTodos()) { $0 } }
}

extension Contract where Subject == any TodoService {
  static var todos: Self {
    Contract("todos") {
      Clause("todos.empty", "A new list is empty.") { trial in
        trial.expect(try await trial.subject.items(), equals: [], "the items")
      }
    }
  }
}
