import SharedServices
import Understudy

/// A call of a service, for clauses that apply to each of its methods.
struct ServiceCall<Service: Sendable>: Sendable {
  let name: String
  let run: @Sendable (Service) async throws -> Void
}

extension Trial {
  /// Expects the call to throw an error.
  func expect(
    _ call: ServiceCall<Subject>, throws expected: AppError, fileID: String = #fileID, line: Int = #line
  ) async {
    await expect(throwing: expected, by: call.name, fileID, line) { try await call.run(subject) }
  }

  /// Expects the call to throw an error.
  func expect(
    _ call: ServiceCall<Subject>, throws expected: DataError, fileID: String = #fileID, line: Int = #line
  ) async {
    await expect(throwing: expected, by: call.name, fileID, line) { try await call.run(subject) }
  }

  /// Expects each call to throw `.cancelled` in a task that is cancelled before the call.
  ///
  /// - Parameter cancelled: The `.cancelled` case of the service's error.
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

  /// Expects each call to throw `.cancelled` when its task is cancelled while the call is held in transit.
  ///
  /// - Parameter cancelled: The `.cancelled` case of the service's error.
  func expectCancelled(
    underWay calls: [ServiceCall<Subject>], with cancelled: some Error & Equatable = AppError.cancelled,
    fileID: String = #fileID, line: Int = #line
  ) async throws {
    try await during(.callsAreHeld) { held in
      for (index, call) in calls.enumerated() {
        let task = Task { try await call.run(subject) }
        await held.wait(forCalls: index + 1)
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
