package import Foundation
package import SharedServices

/// A connection that begins to write a file and does not end, as another process might: for trials.
package final class SQLiteLock: Sendable {
  private let connection: Connection

  /// A lock that does not hold yet.
  package init(on file: URL) {
    let path = file.path(percentEncoded: false)
    connection = Connection(to: path) { () throws(SQLiteError) in
      try Database(at: path, makesFile: false, busyTimeout: .zero)
    }
  }

  /// Keeps others from writing.
  package func begin() async throws(DataError) {
    try await connection.perform { database throws(SQLiteError) in try database.execute("BEGIN IMMEDIATE") }
  }

  /// Lets others write.
  package func end() async {
    try? await connection.perform { database throws(SQLiteError) in try database.execute("ROLLBACK") }
  }
}
