import SharedServicesSQLite
package import Foundation
package import SharedServices

/// A connection to a database file and its prepared statements, for one thread at a time.
final class Database {
  private let handle: OpaquePointer
  private let busyTimeout: Duration
  private var statements: [String: Statement] = [:]
  private var seenVersion: Int?

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - makesFile: Whether to create a missing file.
  ///   - busyTimeout: The maximum time to wait for another connection that writes.
  init(at path: String, makesFile: Bool, busyTimeout: Duration) throws(SQLiteError) {
    // Only one thread at a time uses it, so it needs no mutex.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (makesFile ? SQLITE_OPEN_CREATE : 0)
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let error = SQLiteError(code: handle.map { sqlite3_extended_errcode($0) } ?? code, of: handle)
      sqlite3_close_v2(handle)
      throw error
    }
    self.handle = handle
    self.busyTimeout = busyTimeout
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Self.millisecondsBetweenLooks)
    // A slow statement regularly checks whether its task is cancelled.
    sqlite3_progress_handler(handle, 1_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
  }

  deinit {
    // Statements belong to the connection, so they are finalized first.
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// Returns a statement, which is prepared on first use.
  func statement(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try Statement(sql, on: handle)
    statements[sql] = statement
    return statement
  }

  /// Runs statements once that return no rows.
  func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code: code, of: handle) }
  }

  /// Runs `body` in an exclusive write transaction, which is rolled back if `body` throws.
  func transaction<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    let begin = try statement("BEGIN IMMEDIATE")
    do throws(SQLiteError) {
      // Inside the `do`, because an interrupted statement may have begun the transaction.
      try whileBusy { () throws(SQLiteError) in try begin.run() }
      let result = try body()
      try statement("COMMIT").run()
      return result
    } catch {
      // Some errors have already ended the transaction (sqlite.org/lang_transaction.html §2).
      if isInTransaction { try? statement("ROLLBACK").run() }
      throw error
    }
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Repeats `body` while the database is busy, until the time-out or the task's cancellation.
  ///
  /// A reader may find the database busy too: while another connection creates or deletes the log, as the first and the
  /// last connection of a file do, or recovers it after a crash (sqlite.org/wal.html §5).
  func whileBusy<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    let clock = ContinuousClock()
    let deadline = clock.now + busyTimeout
    while true {
      do throws(SQLiteError) {
        return try body()
      } catch {
        guard error.primaryCode == SQLITE_BUSY else { throw error }
        // Checked only after a failure, so that a free database is used at once.
        if Task.isCancelled { throw .interrupted }
        guard clock.now < deadline else { throw error }
      }
    }
  }

  /// Returns whether another connection has stored something since the last call.
  func hasChanged() throws(SQLiteError) -> Bool {
    let version = try whileBusy { () throws(SQLiteError) in
      try statement("PRAGMA data_version").rows { $0.int(0) }.first
    }
    defer { seenVersion = version }
    return seenVersion != version
  }

  /// The time that SQLite waits before it reports that the database is busy.
  private static let millisecondsBetweenLooks: Int32 = 10
}

/// An error that SQLite reports.
struct SQLiteError: Error, CustomStringConvertible {
  /// The extended result code (sqlite.org/rescode.html).
  let code: Int32
  let message: String

  init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  /// Creates the last error of a connection.
  ///
  /// - Parameter handle: The connection; `nil` if there was no memory for one.
  init(code: Int32, of handle: OpaquePointer?) {
    self.init(code: code, message: String(cString: handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)))
  }

  /// The task was cancelled before the operation finished.
  static var interrupted: SQLiteError {
    SQLiteError(code: SQLITE_INTERRUPT, message: "interrupted")
  }

  /// The primary part of the extended result code.
  var primaryCode: Int32 { code & 0xFF }

  var description: String { "\(message) (SQLite result code \(code))" }
}

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

  /// Drops the table of the threads, as another program might.
  package func losesThreads() async throws(DataError) {
    try await connection.perform { database throws(SQLiteError) in try database.execute("DROP TABLE threads")
    }
  }

  /// Releases the write lock.
  package func end() async {
    try? await connection.perform { database throws(SQLiteError) in try database.execute("ROLLBACK") }
  }
}
