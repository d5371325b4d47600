/// Holds one waiter until it is opened, or its task cancelled.
struct Latch: Sendable {
  private let ends = AsyncStream<Void>.makeStream()

  func open() { ends.continuation.finish() }

  func wait() async {
    for await _ in ends.stream {}
  }

  /// An object that opens the latch when it goes.
  func opener() -> Opener { Opener(latch: self) }

  final class Opener: Sendable {
    private let latch: Latch

    init(latch: Latch) {
      self.latch = latch
    }

    /// Keeps the opener alive up to here.
    func touch() {}

    deinit {
      latch.open()
    }
  }
}
