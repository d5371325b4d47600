import UnderstudyPrimitives

/// Delays drawn from a range, evenly spread.
final class Latency: Sendable {
  private let range: ClosedRange<Duration>
  private let generator: Locked<SeededGenerator>

  init(_ range: ClosedRange<Duration>, seed: UInt64) {
    self.range = range
    generator = Locked(SeededGenerator(seed: seed))
  }

  func next() -> Duration {
    guard range.lowerBound < range.upperBound else { return range.lowerBound }
    let fraction = generator.withLock { Double.random(in: 0...1, using: &$0) }
    return range.lowerBound + (range.upperBound - range.lowerBound) * fraction
  }
}
