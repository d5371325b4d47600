public import Foundation

/// Now, and a clock: everything that a component may know of time, injected as one value.
///
/// In an app it is ``system``; a test hands in a manual one, on which a thirty-second time-out costs nothing.
public struct Time: Sendable {
  /// What sleeps and time-outs run on.
  public let clock: any Clock<Duration>
  private let date: @Sendable () -> Date

  /// A clock, and what tells the date.
  public init(clock: any Clock<Duration>, now date: @escaping @Sendable () -> Date) {
    self.clock = clock
    self.date = date
  }

  /// The system's date, and a clock that goes on while the device sleeps.
  public static let system = Time(clock: ContinuousClock()) { Date() }

  /// The current date.
  public var now: Date { date() }

  /// Waits.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await clock.sleep(for: duration)
  }

  /// Waits until something is due that nobody waits for, such as the next heartbeat.
  ///
  /// A manual time that moves by itself whenever somebody waits does not move for this.
  ///
  /// - Throws: `CancellationError` at once when the task is cancelled.
  public func sleep(inBackgroundFor duration: Duration) async throws {
    try await SleepPurpose.$current.withValue(.deadline) { try await clock.sleep(for: duration) }
  }

  /// Runs an operation and cancels it once it has taken longer than `limit`; `nil` is no limit.
  ///
  /// - Throws: ``TimeoutError``, or what the operation throws.
  public func withTimeout<Result: Sendable>(
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
          try await SleepPurpose.$current.withValue(.deadline) { try await clock.sleep(for: limit) }
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

/// An operation took longer than its time limit.
public struct TimeoutError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The time limit.
  public let limit: Duration

  /// One sentence.
  public var description: String { "Nothing arrived for \(limit)." }
}

/// Why a task sleeps, for a manual clock that moves on by itself when somebody waits, but not for a deadline.
package enum SleepPurpose: Sendable {
  /// The sleeper wants the time to pass.
  case wait
  /// The sleeper hopes to be cancelled before it is over.
  case deadline

  @TaskLocal package static var current = SleepPurpose.wait
}
