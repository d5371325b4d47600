/// Holds one waiter until it is opened, or its task cancelled.
struct Latch: Sendable {
  private let ends = AsyncStream<Void>.makeStream()

  func open() { ends.continuation.finish() }

  func wait() async {
    for await _ in ends.stream {}
  }
}
