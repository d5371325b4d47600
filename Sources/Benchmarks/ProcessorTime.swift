import Foundation

enum ProcessorTime {
  /// The processor time of this process in microseconds, which is independent of load on the machine.
  static var now: Double { Double(clock()) * 1_000_000 / Double(CLOCKS_PER_SEC) }
}

/// How often something happens in a second of processor time.
///
/// - Parameter body: Returns how often it has happened.
func rate(_ body: () async throws -> Int) async throws -> Double {
  let start = ProcessorTime.now
  let count = try await body()
  return Double(count) / ((ProcessorTime.now - start) / 1_000_000)
}
