/// The progress of a sweep.
package struct SweepProgress: Sendable, Hashable {
  /// The number of faults in the current schedules.
  package let faults: Int
  /// The number of schedules of this kind that have been run.
  package let done: Int
  /// The total number of schedules of this kind.
  package let total: Int
  /// The current schedule.
  package let schedule: FaultSchedule
}
