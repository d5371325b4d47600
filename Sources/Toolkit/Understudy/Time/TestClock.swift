public import Foundation

/// A clock that a test advances, or that advances by itself when a task waits.
///
/// ```swift
/// let manual = TestClock()
/// let service = TodoClient(time: manual.time)
/// async let todos = service.items()
/// try await manual.wait(forSleepers: 1)
/// manual.advance(by: .seconds(30))
/// ```
///
/// With ``Mode/immediate``, the test does not advance the clock. As soon as a task waits, the time moves to the
/// earliest deadline of any sleeper, and on from there until the wait is over. A pending timeout alone does not advance
/// the time. A wait inside it does, and if that wait is longer than the timeout, the timeout expires, independent of
/// the number of threads. Retry delays, stalls and timeouts therefore take no real time.
///
/// A wait with a tolerance (`clock.sleep(for:tolerance:)`) does not advance the time either: it is one in the background,
/// such as for the next heartbeat, or a timeout of the code's own, which would otherwise expire at once.
public final class TestClock: Sendable {
  /// What advances the time.
  public enum Mode: Sendable {
    /// Only ``TestClock/advance(by:)`` advances the time.
    case manual
    /// Every wait advances the time, too.
    case immediate
  }

  private let start: Date
  private let clock: ManualClock

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - mode: What advances the time (default: `.manual`).
  ///   - date: The initial date (default: 2026-01-01T00:00:00Z).
  public init(_ mode: Mode = .manual, startingAt date: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
    start = date
    clock = ManualClock(jumps: mode == .immediate)
  }

  /// Creates the clock of a scenario's run: immediate, but the run decides when the timers of its actions fire.
  init(of run: RunRecord) {
    start = Self.firstDate
    clock = ManualClock(of: run)
  }

  /// The default initial date; made once, as a sweep makes a clock for each run.
  private static let firstDate = TestClock().start

  /// The time to inject.
  public var time: Time {
    Time(clock: clock) { [start, clock] in start + clock.now.offset / .seconds(1) }
  }

  /// The current date.
  package var now: Date { time.now }

  /// The time since the start.
  package var elapsed: Duration { clock.now.offset }

  /// The number of sleeping tasks, including timeouts.
  package var sleeperCount: Int { clock.sleepers.count }

  /// Advances the time, and wakes the sleepers whose deadlines it passes, the earliest first.
  ///
  /// Equal deadlines wake in the order in which their tasks began to sleep. When this returns, the date of ``time`` is the new one,
  /// and those sleepers have been resumed, in that order; their continuations run when their executors schedule them.
  /// To wait for a task that then sleeps again, use ``wait(forSleepers:)``.
  ///
  /// A sleeper inside a timeout that expires during the advance stays asleep, because it is about to be cancelled. If
  /// it is not cancelled, because it is in a task of its own, it wakes at the next advance. An immediate clock advances
  /// again once the timeout has returned.
  ///
  /// - Parameter duration: The duration. Time does not go back: a negative duration only wakes sleepers that are due.
  public func advance(by duration: Duration) {
    clock.sleepers.advance(by: duration)
  }

  /// Advances the time to a date, as ``advance(by:)`` does.
  ///
  /// A date in the past only wakes sleepers that are due.
  package func advance(to date: Date) {
    let offset = date.timeIntervalSince(start)
    clock.sleepers.advance(to: offset < 1e15 ? .seconds(max(0, offset)) : ManualClock.never)
  }

  /// Waits until at least this many tasks sleep at the same time, including timeouts; returns at once if they do.
  ///
  /// - Throws: `CancellationError` when the task is cancelled; ``UnderstudyError`` with `.stalled` when no task of the
  ///   process has run for 30 s.
  public func wait(forSleepers count: Int) async throws {
    try await clock.sleepers.wait(forAtLeast: count)
  }
}

/// The clock of a ``TestClock``.
struct ManualClock: TimeLimitClock {
  struct Instant: InstantProtocol {
    /// The time since the start.
    let offset: Duration

    func advanced(by duration: Duration) -> Instant {
      Instant(offset: ManualClock.sum(offset, duration))
    }

    func duration(to other: Instant) -> Duration { other.offset - offset }

    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  /// An unreachable time.
  ///
  /// Sums are clamped to it to prevent overflow, and an immediate clock does not advance to it.
  static let never = Duration.seconds(1e15)

  let sleepers: Sleepers
  /// The scenario's run whose clock it is.
  private let run: RunRecord?

  init(jumps: Bool) {
    sleepers = Sleepers(jumps: jumps)
    run = nil
  }

  init(of run: RunRecord) {
    sleepers = run.sleepers
    self.run = run
  }

  var now: Instant { Instant(offset: sleepers.now) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    if tolerance == nil, deadline < Instant(offset: Self.never), let run, let action = RunRecord.timerOwner {
      return try await run.sleep(until: deadline.offset, of: action)
    }
    // Who needs the exact time gives no tolerance.
    try await sleepers.sleep(until: deadline.offset, inBackground: tolerance != nil)
  }

  func timeLimitIsOver() { sleepers.timeLimitIsOver() }

  static func sum(_ one: Duration, _ other: Duration) -> Duration {
    if one >= never || other >= never { return never }
    if other <= .zero - never { return one }
    return min(never, one + other)
  }
}
