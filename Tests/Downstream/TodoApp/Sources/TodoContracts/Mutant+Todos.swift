public import Todos
public import Understudy

extension Mutant where Subject == any TodoService {
  /// Wrong services: the contract notices each.
  public static var all: [Mutant] {
    [
      wrong(.marksNew, "Adds todos that are done.", ["todos.add.listed": "not to be done"]),
      wrong(
        .newestFirst, "Lists the newest first.", ["todos.add.order": #"found ["Apples", "Bread", "Milk"]"#]),
      wrong(
        .takesDuplicatesForSuccess, "Returns the existing todo.",
        ["todos.add.duplicate": "but it returned"]),
      wrong(.forgetsMarks, "Says that it marked, and does not.", ["todos.done.stored": "the list to be"]),
      wrong(
        .takesMissingForUnavailable, "Reports a missing todo as a broken server.",
        ["todos.done.absent": "but it threw unavailable"]),
      wrong(.keepsRemoved, "Says that it removed, and does not.", ["todos.remove.gone": "the list to be"]),
      wrong(
        .refusesToRemoveTwice, "Fails to remove a missing todo.",
        ["todos.remove.absent": "a second removal to succeed"]),
      wrong(
        .emptyWhenItFails, "Takes every failure for an empty list.",
        [
          "todos.failure.server": "but it returned []", "todos.failure.time-out": "but it returned []",
          "todos.failure.busy": "but it returned []", "todos.failure.unreadable": "but it returned []",
        ]),
      wrong(
        .pretendsOffline, "Adds to nothing while there is no network.",
        ["todos.failure.offline": "but it returned"]),
      wrong(
        .addsAgain, "Adds once more, under another title, when an answer was lost.",
        ["todos.failure.lost-answer": #"found ["Milk", "Milk 2"]"#]),
    ]
  }

  private static func wrong(
    _ mistake: WrongTodoService.Mistake, _ sentence: String, _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(mistake.rawValue, sentence, of: .inMemory, killedBy: killers) {
      WrongTodoService(base: $0, mistake: mistake)
    }
  }
}

/// A service that is right but for one thing.
private struct WrongTodoService: TodoService {
  enum Mistake: String {
    case marksNew, newestFirst, takesDuplicatesForSuccess, forgetsMarks, takesMissingForUnavailable
    case keepsRemoved, refusesToRemoveTwice, emptyWhenItFails, pretendsOffline, addsAgain
  }

  let base: any TodoService
  let mistake: Mistake

  func add(_ title: String) async throws(TodoError) -> Todo {
    do throws(TodoError) {
      let todo = try await base.add(title)
      return mistake == .marksNew ? try await base.setDone(true, id: todo.id) : todo
    } catch .duplicate where mistake == .takesDuplicatesForSuccess {
      return try await base.items().first { $0.title == title } ?? Todo(id: 0, title: title)
    } catch .offline where mistake == .pretendsOffline {
      return Todo(id: 0, title: title)
    } catch .connectionLost where mistake == .addsAgain {
      _ = try? await base.add(title + " 2")
      // While answers are lost this one is lost too.
      throw .connectionLost
    }
  }

  func items() async throws(TodoError) -> [Todo] {
    do throws(TodoError) {
      let todos = try await base.items()
      return mistake == .newestFirst ? todos.reversed() : todos
    } catch  where mistake == .emptyWhenItFails {
      return []
    }
  }

  func setDone(_ isDone: Bool, id: Todo.ID) async throws(TodoError) -> Todo {
    do throws(TodoError) {
      let todo = try await base.setDone(isDone, id: id)
      if mistake == .forgetsMarks { _ = try await base.setDone(!isDone, id: id) }
      return todo
    } catch .notFound where mistake == .takesMissingForUnavailable {
      throw .unavailable
    }
  }

  func remove(id: Todo.ID) async throws(TodoError) {
    switch mistake {
    case .keepsRemoved: return
    case .refusesToRemoveTwice where try await !base.items().contains { $0.id == id }: throw .notFound
    default: try await base.remove(id: id)
    }
  }
}
