import Foundation
import GenerationFixtures
import Understudy

/// A base with requirements of every kind.
final class Todos: TodoService {
  /// The calls, in order.
  let asked = Locked<[String]>([])

  private func note(_ what: String) { asked.withLock { $0.append(what) } }

  func close() async { note("close") }
  var closings: Int { get async throws { 1 } }
  func add(_ title: String) async throws(TodoError) -> Todo {
    note("add \(title)")
    return Todo(title: title)
  }
  func add(_ title: String, at index: Int) async throws(TodoError) -> Todo {
    note("add \(title) at \(index)")
    return Todo(title: title)
  }
  func add(_ titles: [String]) async throws(TodoError) -> Todo { Todo(title: titles.joined()) }
  func items() async throws -> [Todo] { [] }
  func count() async -> Int { 7 }
  func cached() -> [Todo] { [Todo(title: "cached")] }
  func checked(_ title: String) throws(TodoError) -> Bool {
    if title.isEmpty { throw .duplicate }
    return true
  }
  func move(
    from base: Int, to target: GenerationFixtures.Operation
  ) async throws(TodoError) -> (from: Int, to: GenerationFixtures.Operation) { (base, target) }
  func `repeat`(in for: Int, _ while: UUID?) async throws(TodoError) -> Int { `for` }
  nonisolated(nonsending) func submit(_ draft: Draft) async throws { draft.title += "!" }
  func count(into total: inout Int) async throws(TodoError) { total += 7 }
  func each(_ body: @escaping @Sendable (Todo) async throws -> Void) async throws {
    try await body(Todo(title: "each"))
  }
  func sorted(by areInOrder: (Todo, Todo) -> Bool) -> [Todo] {
    [Todo(title: "b"), Todo(title: "a")].sorted(by: areInOrder)
  }
  func lazily(_ title: @autoclosure () -> String) -> String { title() }
  func keep(_ titles: consuming [String], beside others: borrowing [String]) async throws(TodoError) {
    note("keep \(titles.joined()) beside \(others[0])")
  }
  func any(of titles: [String]) async throws(TodoError) -> String? { titles.first }
  var name: String { "todos" }
  var remaining: Int { get async { 3 } }
  var latest: Todo { get async throws(TodoError) { Todo(title: "latest") } }
  var strict: Todo { get throws(TodoError) { throw .duplicate } }
  subscript(_ index: Int) -> Todo { Todo(title: "\(index)") }
  subscript(named name: String) -> Todo { get async throws(TodoError) { Todo(title: name) } }
  @available(*, deprecated, message: "Ask for the items.")
  func everything() async throws(TodoError) -> [Todo] { [] }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func news() async throws(TodoError) -> String { "news" }
}

/// A base with associated types.
struct Words: Repository, Cache {
  let words: [String]
  func save(_ item: String) async throws {}
  func all() async throws(TodoError) -> [String] { words }
  func first(where isIncluded: @Sendable (String) -> Bool) async -> String? { words.first(where: isIncluded) }
  func cached() async throws -> String? { words.last }
  typealias Marker = Int
}

/// A base with generic methods.
struct Coder: Coding {
  func encode<Value: Encodable & Sendable>(_ value: Value) async throws -> String {
    String(decoding: try JSONEncoder().encode([value]), as: UTF8.self)
  }
  func decode<Value: Decodable & SendableMetatype>(
    _ type: Value.Type, from text: String
  ) async throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
  func describe(_ values: some Sequence<Int> & Sendable) async throws -> String { "\(Array(values))" }
  func join<each Part: Sendable>(_ part: repeat each Part) async throws -> Int {
    var count = 0
    for _ in repeat each part { count += 1 }
    return count
  }
}

/// A base on the main actor.
@MainActor final class Screen: NoteScreen {
  var title = "old"
  func save(_ note: String) async throws(TodoError) -> Int { note.count }
  func shown() -> [String] { [title] }
  nonisolated func prefetch() async throws -> Int { 1 }
}
