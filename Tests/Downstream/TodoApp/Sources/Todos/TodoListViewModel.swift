public import Observation

/// The list of todos on a screen.
@MainActor @Observable public final class TodoListViewModel {
  /// What is shown.
  public private(set) var todos: [Todo] = []
  /// Whether anything is under way.
  public private(set) var isLoading = false
  /// What went wrong last; gone with the next action.
  public private(set) var message: String?

  private let service: any TodoService

  /// A list over a service.
  public init(service: any TodoService) {
    self.service = service
  }

  /// Loads the list; what is shown stays until it is there.
  public func load() async {
    await act { () async throws(TodoError) in todos = try await service.items() }
  }

  /// Adds a todo.
  public func add(_ title: String) async {
    await act { () async throws(TodoError) in todos.append(try await service.add(title)) }
  }

  /// Turns a todo into a done one, and back.
  public func toggle(_ todo: Todo) async {
    await act { () async throws(TodoError) in
      let changed = try await service.setDone(!todo.isDone, id: todo.id)
      if let place = todos.firstIndex(where: { $0.id == changed.id }) { todos[place] = changed }
    }
  }

  /// Removes a todo; it stays on the screen until the service has removed it.
  public func remove(_ todo: Todo) async {
    await act { () async throws(TodoError) in
      try await service.remove(id: todo.id)
      todos.removeAll { $0.id == todo.id }
    }
  }

  private func act(_ body: () async throws(TodoError) -> Void) async {
    guard !isLoading else { return }
    isLoading = true
    message = nil
    defer { isLoading = false }
    do throws(TodoError) {
      try await body()
    } catch .cancelled {
    } catch {
      message = error.message
    }
  }
}
