import Foundation
import SharedServices
import TestSupport
import Testing
import UnderstudyTesting

@testable import SharedServicesForum
@testable import Understudy

@Suite(.stallLimit()) struct DatabaseTests {
  /// A disk that is full fails in the middle of a transaction, after some of its rows.
  @Test func whatDoesNotFitIsStoredNotAtAll() throws {
    let folder = try TemporaryFolder()
    let database = try ThreadsSchema.writer(at: folder.file.path, busyTimeout: .zero)
    let upsert = try database.statement(StoredThreadRow.upsert)
    func save(_ ids: ClosedRange<Int>) throws(SQLiteError) {
      try database.transaction { () throws(SQLiteError) in
        for id in ids {
          try StoredThreadRow.bind(thread(id), inForum: 1, to: upsert)
          try upsert.run()
        }
      }
    }
    try save(1...10)
    let pages = try database.statement("PRAGMA page_count").rows { $0.int(0) }[0]
    try database.execute("PRAGMA max_page_count = \(pages + 10)")
    let error = #expect(throws: SQLiteError.self) { try save(11...5_000) }
    #expect(error?.description == "database or disk is full (SQLite result code 13)")
    #expect(try database.statement("SELECT count(*) FROM threads").rows { $0.int(0) } == [10])
    try database.execute("PRAGMA max_page_count = 1000000")
    try save(11...20)
    #expect(try database.statement("SELECT count(*) FROM threads").rows { $0.int(0) } == [20])
  }

  /// A slow disk holds a statement, and the screen goes on.
  @MainActor @Test func theMainActorGoesOnWhileThreadsAreStored() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file.path
    let connection = Connection(to: path) { () throws(SQLiteError) in
      try ThreadsSchema.writer(at: path, busyTimeout: .zero)
    }
    let (begun, disk) = (Latch(), DispatchSemaphore(value: 0))
    let storing = Task {
      try await connection.perform { database throws(SQLiteError) in
        try database.transaction { () throws(SQLiteError) in
          begun.open()
          // On the main queue it would wait for ever, because the main actor releases it.
          if !MainQueue.isCurrent { disk.wait() }
          let upsert = try database.statement(StoredThreadRow.upsert)
          try StoredThreadRow.bind(thread(1), inForum: 1, to: upsert)
          try upsert.run()
        }
        return MainQueue.isCurrent
      }
    }
    await begun.wait()
    let repository = try await SQLiteThreadsRepository(at: folder.file)
    #expect(try await repository.all() == [], "A reader does not wait for the disk either.")
    disk.signal()
    #expect(try await storing.value == false)
    #expect(try await repository.all() == [thread(1)])
  }

  /// SQLite counts the steps of a statement over all of its runs, so that about each two-hundredth BEGIN is interrupted
  /// when it has begun already.
  @Test func aTransactionThatIsInterruptedAtItsBeginningLeavesNoneOpen() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file.path
    let task = Task {
      let database = try ThreadsSchema.writer(at: path, busyTimeout: .zero)
      withUnsafeCurrentTask { $0?.cancel() }
      for _ in 0..<1_000 {
        try? database.transaction { () throws(SQLiteError) in }
        #expect(database.isInTransaction == false)
      }
    }
    try await task.value
  }

  /// A page of a list is read in the order of an index, so that nothing is sorted and nothing else is read.
  @Test func aPageIsReadByTheIndex() throws {
    let folder = try TemporaryFolder()
    let database = try ThreadsSchema.writer(at: folder.file.path, busyTimeout: .zero)
    let plan = try database.statement("EXPLAIN QUERY PLAN \(StoredThreadRow.page)").rows { $0.text(3) }
    #expect(plan == ["SEARCH threads USING INDEX threads_as_listed (forum_id=?)"])
  }

  @Test func theFileHasTheSettingsThatKeepWhatAProcessStored() throws {
    let folder = try TemporaryFolder()
    let database = try ThreadsSchema.writer(at: folder.file.path, busyTimeout: .zero)
    #expect(try database.statement("PRAGMA journal_mode").rows { $0.text(0) } == ["wal"])
    #expect(try database.statement("PRAGMA synchronous").rows { $0.int(0) } == [1])
    #expect(try database.statement("PRAGMA foreign_keys").rows { $0.int(0) } == [1])
  }

  @Test func theConnectionThatReadsCannotWrite() throws {
    let folder = try TemporaryFolder()
    _ = try ThreadsSchema.writer(at: folder.file.path, busyTimeout: .zero)
    let reader = try ThreadsSchema.reader(at: folder.file.path, busyTimeout: .zero)
    #expect(throws: SQLiteError.self) { try reader.execute("DELETE FROM threads") }
  }

  /// Beside a writer that does not end, readers read what was there before.
  @Test func aReaderWaitsForNoWriter() async throws {
    let folder = try TemporaryFolder()
    let repository = try await SQLiteThreadsRepository(at: folder.file)
    try await repository.save([thread(1)])
    let lock = SQLiteLock(on: folder.file)
    try await lock.begin()
    #expect(try await repository.all() == [thread(1)])
    await lock.end()
  }

  /// The wait for another process ends with the task that waits, long before the time-out.
  @Test func aWaitForAnotherWriterCanBeCancelled() async throws {
    let folder = try TemporaryFolder()
    let repository = try await SQLiteThreadsRepository(at: folder.file, busyTimeout: .seconds(3_600))
    let lock = SQLiteLock(on: folder.file)
    try await lock.begin()
    let save = Task { try await repository.save([thread(1)]) }
    save.cancel()
    await #expect(throws: DataError.cancelled) { try await save.value }
    let other = Task { try await repository.save([thread(2)]) }
    await lock.end()
    try await other.value
    #expect(try await repository.all() == [thread(2)])
  }

  /// When several processes open a file at once, one creates or removes the log, and the others wait for it.
  ///
  /// A cancelled wait fails as interrupted; without a wait, the call would fail as busy.
  @Test func readingTheVersionWaitsForAnExclusiveLock() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file.path
    try ThreadsSchema.writer(at: path, busyTimeout: .zero).execute("PRAGMA user_version = 0")
    let other = try Database(at: path, makesFile: false, busyTimeout: .zero)
    try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let database = try Database(at: path, makesFile: false, busyTimeout: .seconds(3_600))
      let migration = #expect(throws: SQLiteError.self) { try ThreadsSchema.migrate(database, by: []) }
      let reading = #expect(throws: SQLiteError.self) { _ = try database.hasChanged() }
      for error in [migration, reading] { #expect(error?.primaryCode == SQLiteError.interrupted.code) }
    }
    try await task.value
    try other.execute("COMMIT")
  }

  /// A statement that is not finalised would keep its connection open, and with it the files of the log.
  @Test func nothingIsLeftOpen() async throws {
    let folder = try TemporaryFolder()
    do {
      let repository = try await SQLiteThreadsRepository(at: folder.file)
      try await repository.save([thread(1)])
      for try await _ in try await repository.changes(inForum: 1) { break }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 3)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["threads.sqlite"])
  }
}
