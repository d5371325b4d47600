/// Async sequences, as protocols return them.
public protocol Feed: Sendable {
  func updates(after id: Int) async throws(TodoError) -> AsyncThrowingStream<Int, any Error>
  func plain() async throws -> AsyncThrowingStream<Int, any Error>
  func eventual() async -> AsyncThrowingStream<Int, any Error>
  func immediate(_ id: Int) -> AsyncThrowingStream<Int, any Error>
  var live: AsyncThrowingStream<Int, any Error> { get }
  func steady() -> AsyncStream<Int>
}

/// An async sequence of any type.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public protocol OpaqueFeed: Sendable {
  func numbers() async throws -> any AsyncSequence<Int, any Error> & Sendable
}
