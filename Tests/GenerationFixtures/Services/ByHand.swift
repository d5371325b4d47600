public import GenerationFixturesBase

/// What no double can be written for is written by hand beside it.
public protocol Assorted: Sendable {
  static func make() -> Int
  func add(_ numbers: Int...) async throws(TodoError) -> Int
  func load() async throws(TodoError) -> Int
}

/// Conforming to what the standard library asks is left to a hand too.
public protocol Named: Sendable, CustomStringConvertible {
  func rename(_ name: String) async throws(TodoError)
}

/// A second protocol that refines the same one, whose conformance must not be written twice.
public protocol Door: Closing {
  func open() async throws(TodoError)
}
