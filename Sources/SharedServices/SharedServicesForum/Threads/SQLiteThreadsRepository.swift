public import Foundation
public import SharedServices

/// A repository of threads in an SQLite file.
///
/// One connection writes and another reads, each on a thread of its own. A reader never waits for a writer; a writer
/// waits for the writers of other processes. Stored values survive a crash of the process once the call has returned; a
/// power failure may lose the latest calls, each as a whole.
///
/// Other repositories may use the same file, also in other processes. Their changes are visible to the next call.
/// Observers receive them when this repository is next used, because SQLite reports such changes only on request.
public final class SQLiteThreadsRepository: ThreadsRepository {
  // Seed 002 stores with Core Data, which Linux has not, in one container of the app. Its context for views is `reader`
  // here, the one for the background is `writer`, and a merge is a signal to the observers.
  private let writer: Connection
  private let reader: Connection
  private let observers = Guarded(ThreadListObservers())

  // Seed 002 traps if the store cannot be loaded, which a full or damaged disk can cause.
  /// Opens a file, creates it if it is missing, and migrates a file of an older version.
  ///
  /// - Parameters:
  ///   - file: The file, in an existing folder. SQLite creates two more beside it, with `-wal` and `-shm` in their
  ///     names.
  ///   - busyTimeout: The maximum time that a call waits while another process writes, before it fails.
  /// - Throws: `.storeError` if the file cannot be opened, is not a database, or has a newer version.
  public init(at file: URL, busyTimeout: Duration = .seconds(5)) async throws(DataError) {
    let path = file.path(percentEncoded: false)
    writer = Connection(to: path) { () throws(SQLiteError) in
      try ThreadsSchema.writer(at: path, busyTimeout: busyTimeout)
    }
    reader = Connection(to: path) { () throws(SQLiteError) in
      try ThreadsSchema.reader(at: path, busyTimeout: busyTimeout)
    }
    try await writer.perform { _ in }
    try await reader.perform { _ in }
  }

  /// The number of observers.
  package var observerCount: Int { observers.withLock(\.count) }

  /// Stores threads; see `ThreadsRepository`.
  public func save(_ threads: [ForumThread]) async throws(DataError) {
    try await store(threads) { database, store throws(SQLiteError) in
      for thread in threads { try store(thread, thread.forumID) }
    }
  }

  /// Replaces the threads of a forum; see `ThreadsRepository`.
  public func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError) {
    try await store(threads) { database, store throws(SQLiteError) in
      let delete = try database.statement("DELETE FROM threads WHERE forum_id = ?1")
      try delete.bind(forumID, at: 1)
      try delete.run()
      for thread in threads { try store(thread, forumID) }
    }
  }

  /// Returns the threads of a forum; see `ThreadsRepository`.
  public func threads(
    inForum forumID: Int, offset: Int, limit: Int?
  ) async throws(DataError) -> [ForumThread] {
    try await read { database throws(SQLiteError) in
      let select = try database.statement(StoredThreadRow.page)
      try select.bind(forumID, at: 1)
      // SQLite treats a negative limit as no limit.
      try select.bind(limit.map { max(0, $0) } ?? -1, at: 2)
      try select.bind(max(0, offset), at: 3)
      return try select.rows(StoredThreadRow.thread)
    }
  }

  /// Returns a thread; see `ThreadsRepository`.
  public func thread(id: Int) async throws(DataError) -> ForumThread? {
    try await read { database throws(SQLiteError) in
      let select = try database.statement(StoredThreadRow.select + " WHERE id = ?1")
      try select.bind(id, at: 1)
      return try select.rows(StoredThreadRow.thread).first
    }
  }

  /// Marks a thread; see `ThreadsRepository`.
  public func markRead(threadID: Int, upTo index: Int?) async throws(DataError) {
    try await write { database throws(SQLiteError) in
      let update = try database.statement(StoredThreadRow.mark)
      try update.bind(threadID, at: 1)
      // The first post of a thread is not counted as a reply.
      try update.bind(index.map { max(1, $0) - 1 }, at: 2)
      try update.run()
    }
  }

  /// Sets or removes a bookmark; see `ThreadsRepository`.
  public func setBookmark(
    _ bookmark: ForumThread.Bookmark?, threadID: Int
  ) async throws(DataError) {
    try await write { database throws(SQLiteError) in
      let update = try database.statement("UPDATE threads SET bookmark = ?2 WHERE id = ?1")
      try update.bind(threadID, at: 1)
      try update.bind(bookmark?.rawValue, at: 2)
      try update.run()
    }
  }

  /// Removes threads; see `ThreadsRepository`.
  public func delete(threadIDs: [Int]) async throws(DataError) {
    try await write { database throws(SQLiteError) in
      let delete = try database.statement("DELETE FROM threads WHERE id = ?1")
      for id in threadIDs {
        if Task.isCancelled { throw .interrupted }
        try delete.bind(id, at: 1)
        try delete.run()
      }
    }
  }

  /// Streams the list of a forum and every change to it; see `ThreadsRepository`.
  public func changes(
    inForum forumID: Int
  ) async throws(DataError) -> AsyncThrowingStream<ThreadListChange, any Error> {
    let signals = observers.withLock { all in
      all.add { [weak observers] id in observers?.withLock { $0.remove(id) } }
    }
    let first = try await threads(inForum: forumID, offset: 0, limit: nil)
    return signals.changes(from: first.sections) { () async throws(DataError) in
      try await self.threads(inForum: forumID, offset: 0, limit: nil).sections
    }
  }

  private func store(
    _ threads: [ForumThread],
    _ body: @Sendable (Database, (ForumThread, Int?) throws(SQLiteError) -> Void) throws(SQLiteError) -> Void
  ) async throws(DataError) {
    for thread in threads { try thread.checkIsStorable() }
    try await write { database throws(SQLiteError) in
      let upsert = try database.statement(StoredThreadRow.upsert)
      try body(database) { thread, forumID throws(SQLiteError) in
        if Task.isCancelled { throw .interrupted }
        try StoredThreadRow.bind(thread, inForum: forumID, to: upsert)
        try upsert.run()
      }
    }
  }

  private func write(_ body: @Sendable (Database) throws(SQLiteError) -> Void) async throws(DataError) {
    try await writer.perform { database throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in try body(database) }
    }
    observers.withLock { $0.signal() }
  }

  private func read<Value: Sendable>(
    _ body: @Sendable (Database) throws(SQLiteError) -> Value
  ) async throws(DataError) -> Value {
    try await reader.perform { [observers] database throws(SQLiteError) in
      // Checked before reading, so that later changes are noticed next time. Signaled at once, because a change is
      // reported only once, even if reading fails.
      if try database.hasChanged() { observers.withLock { $0.signal() } }
      return try database.whileBusy { () throws(SQLiteError) in try body(database) }
    }
  }
}
