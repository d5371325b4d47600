public import Foundation
public import GenerationFixturesBase

/// A thing to do.
public struct Todo: Hashable, Sendable {
  /// What is to be done.
  public let title: String

  /// A thing to do.
  public init(title: String) {
    self.title = title
  }
}

/// What goes wrong; a fault becomes one of these in the target of the doubles.
public enum TodoError: Error, Hashable {
  case duplicate
  case unavailable(String)
}

/// A type of the same name as one of the toolkit.
public enum Operation: Hashable, Sendable {
  case first, second
}

/// Goes nowhere else.
public final class Draft {
  /// What may be to be done.
  public var title = ""

  /// An empty one.
  public init() {}
}

/// Effects, overloads, properties, and names that need care; it refines a protocol of another module.
public protocol TodoService: Closing {
  @discardableResult
  func add(_ title: String) async throws(TodoError) -> Todo
  func add(_ title: String, at index: Int) async throws(TodoError) -> Todo
  func add(_ titles: [String]) async throws(TodoError) -> Todo
  func items() async throws -> [Todo]
  func count() async -> Int
  func cached() -> [Todo]
  func checked(_ title: String) throws(TodoError) -> Bool
  func move(from base: Int, to target: Operation) async throws(TodoError) -> (from: Int, to: Operation)
  func `repeat`(in for: Int, _ while: UUID?) async throws(TodoError) -> Int
  nonisolated(nonsending) func submit(_ draft: Draft) async throws
  func count(into total: inout Int) async throws(TodoError)
  func each(_ body: @escaping @Sendable (Todo) async throws -> Void) async throws
  func sorted(by areInOrder: (Todo, Todo) -> Bool) -> [Todo]
  func lazily(_ title: @autoclosure () -> String) -> String
  func keep(_ titles: consuming [String], beside others: borrowing [String]) async throws(TodoError)
  func any(of titles: [String]) async throws(TodoError) -> String?
  var name: String { get }
  var remaining: Int { get async }
  var latest: Todo { get async throws(TodoError) }
  var strict: Todo { get throws(TodoError) }
  subscript(_ index: Int) -> Todo { get }
  subscript(named name: String) -> Todo { get async throws(TodoError) }
  @available(*, deprecated, message: "Ask for the items.")
  func everything() async throws(TodoError) -> [Todo]
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func news() async throws(TodoError) -> String
}
