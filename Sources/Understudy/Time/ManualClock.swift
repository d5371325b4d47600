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

  init(jumps: Bool) {
    sleepers = Sleepers(jumps: jumps)
  }

  var now: Instant { Instant(offset: sleepers.now) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await sleepers.sleep(until: deadline.offset, for: SleepPurpose.current)
  }

  func timeLimitIsOver() { sleepers.timeLimitIsOver() }

  static func sum(_ one: Duration, _ other: Duration) -> Duration {
    if one >= never || other >= never { return never }
    if other <= .zero - never { return one }
    return min(never, one + other)
  }
}
