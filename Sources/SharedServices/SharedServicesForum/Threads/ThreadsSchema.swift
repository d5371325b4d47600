import SharedServicesSQLite

/// The schema of a ``SQLiteThreadsRepository`` file and its migrations.
enum ThreadsSchema {
  /// The migrations from each version to the next; a new file has version 0.
  ///
  /// Shipped migrations never change.
  static let migrations = [
    """
    CREATE TABLE threads (
      id INTEGER PRIMARY KEY,
      forum_id INTEGER,
      title TEXT NOT NULL,
      is_sticky INTEGER NOT NULL,
      is_closed INTEGER NOT NULL,
      icons TEXT NOT NULL,
      bookmark INTEGER,
      author_id INTEGER NOT NULL,
      author_name TEXT NOT NULL,
      reply_count INTEGER NOT NULL,
      rating_vote_count INTEGER,
      rating_average REAL,
      unread_count INTEGER,
      last_post_date REAL NOT NULL,
      last_post_author TEXT NOT NULL
    );
    CREATE INDEX threads_as_listed ON threads (forum_id, is_sticky DESC, last_post_date DESC, id DESC);
    """
  ]

  /// Opens the connection that writes.
  ///
  /// It syncs only at checkpoints (`synchronous = NORMAL`): stored values survive a crash of the process, and a power
  /// failure may lose the latest calls, each as a whole (sqlite.org/pragma.html#pragma_synchronous).
  static func writer(
    at path: String, busyTimeout: Duration, migrations: [String] = migrations
  ) throws(SQLiteError) -> Database {
    let database = try Database(at: path, makesFile: true, busyTimeout: busyTimeout)
    let mode = try database.whileBusy { () throws(SQLiteError) in
      try database.statement("PRAGMA journal_mode = WAL").rows { $0.text(0) }
    }
    guard mode == ["wal"] else {
      throw SQLiteError(
        code: SQLITE_CANTOPEN,
        message:
          "its file system has no shared memory, which readers beside a writer need. Put it on a local disk")
    }
    try database.execute("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
    try migrate(database, by: migrations)
    return database
  }

  /// Opens a connection that reads and is never blocked by a writer.
  static func reader(at path: String, busyTimeout: Duration) throws(SQLiteError) -> Database {
    let database = try Database(at: path, makesFile: false, busyTimeout: busyTimeout)
    try database.execute("PRAGMA query_only = ON")
    return database
  }

  /// Migrates a file to the newest version.
  static func migrate(_ database: Database, by migrations: [String]) throws(SQLiteError) {
    let newest = migrations.count
    // Usually the file is up to date, and no write lock is necessary.
    if try version(of: database) == newest { return }
    try database.transaction { () throws(SQLiteError) in
      let version = try version(of: database)
      guard (0...newest).contains(version) else {
        throw SQLiteError(
          code: SQLITE_CANTOPEN,
          message: "its version is \(version), and this app knows those up to \(newest). Update the app, "
            + "or delete the file and load the threads again")
      }
      for migration in migrations[version...] { try database.execute(migration) }
      try database.execute("PRAGMA user_version = \(newest)")
    }
  }

  private static func version(of database: Database) throws(SQLiteError) -> Int {
    try database.whileBusy { () throws(SQLiteError) in
      try database.statement("PRAGMA user_version").rows { $0.int(0) }.first ?? 0
    }
  }
}
