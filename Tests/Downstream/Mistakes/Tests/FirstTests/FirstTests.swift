import Observation
import Testing
import Understudy
import UnderstudyTesting

// The app: a service behind a protocol, and a screen.
protocol TodoService: Sendable {
  func add(_ title: String) async throws(TodoError)
  func titles() async throws(TodoError) -> [String]
}

enum TodoError: Error { case duplicate, unavailable }

@MainActor @Observable final class TodoList {
  private(set) var titles: [String] = []
  private(set) var isSaving = false
  private(set) var message: String?
  private let service: any TodoService

  init(service: any TodoService) { self.service = service }

  func add(_ title: String) async {
    isSaving = true
    do throws(TodoError) {
      try await service.add(title)
      titles = try await service.titles()
      isSaving = false
    } catch {
      message = error == .duplicate ? "There is already one." : "Please try again later."
    }
  }
}

// A double, and what every implementation must do: the live one passes the same clauses.
actor InMemoryTodos: TodoService {
  private var stored: [String] = []

  func add(_ title: String) throws(TodoError) {
    if stored.contains(title) { throw .duplicate }
    stored.append(title)
  }

  func titles() -> [String] { stored }
}

extension Contract where Subject == any TodoService {
  static var todos: Self {
    Contract("todos") {
      Clause("todos.add.duplicate", "A second todo of the same title is refused, and nothing is stored.") {
        trial in
        try await trial.subject.add("Milk")
        await trial.expect(throws: TodoError.duplicate) { try await trial.subject.add("Milk") }
        trial.expect(try await trial.subject.titles(), equals: ["Milk"])
      }
    }
  }
}

@Test(arguments: Contract.todos.checks(of: .double("in-memory", InMemoryTodos()) { $0 }))
func honours(_ check: ContractCheck<any TodoService>) async throws { try await check.run() }

// A screen, under every fault at every call. `understudy generate` writes the conformance.
extension Intercepted: TodoService where Base: TodoService {
  func add(_ title: String) async throws(TodoError) {
    try await intercept(.init("add"), title, failure: TodoError.init) { base, title throws(TodoError) in
      try await base.add(title)
    }
  }

  func titles() async throws(TodoError) -> [String] {
    try await intercept(.init("titles"), failure: TodoError.init) { base throws(TodoError) in
      try await base.titles()
    }
  }
}

extension TodoError {
  init(_ fault: Fault) { self = fault.symptom == .conflict ? .duplicate : .unavailable }
}

extension Scenario {
  static let saving = Scenario("saving", "A user adds a todo.") { run in
    let list = TodoList(service: run.intercepted(InMemoryTodos(), as: "todos"))
    run.watch(list) { $0.isSaving ? "saving" : $0.message ?? "\($0.titles)" }
    await run.act { await list.add("Milk") }
    run.expect("saving.ends", !list.isSaving, "the list still shows that it is saving")
  }
}

@Test func theListIsRightWhateverFails() async throws { try await Scenario.saving.sweep() }
