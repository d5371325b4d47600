/// A clock that may hold sleepers back until an enclosing timeout has ended.
package protocol TimeLimitClock: Clock<Duration> {
  /// Called when a timeout on this clock has returned.
  func timeLimitIsOver()
}

/// One timeout, for a manual clock that must know which sleepers it will cancel.
package final class TimeLimit: Sendable {
  package enum Phase: Sendable {
    /// Its deadline does not sleep yet.
    case coming
    /// Its deadline sleeps.
    case running
    /// Its deadline has passed, and its operation is being cancelled.
    case ranOut
    /// It has returned and no longer cancels tasks that inherited it.
    case over
  }

  /// The clock of the timeout.
  package let clock: any Clock<Duration>
  package let phase = Locked(Phase.coming)

  init(on clock: any Clock<Duration>) {
    self.clock = clock
  }

  /// The timeout whose deadline this task sleeps for.
  @TaskLocal package static var own: TimeLimit?
  /// The timeouts that enclose this task, the outermost first.
  @TaskLocal package static var enclosing: [TimeLimit] = []
}
