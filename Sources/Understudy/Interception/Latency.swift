import UnderstudyPrimitives

/// Delays drawn from a distribution, one after another.
final class Latency: Sendable {
  private let distribution: LatencyDistribution
  private let generator: Locked<SeededGenerator>

  init(_ distribution: LatencyDistribution, seed: UInt64) {
    self.distribution = distribution
    generator = Locked(SeededGenerator(seed: seed))
  }

  func next() -> Duration {
    generator.withLock { distribution.next(using: &$0) }
  }
}
