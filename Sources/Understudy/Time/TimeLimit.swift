/// A clock that may hold sleepers back until a time-out around them is over.
package protocol TimeLimitClock: Clock<Duration> {
  /// A time-out on this clock has returned.
  func timeLimitIsOver()
}

/// One time-out, for a manual clock that must know which sleepers it will cancel.
package final class TimeLimit: Sendable {
  package enum Phase: Sendable {
    /// Its deadline does not sleep yet.
    case coming
    /// Its deadline sleeps.
    case running
    /// Its deadline has passed, and what is inside is being cancelled.
    case ranOut
    /// It has returned: whoever inherited it has nothing to expect from it.
    case over
  }

  /// What it runs on.
  package let clock: any Clock<Duration>
  package let phase = Locked(Phase.coming)

  init(on clock: any Clock<Duration>) {
    self.clock = clock
  }

  /// The one whose deadline this task sleeps for.
  @TaskLocal package static var own: TimeLimit?
  /// Those that this task runs in, the outermost first.
  @TaskLocal package static var enclosing: [TimeLimit] = []
}
