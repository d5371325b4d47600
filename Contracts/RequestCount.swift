package import Understudy

extension Condition where Fixture == RequestCount {
  /// The requests of the service are counted.
  ///
  /// The fixture returns their number.
  package static var requestsAreCounted: Self { Condition("requests are counted") }
}

/// The number of requests of a service.
package struct RequestCount: Sendable {
  private let count: @Sendable () -> Int

  /// Creates a count of requests, answered or not.
  package init(_ count: @escaping @Sendable () -> Int) {
    self.count = count
  }

  /// Returns the number of requests so far.
  package func callAsFunction() -> Int { count() }
}

extension Trial {
  /// Expects each call to make one request under each condition, whatever its outcome.
  func expectOneRequest(
    of calls: [ServiceCall<Subject>], under conditions: [Condition<Void>], fileID: String = #fileID,
    line: Int = #line
  ) async throws {
    let requests = try await given(.requestsAreCounted)
    for condition in conditions {
      try await during(condition) {
        for call in calls {
          let before = requests()
          do { try await call.run(subject) } catch {}
          expect(
            requests() - before, equals: 1, "the number of requests of \(call.name) while \(condition)",
            fileID: fileID, line: line)
        }
      }
    }
  }

  /// Expects no request since a count.
  func expectNoRequest(
    since before: Int = 0, by requests: RequestCount, fileID: String = #fileID, line: Int = #line
  ) {
    expect(requests() - before, equals: 0, "the number of requests", fileID: fileID, line: line)
  }
}
