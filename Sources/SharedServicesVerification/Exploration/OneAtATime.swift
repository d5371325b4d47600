import Understudy

/// A guard that admits one task at a time and rejects the others.
struct OneAtATime: Sendable {
  private let isTaken = Locked(false)

  /// Runs a body; returns `nil` if another one is running.
  func run<Result>(_ body: () async throws -> Result) async rethrows -> Result? {
    let enters = isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
    guard enters else { return nil }
    defer { isTaken.withLock { $0 = false } }
    return try await body()
  }
}
