import Foundation

/// The processor time that a closure takes, which is independent of load on the machine, with that of all threads.
func processorTime(_ body: () async throws -> Void) async throws -> Duration {
  let start = clock()
  try await body()
  return .microseconds(Double(clock() - start) * 1_000_000 / Double(CLOCKS_PER_SEC))
}

/// How often something happens in a second of processor time.
///
/// - Parameter body: Returns how often it has happened.
func rate(_ body: () async throws -> Int) async throws -> Double {
  var count = 0
  let time = try await processorTime { count = try await body() }
  return Double(count) / (time / .seconds(1))
}
