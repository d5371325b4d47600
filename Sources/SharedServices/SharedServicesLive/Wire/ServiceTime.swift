import Foundation
import SharedServices

/// The clock and the date of a service.
struct ServiceTime: Sendable {
  let clock: any Clock<Duration>
  let date: @Sendable () -> Date

  var now: Date { date() }

  /// Waits for a duration.
  func sleep(for duration: Duration) async throws {
    try await clock.sleep(for: duration)
  }

  /// Waits until a background activity is due, such as the next heartbeat.
  ///
  /// It need not be exact, so the system may combine it with other wake-ups.
  func sleep(inBackgroundFor duration: Duration) async throws {
    try await clock.sleep(for: duration, tolerance: .milliseconds(100))
  }

  /// Runs an operation and cancels it when it takes longer than `limit`.
  ///
  /// - Throws: `.network(.timeout)`, or the error of the operation.
  func withTimeout<Result: Sendable>(
    _ limit: Duration, _ operation: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { group in
      defer { group.cancelAll() }
      group.addTask(operation: operation)
      group.addTask {
        try await sleep(inBackgroundFor: limit)
        return nil
      }
      guard let first = try await group.next(), let result = first else { throw AppError.network(.timeout) }
      return result
    }
  }
}
