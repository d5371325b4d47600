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
