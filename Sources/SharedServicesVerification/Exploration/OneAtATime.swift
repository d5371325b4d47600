import Understudy

/// Lets in one task at a time, and turns away whoever comes meanwhile.
struct OneAtATime: Sendable {
  private let isTaken = Locked(false)

  /// Runs a body; `nil` if another one is under way.
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
