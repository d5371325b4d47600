import Understudy

/// The service of an app, its double, and what the generator writes for it.
protocol TodoService: Sendable {
  func add(_ title: String) async throws -> Int
  func titles() async throws -> [String]
  func count() async -> Int
  func changes() -> AsyncThrowingStream<String, any Error>
}

enum TodoError: Error, Hashable {
  case offline
  case other
}

final class InMemoryTodos: TodoService {
  private let all = Locked<[String]>([])

  func add(_ title: String) async throws -> Int {
    all.withLock { $0.append(title) }
    return all.withLock(\.count)
  }

  func titles() async throws -> [String] { all.withLock(\.self) }

  func count() async -> Int { all.withLock(\.count) }

  func changes() -> AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { continuation in
      for title in all.withLock(\.self) { continuation.yield(title) }
      continuation.finish()
    }
  }
}

extension Intercepted.Operation where Base: TodoService {
  static var add: Self { Self("add") }
  static var titles: Self { Self("titles") }
  static var count: Self { Self("count") }
  static var changes: Self { Self("changes") }
}

extension Intercepted: TodoService where Base: TodoService {
  func add(_ title: String) async throws -> Int {
    try await intercept(.add, title, failure: { TodoError($0) as any Error }) { try await $0.add($1) }
  }

  func titles() async throws -> [String] {
    try await intercept(.titles, failure: { TodoError($0) as any Error }) { try await $0.titles() }
  }

  func count() async -> Int { await intercept(.count) { await $0.count() } }

  func changes() -> AsyncThrowingStream<String, any Error> {
    interceptStream(.changes, streamFailure: { TodoError($0) as any Error }) { $0.changes() }
  }
}

/// What the generator writes with `--write unimplemented`, shortened.
struct UnimplementedTodos: TodoService {
  var onAdd: @Sendable (_ title: String) async throws -> Int = { _ in throw TodoError.other }
  var onTitles: @Sendable () async throws -> [String] = { throw TodoError.other }

  func add(_ title: String) async throws -> Int { try await onAdd(title) }
  func titles() async throws -> [String] { try await onTitles() }
  func count() async -> Int { 0 }
  func changes() -> AsyncThrowingStream<String, any Error> { AsyncThrowingStream { $0.finish() } }
}

extension TodoError {
  init(_ fault: Fault) { self = fault == .offline ? .offline : .other }
}

extension Contract where Subject == any TodoService {
  static func todos(_ name: String) -> Self {
    Contract(name) {
      Clause("\(name).add.counted", "Adding returns the number of items.") { trial in
        trial.expect(try await trial.subject.add("Milk"), equals: 1, "the number")
      }
      Clause("\(name).add.refused", "A full list refuses an item.") { trial in
        try await trial.given(Condition<Void>("the list is full"))
        await trial.expect(throws: TodoError.other) { _ = try await trial.subject.add("Milk") }
      }
    }
  }
}

extension Implementation where Subject == any TodoService {
  static var inMemory: Self { .double("in-memory", InMemoryTodos()) { $0 } }
  static var other: Self { .double("other", InMemoryTodos()) { $0 } }
}
