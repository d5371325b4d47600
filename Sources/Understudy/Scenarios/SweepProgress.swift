/// How far a sweep has come.
public struct SweepProgress: Sendable, Hashable {
  /// How many faults a schedule has now.
  public let faults: Int
  /// How many schedules of this kind have been run.
  public let done: Int
  /// How many there are.
  public let total: Int
  /// The schedule that is run now.
  public let schedule: FaultSchedule
}
