import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyRecordingTesting
import UnderstudyTesting

/// What the mistakes should have been.
extension Contract where Subject == any TodoService {
  static var right: Self {
    Contract("todos") {
      Clause("todos.add.listed", "An added item is listed.") { trial in
        let milk = try await trial.subject.add("Milk")
        let items = try await trial.subject.items()
        trial.expect(items, equals: [milk])
        trial.expect(items.count, equals: 1, "the number of items")
        trial.expect(items.first?.title == "Milk", "found \(items)")
        await trial.expect(throws: TodoError.duplicate) { try await trial.subject.add("Milk") }
        await trial.expect("to be refused") {
          try await trial.subject.add("Milk")
        } throwing: {
          $0 is TodoError
        }
      }
      for title in ["Milk", "Bread"] {
        Clause("todos.add.\(title)", "\(title) can be added.") { trial in
          trial.expect(try await trial.subject.add(title).title, equals: title)
        }
      }
      Clause("todos.offline", "A failure is reported.") { trial in
        try await trial.given(.serverFails)
        try await trial.given(Condition<Void>("the list is full"))
        let delay = try await trial.given(.tooManyRequests)
        trial.expect(delay, equals: .seconds(30))
        await trial.expect(throws: TodoError.unavailable) { try await trial.subject.items() }
      }
    }
  }
}

@Test(
  arguments: Contract.right.checks(of: .inMemory, .double("other", InMemoryTodos()) { todos, _ in todos }))
func honours(_ check: ContractCheck<any TodoService>) async throws { try await check.run() }

/// A double of a type that only the caller knows.
func failing(_ service: some TodoService) -> any TodoService {
  Intercepted(service, by: .faults(.on(.add, call: 1, .offline), .on(.items, .serverError)))
}

@MainActor func intercepted(_ interceptors: [Interceptor<InMemoryTodos>]) -> [TodoList] {
  let plan = FaultPlan<InMemoryTodos>(.on(.add, .offline))
  let log = CallLog<InMemoryTodos>(expecting: .atLeast(1, .add))
  let service: any TodoService = InMemoryTodos()
  return [
    TodoList(service: Intercepted(InMemoryTodos(), by: .faults(plan), .log(log), .all(interceptors))),
    TodoList(service: failing(service)),
  ]
}

extension Scenario {
  static let right = Scenario("right", "A user adds a todo.") { run in
    let list = TodoList(service: run.intercepted(InMemoryTodos(), as: "todos"))
    run.watch(list) { $0.isSaving ? "saving" : "\($0.titles)" }
    run.always("saving.ends", list) { $0.isSaving && $0.message != nil ? "both" : nil }
    await run.act { await list.add("Milk") }
    run.expect("saving.ends", !list.isSaving, "still saving")
  }
}

@Test func isRight() async throws {
  try await Scenario.right.sweep()
  try await Scenario.right.run(under: [.at("todos.add", call: 1, .offline)])
}

@MainActor func timeline() async -> Bool {
  let timeline = StateTimeline(of: TodoList(service: InMemoryTodos())) { $0.titles }
  await timeline.subject.add("Milk")
  return timeline.states == [[], ["Milk"]]
}

func unimplemented() -> any TodoService {
  var service = UnimplementedTodoService()
  service.onItems = { () throws(TodoError) in throw .unavailable }
  return service
}

protocol NoteService: Sendable {
  func add(_ text: String, at place: Int) async throws
  func count() async -> Int
}

extension Intercepted: NoteService where Base: NoteService {
  func add(_ text: String, at place: Int) async throws {
    try await intercept(.init("add"), text, place, failure: TodoError.init) { try await $0.add($1, at: $2) }
  }

  func count() async -> Int { await intercept(.init("count")) { await $0.count() } }
}

struct TodoModel: Hashable { var titles: [String] = [] }

enum TodoCommand: ExplorationCommand {
  case add(String)

  static func random(in model: TodoModel, using generator: inout some RandomNumberGenerator) -> Self {
    .add("Milk")
  }

  func call(in model: TodoModel) -> ExplorationCall<any TodoService, TodoModel>? {
    switch self {
    case .add(let title):
      ExplorationCall {
        try await $0.add(title)
      } step: { model, answer in
        model.titles.append(title)
        return answer.returned
      }
    }
  }
}

func backend(isOld: Bool) -> StubBackend {
  StubBackend {
    if isOld {
      Stub(.get, "/notes") { _ in try .json(["Milk"]) }
    } else {
      Stub(.get, "/all-notes") { _ in try .json(["Milk"]) }
    }
    for version in ["v1", "v2"] {
      Stub(.post, "/\(version)/notes", answers: HTTP.Response(status: 201), HTTP.Response(status: 409))
    }
  }
}

@Suite(.recordings("todos")) struct RecordedTests {
  @Test(.recording("todos/add")) func isRecorded() async throws {}
}
