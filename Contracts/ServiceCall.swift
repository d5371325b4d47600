import SharedServices
import Understudy

/// One call of a service, for clauses that say the same of each of its methods.
struct ServiceCall<Service: Sendable>: Sendable {
  let name: String
  let run: @Sendable (Service) async throws -> Void
}

extension Trial {
  /// Expects that the call throws this error.
  func expect(
    _ call: ServiceCall<Subject>, throws expected: AppError, fileID: String = #fileID, line: Int = #line
  ) async {
    await expect(throwing: expected, by: call.name, fileID, line) { try await call.run(subject) }
  }

  /// Expects that the call throws this error.
  func expect(
    _ call: ServiceCall<Subject>, throws expected: DataError, fileID: String = #fileID, line: Int = #line
  ) async {
    await expect(throwing: expected, by: call.name, fileID, line) { try await call.run(subject) }
  }

  /// Expects that each call throws `.cancelled` in a task that was cancelled before.
  ///
  /// - Parameter cancelled: The `.cancelled` of the service's errors.
  func expectCancelled(
    beforehand calls: [ServiceCall<Subject>], with cancelled: some Error & Equatable = AppError.cancelled,
    fileID: String = #fileID, line: Int = #line
  ) async {
    for call in calls {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await call.run(subject)
      }
      await expect(throwing: cancelled, by: call.name, fileID, line) { try await task.value }
    }
  }

  /// Expects that each call throws `.cancelled` when its task is cancelled while it is held on its way.
  ///
  /// - Parameter cancelled: The `.cancelled` of the service's errors.
  func expectCancelled(
    underWay calls: [ServiceCall<Subject>], with cancelled: some Error & Equatable = AppError.cancelled,
    fileID: String = #fileID, line: Int = #line
  ) async throws {
    try await during(.callsAreHeld) { held in
      for (index, call) in calls.enumerated() {
        let task = Task { try await call.run(subject) }
        await held.arrival(index + 1)
        task.cancel()
        await expect(throwing: cancelled, by: call.name, fileID, line) { try await task.value }
      }
    }
  }

  private func expect<Failure: Error & Equatable>(
    throwing expected: Failure, by name: String, _ fileID: String, _ line: Int,
    from operation: () async throws -> Void
  ) async {
    await expect("\(name) to throw \(expected)", fileID: fileID, line: line, from: operation) {
      ($0 as? Failure) == expected
    }
  }
}
