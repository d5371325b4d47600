import UnderstudyDoubles

extension ManualTime {
  /// Lets time pass, a second whenever a server looks at its deadlines, until something has happened.
  ///
  /// - Parameters:
  ///   - operation: What happens.
  ///   - each: Done before each second.
  /// - Returns: What happened.
  func elapsing<Result: Sendable>(
    until operation: @Sendable () async throws -> Result,
    each: @escaping @Sendable () async -> Void = {}
  ) async throws -> Result {
    let ticking = Task { try await tick(each) }
    defer { ticking.cancel() }
    return try await operation()
  }

  /// Until the task is cancelled.
  private func tick(_ each: @Sendable () async -> Void) async throws {
    while true {
      await each()
      try await sleepers(atLeast: 1)
      try Task.checkCancellation()
      advance(by: .seconds(1))
    }
  }
}
