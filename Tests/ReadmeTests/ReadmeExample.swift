import Foundation
import Observation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyRecordingTesting
import UnderstudyServer
import UnderstudyTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The code of README.md, and the little app that it is about.

protocol TodoService: Sendable {
  func add(_ title: String) async throws(TodoError) -> Todo
  func items() async throws(TodoError) -> [Todo]
}

struct Todo: Hashable, Sendable {
  let title: String
}

enum TodoError: Error, Hashable {
  case duplicate
  case unavailable

  init(_ fault: Fault) {
    self = fault.symptom == .conflict ? .duplicate : .unavailable
  }
}

struct InMemoryTodoService: TodoService {
  private let todos = Locked<[Todo]>([])

  func add(_ title: String) async throws(TodoError) -> Todo {
    try todos.withLock { todos throws(TodoError) in
      let todo = Todo(title: title)
      if todos.contains(todo) { throw .duplicate }
      todos.append(todo)
      return todo
    }
  }

  func items() async throws(TodoError) -> [Todo] { todos.withLock { $0 } }
}

/// Keeps the todos at the end of a transport.
struct LiveTodoService: TodoService {
  let transport: any HTTPTransport
  var baseURL = URL(string: "http://todos.invalid")

  func add(_ title: String) async throws(TodoError) -> Todo {
    let (_, status) = try await send(.post, Data(title.utf8))
    if status == 409 { throw .duplicate }
    return Todo(title: title)
  }

  func items() async throws(TodoError) -> [Todo] {
    let (data, _) = try await send(.get, nil)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map { Todo(title: String($0)) }
  }

  private func send(_ method: HTTP.Method, _ body: Data?) async throws(TodoError) -> (Data, Int) {
    guard let url = baseURL?.appending(path: "todos") else { throw .unavailable }
    do throws(TransportError) {
      let (data, response) = try await transport.data(for: HTTP.Request(method, url, body: body))
      return (data, response.status)
    } catch {
      throw .unavailable
    }
  }
}

struct TodoBackend: HTTPHandler {
  private let titles = Locked<[String]>([])

  func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    titles.withLock { titles in
      guard let body = request.body else {
        return HTTP.Response(status: 200, body: HTTP.Body(Data(titles.joined(separator: "\n").utf8)))
      }
      let title = String(decoding: body, as: UTF8.self)
      if titles.contains(title) { return HTTP.Response(status: 409) }
      titles.append(title)
      return HTTP.Response(status: 201)
    }
  }
}

@MainActor @Observable final class TodoViewModel {
  private(set) var isSaving = false
  private(set) var message: String?
  private let service: any TodoService

  init(service: any TodoService) {
    self.service = service
  }

  func add(_ title: String) async {
    isSaving = true
    defer { isSaving = false }
    do {
      _ = try await service.add(title)
    } catch {
      message = error == .duplicate ? "There is already one." : "Please try again."
    }
  }
}

enum Shown: Equatable {
  case idle, saving, failed(String)

  @MainActor init(_ model: TodoViewModel) {
    self = model.isSaving ? .saving : model.message.map { .failed($0) } ?? .idle
  }
}

extension Implementation where Subject == any TodoService {
  static var inMemory: Self { Implementation("in-memory") { _ in InMemoryTodoService() } }
  static var live: Self {
    Implementation("live") { _ in
      LiveTodoService(transport: InProcessTransport(to: TodoBackend()))
    }
  }
}

// MARK: - README.md

extension Contract where Subject == any TodoService {
  static var todoService: Self {
    Contract("todos") {
      Clause("todos.add.listed", "An item that was added is listed.") { trial in
        let item = try await trial.subject.add("Milk")
        trial.expect(try await trial.subject.items(), equals: [item])
      }
    }
  }
}

extension Intercepted.Operation where Base: TodoService {
  static var add: Self { Self("add") }
  static var items: Self { Self("items") }
}

extension Intercepted: TodoService where Base: TodoService {
  func add(_ title: String) async throws(TodoError) -> Todo {
    try await intercept(.add, title, failure: TodoError.init) { base, title throws(TodoError) in
      try await base.add(title)
    }
  }

  func items() async throws(TodoError) -> [Todo] {
    try await intercept(.items, failure: TodoError.init) { base throws(TodoError) in
      try await base.items()
    }
  }
}

struct ReadmeExample {
  @Test(arguments: Contract.todoService.checks(of: .inMemory, .live))
  func honours(_ check: ContractCheck<any TodoService>) async throws { try await check.run() }

  @MainActor @Test func aDuplicateIsShown() async {
    let service = Intercepted(InMemoryTodoService(), by: .faults(.on(.add, .conflict)))
    let timeline = StateTimeline(of: TodoViewModel(service: service)) { Shown($0) }
    await timeline.subject.add("Milk")
    #expect(timeline.states == [.idle, .saving, .failed("There is already one.")])
  }

  @Test func theSecondAddTimesOut() async throws {
    let time = TestClock(.immediate).time
    let backend = InProcessTransport(to: TodoBackend(), time: time)
    let transport = Intercepted(backend, by: .faults(.on(.post("/todos"), call: 2, .timeout)), time: time)
    let service = LiveTodoService(transport: transport)
    _ = try await service.add("Milk")
    await #expect(throws: TodoError.unavailable) { try await service.add("Bread") }
  }

  // `upstream` is what is recorded; without it, the network.
  @Test(.recording("todos/add", in: .module, upstream: InProcessTransport(to: TodoBackend())))
  func addsOverTheWire() async throws {
    let service = LiveTodoService(transport: .recorded)
    #expect(try await service.add("Milk") == Todo(title: "Milk"))
    await #expect(throws: TodoError.duplicate) { try await service.add("Milk") }
  }

  @Test func aSessionIsAnsweredFromARecordingToo() async throws {
    try await withRecording("todos/add", in: .module, upstream: InProcessTransport(to: TodoBackend())) { _ in
      let session = URLSession(configuration: .over(.recorded))
      for status in [201, 409] {
        var request = URLRequest(url: try #require(URL(string: "http://todos.invalid/todos")))
        request.httpMethod = "POST"
        request.httpBody = Data("Milk".utf8)
        let (_, response) = try await session.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == status)
      }
    }
  }

  @Test func theSecondAddIsResetOnASocket() async throws {
    let server = try await MockServer(TodoBackend(), faults: .on(.post("/todos"), call: 2, .connectionLost))
    let service = LiveTodoService(transport: URLSessionTransport(), baseURL: server.url)
    _ = try await service.add("Milk")
    await #expect(throws: TodoError.unavailable) { try await service.add("Bread") }
    await server.close()
  }
}
