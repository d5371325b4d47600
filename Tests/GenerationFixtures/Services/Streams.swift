/// Async sequences, as protocols return them.
public protocol Feed: Sendable {
  func updates(after id: Int) async throws(TodoError) -> AsyncThrowingStream<Int, any Error>
  func plain() async throws -> AsyncThrowingStream<Int, any Error>
  func eventual() async -> AsyncThrowingStream<Int, any Error>
  func immediate(_ id: Int) -> AsyncThrowingStream<Int, any Error>
  var live: AsyncThrowingStream<Int, any Error> { get }
  func steady() -> AsyncStream<Int>
  func opaque() async throws -> any AsyncSequence<Int, any Error> & Sendable
}
