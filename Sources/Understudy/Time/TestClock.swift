public import Foundation

/// Time that a test moves by hand, or that moves by itself whenever somebody waits.
///
/// ```swift
/// let manual = TestClock()
/// let service = TodoClient(time: manual.time)
/// async let todos = service.items()
/// try await manual.sleepers(atLeast: 1)
/// manual.advance(by: .seconds(30))
/// ```
///
/// With ``Mode/immediate``, nobody has to advance: as soon as a task waits, time moves to the earliest deadline of any
/// sleeper, and on from there until the wait is over. A time-out that is pending does not move time, because nobody
/// wants it to run out; a wait inside it that would take longer does, and then the time-out runs out, however many
/// threads there are. So back-offs, stalls and time-outs cost nothing.
public final class TestClock: Sendable {
  /// Who moves the time.
  public enum Mode: Sendable {
    /// Only ``TestClock/advance(by:)`` and ``TestClock/advance(to:)``.
    case manual
    /// Also every wait.
    case immediate
  }

  private let start: Date
  private let clock: ManualClock

  /// A time that stands still.
  ///
  /// - Parameters:
  ///   - mode: Who moves it.
  ///   - date: The date at first; 2026-01-01T00:00:00Z unless told.
  public init(_ mode: Mode = .manual, startingAt date: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
    start = date
    clock = ManualClock(jumps: mode == .immediate)
  }

  /// What to inject.
  public var time: Time {
    Time(clock: clock) { [start, clock] in start + clock.now.offset / .seconds(1) }
  }

  /// The date that it is.
  public var now: Date { time.now }

  /// How much time has passed since the start.
  public var elapsed: Duration { clock.now.offset }

  /// How many tasks sleep, time-outs among them.
  public var sleeperCount: Int { clock.sleepers.count }

  /// Moves time on and wakes the sleepers whose deadlines it passes, the earliest first.
  ///
  /// Equal deadlines wake in the order in which they went to sleep. When this returns, ``now`` is the new date and
  /// those sleepers have been resumed, in that order; what they do next runs when their executors come to it. To
  /// wait for a task that then sleeps again, use ``sleepers(atLeast:)``.
  ///
  /// A sleeper inside a time-out that runs out on the way stays asleep: it is about to be cancelled. If it is not,
  /// because it is in a task of its own, it wakes at the next move; a time that jumps moves on once the time-out has
  /// returned.
  ///
  /// - Parameter duration: How far; time does not go back, so a negative one only wakes whoever is due.
  public func advance(by duration: Duration) {
    clock.sleepers.advance(by: duration)
  }

  /// Moves time on to a date, as ``advance(by:)`` does.
  ///
  /// A date that is over only wakes whoever is due.
  public func advance(to date: Date) {
    let offset = date.timeIntervalSince(start)
    clock.sleepers.advance(to: offset < 1e15 ? .seconds(max(0, offset)) : ManualClock.never)
  }

  /// Waits until so many tasks sleep at the same time, time-outs among them; returns at once if they do.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleepers(atLeast count: Int) async throws {
    try await clock.sleepers.wait(forAtLeast: count)
  }
}
