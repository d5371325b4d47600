import Foundation
import Understudy
import UnderstudyHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The error of a session that the work throws, if it does.
func urlError(of work: () async throws -> Void) async -> URLError? {
  do {
    try await work()
    return nil
  } catch {
    return error as? URLError
  }
}

/// Counts the objects that hold it and are gone.
final class Releases: Sendable {
  private let counted = Locked(0)

  var count: Int { counted.withLock { $0 } }

  /// An object that is counted when it goes.
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
