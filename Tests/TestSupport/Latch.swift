/// Holds one waiter until it is opened, or its task cancelled.
package struct Latch: Sendable {
  private let ends = AsyncStream<Void>.makeStream()

  package init() {}

  package func open() { ends.continuation.finish() }

  package func wait() async {
    for await _ in ends.stream {}
  }

  /// An object that opens the latch when it is released.
  package func opener() -> Opener { Opener(latch: self) }

  package final class Opener: Sendable {
    private let latch: Latch

    package init(latch: Latch) {
      self.latch = latch
    }

    /// Keeps the opener alive up to here.
    package func touch() {}

    deinit {
      latch.open()
    }
  }
}
