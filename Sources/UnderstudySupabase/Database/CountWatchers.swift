/// Who waits for a count to reach a number.
struct CountWatchers: Sendable {
  private var waiting: [(count: Int, wake: AsyncStream<Never>.Continuation)] = []

  /// A stream that ends when the count is what is waited for, which it may be now.
  mutating func add(for count: Int, now: Int) -> AsyncStream<Never> {
    let (stream, wake) = AsyncStream<Never>.makeStream()
    if count == now { wake.finish() } else { waiting.append((count, wake)) }
    return stream
  }

  /// Wakes those who wait for this count.
  mutating func tell(_ count: Int) {
    for waiter in waiting where waiter.count == count { waiter.wake.finish() }
    waiting.removeAll { $0.count == count }
  }
}
