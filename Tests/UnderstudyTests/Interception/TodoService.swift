import Understudy
import UnderstudyHTTP

/// A service with typed throws, as an adopter has one.
protocol TodoService: Sendable {
  func add(_ title: String, priority: Int) async throws(TodoError) -> String
  func titles() async throws(TodoError) -> [String]
  func cached() -> [String]
}

/// The adopter's own errors.
enum TodoError: Error, Hashable {
  case refused(status: Int)
  case noAnswer(TransportError.Code)
  case unreadable
  case full

  /// The whole mapping: one switch.
  init(_ fault: Fault) {
    switch fault.symptom {
    case .status(let status): self = .refused(status: status)
    case .transport(let code): self = .noAnswer(code)
    case .unreadable, .delay, .altered: self = .unreadable
    }
  }
}

final class InMemoryTodos: TodoService {
  private let all = Locked<[String]>([])

  func add(_ title: String, priority: Int) async throws(TodoError) -> String {
    if title == "one too many" { throw .full }
    all.withLock { $0.append(title) }
    return title
  }

  func titles() async throws(TodoError) -> [String] { cached() }

  func cached() -> [String] { all.withLock { $0 } }
}

extension Intercepted.Operation where Base: TodoService {
  static var add: Self { Self("add") }
  static var titles: Self { Self("titles") }
  static var cached: Self { Self("cached") }
}

extension Intercepted: TodoService where Base: TodoService {
  func add(_ title: String, priority: Int) async throws(TodoError) -> String {
    try await intercept(.add, title, priority, failure: TodoError.init) { base throws(TodoError) in
      try await base.add(title, priority: priority)
    }
  }

  func titles() async throws(TodoError) -> [String] {
    try await intercept(.titles, failure: TodoError.init) { base throws(TodoError) in
      try await base.titles()
    }
  }

  func cached() -> [String] {
    forward(.cached) { $0.cached() }
  }
}

/// A service with plain throws, on the main actor.
@MainActor protocol NoteService: Sendable {
  func save(_ note: String) async throws -> Int
}

@MainActor final class InMemoryNotes: NoteService {
  private(set) var notes: [String] = []

  func save(_ note: String) async throws -> Int {
    notes.append(note)
    return notes.count
  }
}

extension Intercepted.Operation where Base: NoteService {
  static var save: Self { Self("save") }
}

extension Intercepted: NoteService where Base: NoteService {
  func save(_ note: String) async throws -> Int {
    try await intercept(.save, note, failure: { TodoError($0) }) { try await $0.save(note) }
  }
}
