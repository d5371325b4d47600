public import Todos
public import Understudy

/// A call of a list of todos, for explorations: generated sequences and overlapping calls.
public enum TodoCommand: ExplorationCommand {
  case add(String)
  case items
  /// Marks the todo of a title that the model knows.
  case setDone(Bool, String)
  case remove(String)

  /// Calls about two titles, so that they meet.
  public static func random(in model: [Todo], using generator: inout some RandomNumberGenerator) -> Self {
    let title = ["Milk", "Bread"].randomElement(using: &generator) ?? "Milk"
    return switch Int.random(in: 0..<4, using: &generator) {
    case 0: .add(title)
    case 1: .setDone(.random(using: &generator), title)
    case 2: .remove(title)
    default: .items
    }
  }

  /// The call, and what may come of it.
  public func call(in model: [Todo]) -> ExplorationCall<any TodoService, [Todo]>? {
    switch self {
    case .add(let title):
      return ExplorationCall {
        try await $0.add(title)
      } step: { model, answer in
        if model.contains(where: { $0.title == title }) { return answer.threw(TodoError.duplicate) }
        return answer.returned("a todo of that title that is not done") { todo in
          model.append(todo)
          return todo.title == title && !todo.isDone
        }
      }
    case .items:
      return ExplorationCall {
        try await $0.items()
      } step: { model, answer in
        answer.returned(model)
      }
    case .setDone(let isDone, let title):
      guard let todo = model.first(where: { $0.title == title }) else { return nil }
      return ExplorationCall {
        try await $0.setDone(isDone, id: todo.id)
      } step: { model, answer in
        guard let place = model.firstIndex(where: { $0.id == todo.id }) else {
          return answer.threw(TodoError.notFound)
        }
        model[place].isDone = isDone
        return answer.returned(model[place])
      }
    case .remove(let title):
      guard let todo = model.first(where: { $0.title == title }) else { return nil }
      return ExplorationCall {
        try await $0.remove(id: todo.id)
      } step: { model, answer in
        model.removeAll { $0.id == todo.id }
        return answer.returned
      }
    }
  }
}

extension Exploration where Command == TodoCommand {
  /// Todos beside a list of them.
  public static var todoService: Self { Exploration("todos") { _ in [] } }
}
