/// The options of a sweep.
package struct SweepOptions: Sendable, Hashable {
  /// The seed of all randomness: the sample of pairs, and the random values of the scenario.
  package var seed: UInt64
  /// The number of pairs of faults to sample; `nil` for all pairs.
  package var pairLimit: Int?
  /// The part of the schedules to run.
  package var shard: SweepShard
  /// The duration after which a run is abandoned as ``Scenario/stuck``.
  package var timeLimit: Duration

  /// Creates options.
  package init(
    seed: UInt64 = 0, pairLimit: Int? = 500, shard: SweepShard = .whole, timeLimit: Duration = .seconds(60)
  ) {
    self.seed = seed
    self.pairLimit = pairLimit
    self.shard = shard
    self.timeLimit = timeLimit
  }
}
