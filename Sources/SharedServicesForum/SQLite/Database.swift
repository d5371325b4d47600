import CSQLite

/// A connection to a database file, with the statements that it has prepared; used by one thread at a time.
final class Database {
  private let handle: OpaquePointer
  private let busyTimeout: Duration
  private var statements: [String: Statement] = [:]
  private var seenVersion: Int?

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - makesFile: Whether to make it where there is none.
  ///   - busyTimeout: How long to wait for another connection that writes.
  init(at path: String, makesFile: Bool, busyTimeout: Duration) throws(SQLiteError) {
    // One thread at a time uses it, so it needs no lock of its own.
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
    // A statement that takes long looks now and then whether its task is cancelled.
    sqlite3_progress_handler(handle, 1_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
  }

  deinit {
    // They are finalised first, because they belong to the connection.
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// A statement, prepared when it is asked for the first time.
  func statement(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try Statement(sql, on: handle)
    statements[sql] = statement
    return statement
  }

  /// Runs statements that are used once and return nothing.
  func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code: code, of: handle) }
  }

  /// Runs `body` in a transaction that is the only one that writes: all that it does is stored or, with an error, nothing.
  func transaction<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    let begin = try statement("BEGIN IMMEDIATE")
    do throws(SQLiteError) {
      // In here too: one that is interrupted may have begun the transaction before it says so.
      try whileBusy { () throws(SQLiteError) in try begin.run() }
      let result = try body()
      try statement("COMMIT").run()
      return result
    } catch {
      // Some errors have ended the transaction already (sqlite.org/lang_transaction.html §2).
      if isInTransaction { try? statement("ROLLBACK").run() }
      throw error
    }
  }

  /// Whether a transaction was begun and not ended.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Tries again while another connection is in the way, until the time-out or the task's cancellation.
  ///
  /// Also who reads alone may meet one: that makes the log or takes it away, as the first one of a file and the last one
  /// do, or that mends it after a crash (sqlite.org/wal.html §5).
  func whileBusy<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    let clock = ContinuousClock()
    let deadline = clock.now + busyTimeout
    while true {
      do throws(SQLiteError) {
        return try body()
      } catch {
        guard error.primaryCode == SQLITE_BUSY else { throw error }
        // Not looked at before, so that what is free is had at once.
        if Task.isCancelled { throw .interrupted }
        guard clock.now < deadline else { throw error }
      }
    }
  }

  /// Whether any other connection has stored something since this was asked last.
  func hasChanged() throws(SQLiteError) -> Bool {
    let version = try whileBusy { () throws(SQLiteError) in
      try statement("PRAGMA data_version").rows { $0.int(0) }.first
    }
    defer { seenVersion = version }
    return seenVersion != version
  }

  /// How long SQLite waits by itself before it says that it is busy.
  private static let millisecondsBetweenLooks: Int32 = 10
}
