/// The progress of a sweep.
public struct SweepProgress: Sendable, Hashable {
  /// The number of faults in the current schedules.
  public let faults: Int
  /// The number of schedules of this kind that have been run.
  public let done: Int
  /// The total number of schedules of this kind.
  public let total: Int
  /// The current schedule.
  public let schedule: FaultSchedule
}
