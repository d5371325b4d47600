import Foundation
import Understudy
import UnderstudyHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The URL error that the work throws, if any.
func urlError(of work: () async throws -> Void) async -> URLError? {
  do {
    try await work()
    return nil
  } catch {
    return error as? URLError
  }
}

/// A counter of its released tokens.
final class Releases: Sendable {
  private let counted = Locked(0)

  var count: Int { counted.withLock { $0 } }

  /// Creates an object that is counted when it is released.
  func token() -> Token { Token(releases: self) }

  final class Token: Sendable {
    private let releases: Releases

    init(releases: Releases) {
      self.releases = releases
    }

    /// Keeps the token alive up to here.
    func touch() {}

    deinit {
      releases.counted.withLock { $0 += 1 }
    }
  }
}
