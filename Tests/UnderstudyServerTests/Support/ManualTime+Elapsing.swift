import UnderstudyDoubles

extension ManualTime {
  /// Lets time pass, a second whenever a server looks at its deadlines, until something has happened.
  ///
  /// - Returns: What happened.
  func elapsing<Result: Sendable>(
    until operation: @Sendable () async throws -> Result
  ) async throws -> Result {
    let ticking = Task { try await tick() }
    defer { ticking.cancel() }
    return try await operation()
  }

  /// Until the task is cancelled.
  private func tick() async throws {
    while true {
      try await sleepers(atLeast: 1)
      try Task.checkCancellation()
      advance(by: .seconds(1))
    }
  }
}
