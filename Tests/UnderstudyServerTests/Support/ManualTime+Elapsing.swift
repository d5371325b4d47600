import Understudy

extension TestClock {
  /// Lets time pass, a second whenever a server looks at its deadlines, until something has happened.
  ///
  /// - Parameters:
  ///   - operation: What happens.
  ///   - each: Done before each second.
  ///   - isOver: Asked before each second whether time is to stand still.
  /// - Returns: What happened.
  func elapsing<Result: Sendable>(
    until operation: @Sendable () async throws -> Result,
    each: @escaping @Sendable () async -> Void = {}, unless isOver: @escaping @Sendable () -> Bool = { false }
  ) async throws -> Result {
    let ticking = Task { try await tick(each, unless: isOver) }
    defer { ticking.cancel() }
    return try await operation()
  }

  /// Until the task is cancelled.
  private func tick(
    _ each: @Sendable () async -> Void, unless isOver: @Sendable () -> Bool
  ) async throws {
    while true {
      await each()
      try await sleepers(atLeast: 1)
      try Task.checkCancellation()
      if isOver() { return }
      advance(by: .seconds(1))
    }
  }
}
