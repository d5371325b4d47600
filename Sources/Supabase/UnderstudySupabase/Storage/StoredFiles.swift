import Foundation
import Understudy

/// The bytes of the objects of Storage, by their versions; everything else about an object is in its row.
final class StoredFiles: Sendable {
  private let files = Locked<[String: Data]>([:])

  subscript(version: String) -> Data? {
    get { files.withLock { $0[version] } }
    set { files.withLock { $0[version] = newValue } }
  }
}
