import Understudy

/// A counter of its released tokens.
package final class Releases: Sendable {
  private let counted = Locked(0)

  package init() {}

  package var count: Int { counted.withLock { $0 } }

  /// Creates an object that is counted when it is released.
  package func token() -> Token { Token(releases: self) }

  package final class Token: Sendable {
    private let releases: Releases

    init(releases: Releases) {
      self.releases = releases
    }

    /// Keeps the token alive up to here.
    package func touch() {}

    deinit {
      releases.counted.withLock { $0 += 1 }
    }
  }
}
