import CSQLite

/// How the file of a ``SQLiteThreadsRepository`` looks, and how an older one becomes so.
enum ThreadsSchema {
  /// What leads from each version to the next, of which a new file has 0.
  ///
  /// What has been shipped never changes.
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

  /// The connection that writes.
  ///
  /// It syncs at checkpoints alone (`synchronous = NORMAL`): what was stored survives the end of the process by whatever
  /// means, and a power cut may take the latest calls, each whole (sqlite.org/pragma.html#pragma_synchronous).
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

  /// A connection that reads, which no writer blocks.
  static func reader(at path: String, busyTimeout: Duration) throws(SQLiteError) -> Database {
    let database = try Database(at: path, makesFile: false, busyTimeout: busyTimeout)
    try database.execute("PRAGMA query_only = ON")
    return database
  }

  /// Brings a file up to date.
  static func migrate(_ database: Database, by migrations: [String]) throws(SQLiteError) {
    let newest = migrations.count
    // Most often there is nothing to do, and nobody who writes has to be waited for.
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
