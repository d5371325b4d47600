import Testing
import TodoContracts
import TodoDoubles
import Todos
import Understudy
import UnderstudyTesting

/// What the list shows, whatever the server does.
@MainActor struct TodoListTests {
  /// A table written by hand: the message that the user sees.
  private nonisolated static let messages: [(Fault, String)] = [
    (.conflict, "There is already one."),
    (.offline, "You are offline."),
    (.timeout, "That took too long. Please try again."),
    (.connectionLost, "The connection was lost. Please try again."),
    (.rateLimited(retryAfter: .seconds(5)), "Please try again in 5 seconds."),
    (.serverError, "Something is wrong at our end. Please try again later."),
    (.unreadableAnswer, "Something is wrong at our end. Please try again later."),
  ]

  @Test(arguments: messages) func aFailureEndsInItsMessage(_ fault: Fault, _ message: String) async {
    let service = Intercepted(
      InMemoryTodoService(), by: .faults(.on(.add, fault)), time: TestClock(.immediate).time)
    let timeline = StateTimeline(of: TodoListViewModel(service: service)) { Shown($0) }
    await timeline.subject.add("Milk")
    #expect(timeline.states == [.list(0), .loading, .message(message)])
  }

  @Test func theListIsLoadingUntilTheAnswerArrives() async throws {
    let gate = Gate<InMemoryTodoService>(.items)
    let list = TodoListViewModel(service: Intercepted(InMemoryTodoService(), by: .gate(gate)))
    async let loaded: Void = list.load()
    let call = try await gate.next()
    #expect(list.isLoading)
    call.proceed()
    await loaded
    #expect(!list.isLoading)
  }

  @Test func whatWasAddedStaysWhenALaterCallFails() async {
    let service = Intercepted(InMemoryTodoService(), by: .faults(.on(.items, .offline)))
    let list = TodoListViewModel(service: service)
    await list.add("Milk")
    await list.load()
    #expect(list.message == "You are offline.")
    #expect(list.todos.map(\.title) == ["Milk"])
  }

  @Test func aTickIsAskedForOnceAndShown() async {
    // The other operations are unimplemented: a call of one fails the test, and is named.
    var service = UnimplementedTodoService()
    service.onItems = { [Todo(id: 1, title: "Milk")] }
    service.onSetDone = { isDone, id in Todo(id: id, title: "Milk", isDone: isDone) }
    let list = TodoListViewModel(service: service)
    await list.load()
    await list.toggle(Todo(id: 1, title: "Milk"))
    #expect(list.todos == [Todo(id: 1, title: "Milk", isDone: true)])
  }

  @Test func theListIsRightWhateverFails() async throws { try await Scenario.todos.sweep() }

  /// A sweep found that it was shown as an error.
  @Test func aCancelledSaveShowsNoError() async throws {
    try await Scenario.todos.run(under: [.at("todos.add", call: 1, .cancelled)])
  }
}

private enum Shown: Equatable {
  case list(Int), loading, message(String)

  @MainActor init(_ model: TodoListViewModel) {
    self = model.isLoading ? .loading : model.message.map { .message($0) } ?? .list(model.todos.count)
  }
}
