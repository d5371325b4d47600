/// How much of a sweep is done.
public struct SweepOptions: Sendable, Hashable {
  /// What everything random comes from: the sample of pairs, and what the scenario draws.
  public var seed: UInt64
  /// How many pairs of faults are tried, a sample of all; `nil` is all of them.
  public var pairLimit: Int?
  /// Which part of the schedules is run.
  public var shard: SweepShard
  /// How long one run may take before it is given up as ``Scenario/stuck``.
  public var timeLimit: Duration

  /// A sweep.
  public init(
    seed: UInt64 = 0, pairLimit: Int? = 500, shard: SweepShard = .whole, timeLimit: Duration = .seconds(60)
  ) {
    self.seed = seed
    self.pairLimit = pairLimit
    self.shard = shard
    self.timeLimit = timeLimit
  }
}
