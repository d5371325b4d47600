package import Understudy

/// A service with typed throws, like one of an adopter.
package protocol TodoService: Sendable {
  func add(_ title: String, priority: Int) async throws(TodoError) -> String
  func titles() async throws(TodoError) -> [String]
  func cached() -> [String]
}

/// The adopter's own errors.
package enum TodoError: Error, Hashable {
  case unauthorized, forbidden, notFound, conflict, unprocessable, refused, serverError, unavailable
  case rateLimited(retryAfter: Duration?)
  case timedOut, offline, unreachable, connectionLost, cancelled
  case unreadable, unimplemented
  /// A refusal by the service itself, which no fault maps to.
  case full

  package init(_ fault: Fault) { self.init(fault.symptom) }

  /// The complete mapping, in one switch.
  package init(_ symptom: Fault.Symptom) {
    self =
      switch symptom {
      case .unauthorized: .unauthorized
      case .forbidden: .forbidden
      case .notFound: .notFound
      case .conflict: .conflict
      case .unprocessable: .unprocessable
      case .rateLimited(let delay): .rateLimited(retryAfter: delay)
      case .refused: .refused
      case .serverError: .serverError
      case .unavailable: .unavailable
      case .timedOut: .timedOut
      case .offline: .offline
      case .unreachable: .unreachable
      case .connectionLost: .connectionLost
      case .cancelled: .cancelled
      case .unreadable, .delayed, .altered: .unreadable
      case .unimplemented: .unimplemented
      }
  }

  /// Whether a server rejected the call.
  package var isRefusal: Bool {
    switch self {
    case .unauthorized, .forbidden, .notFound, .conflict, .unprocessable, .refused, .serverError,
      .unavailable,
      .rateLimited:
      true
    default: false
    }
  }
}

package final class InMemoryTodos: TodoService {
  private let all = Locked<[String]>([])

  package init() {}

  package func add(_ title: String, priority: Int) async throws(TodoError) -> String {
    if title == "one too many" { throw .full }
    all.withLock { $0.append(title) }
    return title
  }

  package func titles() async throws(TodoError) -> [String] { cached() }

  package func cached() -> [String] { all.withLock { $0 } }
}

extension Intercepted.Operation where Base: TodoService {
  package static var add: Self { Self("add") }
  package static var titles: Self { Self("titles") }
  package static var cached: Self { Self("cached") }
}

extension Intercepted: TodoService where Base: TodoService {
  package func add(_ title: String, priority: Int) async throws(TodoError) -> String {
    try await intercept(.add, title, priority, failure: TodoError.init) {
      base, title, priority throws(TodoError) in
      try await base.add(title, priority: priority)
    }
  }

  package func titles() async throws(TodoError) -> [String] {
    try await intercept(.titles, failure: TodoError.init) { base throws(TodoError) in
      try await base.titles()
    }
  }

  package func cached() -> [String] {
    forward(.cached) { $0.cached() }
  }
}

/// A service with plain throws, on the main actor.
@MainActor package protocol NoteService: Sendable {
  func save(_ note: String) async throws -> Int
}

@MainActor package final class InMemoryNotes: NoteService {
  package private(set) var notes: [String] = []

  package init() {}

  package func save(_ note: String) async throws -> Int {
    notes.append(note)
    return notes.count
  }
}

extension Intercepted.Operation where Base: NoteService {
  package static var save: Self { Self("save") }
}

extension Intercepted: NoteService where Base: NoteService {
  package func save(_ note: String) async throws -> Int {
    try await intercept(.save, note, failure: { TodoError($0) }) { try await $0.save($1) }
  }
}
