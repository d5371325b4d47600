import TodoDoubles
import Todos
public import Understudy

extension Scenario {
  /// A user fills a list, changes it, and loads it again.
  public static let todos = Scenario(
    "todos", "A user adds two todos, ticks one off, and removes the other."
  ) {
    run in
    let store = InMemoryTodoService()
    let list = TodoListViewModel(service: run.intercepted(store, as: "todos"))
    run.watch(list) { TodoListScreen($0) }

    // What the user may do meanwhile; a sweep also cancels and repeats each action.
    run.interruption("reload") { await list.load() }
    run.always("one.truth", list) { list in
      list.isLoading ? list.message.map { "it loads, and shows \($0)" } : nil
    }

    @MainActor func act(_ action: @escaping @MainActor () async -> Void) async {
      let failures = await run.failures { await run.act(action) }
      run.expect("loading.ends", !list.isLoading, "the list still shows that it is loading")
      run.expect(
        "errors.shown", failures.match(isShown: list.message != nil),
        "the message is \(list.message ?? "missing"), and what failed is \(failures)")
    }

    @MainActor func compare(mayDiffer: Bool) async throws {
      let stored = try await store.items()
      run.expect(
        "screen.matches.store", mayDiffer || list.todos == stored,
        "it shows \(list.todos), and \(stored) are stored")
    }

    let failures = await run.failures {
      await act { await list.load() }
      await act { await list.add("Milk") }
      await act { await list.add("Bread") }
      if let milk = list.todos.first(where: { $0.title == "Milk" }) { await act { await list.toggle(milk) } }
      if let bread = list.todos.first(where: { $0.title == "Bread" }) {
        await act { await list.remove(bread) }
      }
    }
    try await compare(mayDiffer: failures.contains(where: \.mayHaveWorked))
    await run.withoutFaults { await list.load() }
    try await compare(mayDiffer: false)

    let stored = try await store.items()
    run.expect(
      "nothing.twice", Set(stored.map(\.title)).count == stored.count, "the titles are \(stored.map(\.title))"
    )
  }
}

/// The contents of the screen, as a report shows them.
struct TodoListScreen: Equatable, Sendable, CustomStringConvertible {
  let description: String

  @MainActor init(_ list: TodoListViewModel) {
    let titles = list.todos.map { $0.isDone ? "\($0.title) ✓" : $0.title }.joined(separator: ", ")
    description = (list.isLoading ? "loading: " : list.message.map { "\($0): " } ?? "") + "[\(titles)]"
  }
}
