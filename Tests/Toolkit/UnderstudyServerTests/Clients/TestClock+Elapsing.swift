import Understudy

extension TestClock {
  /// Advances the clock by a second whenever a server checks its deadlines, until an operation has ended.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - each: Called before each second.
  ///   - isOver: Called before each second; returns whether to stop the clock.
  /// - Returns: The result of the operation.
  func elapsing<Result: Sendable>(
    until operation: @Sendable () async throws -> Result,
    each: @escaping @Sendable () async -> Void = {}, unless isOver: @escaping @Sendable () -> Bool = { false }
  ) async throws -> Result {
    let ticking = Task { try await tick(each, unless: isOver) }
    defer { ticking.cancel() }
    return try await operation()
  }

  /// Advances the clock until the task is cancelled.
  private func tick(
    _ each: @Sendable () async -> Void, unless isOver: @Sendable () -> Bool
  ) async throws {
    while true {
      await each()
      try await wait(forSleepers: 1)
      try Task.checkCancellation()
      if isOver() { return }
      advance(by: .seconds(1))
    }
  }
}
