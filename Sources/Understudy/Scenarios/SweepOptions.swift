/// The options of a sweep.
public struct SweepOptions: Sendable, Hashable {
  /// The seed of all randomness: the sample of pairs, and the random values of the scenario.
  public var seed: UInt64
  /// The number of pairs of faults to sample; `nil` for all pairs.
  public var pairLimit: Int?
  /// The part of the schedules to run.
  public var shard: SweepShard
  /// The duration after which a run is abandoned as ``Scenario/stuck``.
  public var timeLimit: Duration

  /// Creates options.
  public init(
    seed: UInt64 = 0, pairLimit: Int? = 500, shard: SweepShard = .whole, timeLimit: Duration = .seconds(60)
  ) {
    self.seed = seed
    self.pairLimit = pairLimit
    self.shard = shard
    self.timeLimit = timeLimit
  }
}
