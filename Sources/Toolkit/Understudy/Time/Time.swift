public import Foundation

/// A date and a clock, injected as one value.
///
/// An app uses ``system``. A test injects that of a ``TestClock``, on which a thirty-second timeout takes no real time.
public struct Time: Sendable {
  /// The clock of sleeps and timeouts.
  public let clock: any Clock<Duration>
  /// The source of the date.
  ///
  /// A service that takes a clock and a source of the date receives both from one time:
  /// `LiveTodoService(clock: time.clock, now: time.date)`.
  public let date: @Sendable () -> Date

  /// Creates a time from a clock and a source of the date.
  public init(clock: any Clock<Duration>, now date: @escaping @Sendable () -> Date) {
    self.clock = clock
    self.date = date
  }

  /// The system's date, and a clock that continues while the device sleeps.
  public static let system = Time(clock: ContinuousClock()) { Date() }

  /// Whether waits take real time.
  package var isSystem: Bool { clock is ContinuousClock || clock is SuspendingClock }

  /// The current date.
  public var now: Date { date() }

  /// Waits for a duration.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await clock.sleep(for: duration)
  }

  /// Waits until a background activity is due, such as the next heartbeat.
  ///
  /// An immediate clock does not advance for this wait, nor for one of its clock that has a tolerance.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled.
  package func sleep(inBackgroundFor duration: Duration) async throws {
    try await clock.sleep(for: duration, tolerance: Self.tolerance)
  }

  /// The tolerance of sleeps that need not be exact.
  private static let tolerance = Duration.milliseconds(10)

  /// Runs an operation and cancels it when it takes longer than `limit`; `nil` for no limit.
  ///
  /// - Throws: `TimeoutError`, or the error of the operation.
  package func withTimeout<Result: Sendable>(
    _ limit: Duration?, _ operation: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    guard let limit else { return try await operation() }
    let timeLimit = TimeLimit(on: clock)
    defer {
      timeLimit.phase.withLock { $0 = .over }
      (clock as? any TimeLimitClock)?.timeLimitIsOver()
    }
    return try await withThrowingTaskGroup(of: Result?.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        try await TimeLimit.$enclosing.withValue(TimeLimit.enclosing + [timeLimit], operation: operation)
      }
      group.addTask { [clock] in
        try await TimeLimit.$own.withValue(timeLimit) {
          try await clock.sleep(for: limit, tolerance: Self.tolerance)
        }
        return nil
      }
      guard let first = try await group.next(), let result = first else {
        throw TimeoutError(limit: limit)
      }
      return result
    }
  }
}

/// An error thrown when an operation exceeds its time limit.
package struct TimeoutError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The time limit.
  package let limit: Duration

  /// The failure in one sentence.
  package var description: String { "Nothing arrived for \(limit)." }
}

extension Time {
  /// Waits until the task is cancelled.
  ///
  /// On a manual clock, a pending timeout ends this wait.
  package func stall() async throws {
    if let clock = clock as? ManualClock {
      try await clock.sleep(until: ManualClock.Instant(offset: ManualClock.never), tolerance: nil)
    } else {
      try await Signal<Void>().value()
    }
  }
}

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
