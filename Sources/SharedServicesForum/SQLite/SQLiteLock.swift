package import Foundation
package import SharedServices

/// A connection that holds a write lock on a file, as another process might: for tests.
package final class SQLiteLock: Sendable {
  private let connection: Connection

  /// Creates a lock that is not held yet.
  package init(on file: URL) {
    let path = file.path(percentEncoded: false)
    connection = Connection(to: path) { () throws(SQLiteError) in
      try Database(at: path, makesFile: false, busyTimeout: .zero)
    }
  }

  /// Acquires the write lock.
  package func begin() async throws(DataError) {
    try await connection.perform { database throws(SQLiteError) in try database.execute("BEGIN IMMEDIATE") }
  }

  /// Releases the write lock.
  package func end() async {
    try? await connection.perform { database throws(SQLiteError) in try database.execute("ROLLBACK") }
  }
}
