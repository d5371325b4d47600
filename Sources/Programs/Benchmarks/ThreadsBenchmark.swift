import SharedServicesSQLite
import Foundation
import SharedServices
import SharedServicesForum
import UnderstudyConsole

extension Benchmark {
  // The plain statements run on a file with the same settings and bind the same values. They do not check for
  // cancellation, modify threads, check for other writers, or create `ForumThread` values.
  static let threads = Benchmark(
    "threads", "Storing threads in SQLite and reading a page of them, beside the plain statements."
  ) { extent in
    let list = (1...extent.size(100_000, short: 5_000)).map(sample)
    let pages = extent.size(200, short: 50)
    return try await withTemporaryFolder { folder in
      try await extent.rounds(5) {
        let name = UUID().uuidString
        let statements = try PlainStatements(at: folder.appending(path: "statements-\(name)").path)
        let repository = try await SQLiteThreadsRepository(at: folder.appending(path: "repository-\(name)"))
        var rows: [Row] = []
        for name in ["saving new threads", "saving stored threads"] {
          let plain = try await processorTime { try statements.save(list) } / .milliseconds(1)
          let own = try await processorTime { try await repository.save(list) } / .milliseconds(1)
          rows.append(Row(name, own, .milliseconds, beside: ("statements", plain), aim: 2))
        }
        for (name, offset) in [
          ("reading the first page", 0), ("reading a page in the middle", list.count / 2),
        ] {
          let plain = try await processorTime {
            for _ in 0..<pages { try check(statements.page(offset: offset, limit: 40), equals: 40) }
          }
          let own = try await processorTime {
            for _ in 0..<pages {
              try check(
                await repository.threads(inForum: 1, offset: offset, limit: 40).count, equals: 40)
            }
          }
          rows.append(
            Row(
              name, own / .microseconds(pages), .microseconds,
              beside: ("statements", plain / .microseconds(pages))))
        }
        return rows
      }
    }
  }

  private static func check(_ count: Int, equals expected: Int) throws {
    guard count == expected else { throw CommandError("\(count) threads were read.") }
  }

  private static func sample(_ id: Int) -> ForumThread {
    ForumThread(
      id: id, forumID: 1, title: "What did you do with your afternoon, part \(id)", isSticky: id % 5_000 == 0,
      icons: ["question"], bookmark: id % 50 == 0 ? .red : nil,
      author: ForumUser(id: id % 997, name: "Robin"),
      replyCount: id % 300, rating: id % 3 == 0 ? .init(voteCount: 12, average: 4.25) : nil,
      reading: .seen(unreadCount: id % 7),
      lastPostDate: Date(timeIntervalSinceReferenceDate: 790_000_000 + Double(id &* 7_919 % 1_000_003)),
      lastPostAuthor: "Kim")
  }
}

/// Handwritten SQLite: a statement that is bound and stepped.
private final class PlainStatements {
  private let connection: OpaquePointer
  private let upsert: OpaquePointer
  private let select: OpaquePointer

  init(at path: String) throws {
    var connection: OpaquePointer?
    guard sqlite3_open(path, &connection) == SQLITE_OK, let connection else {
      throw CommandError("Cannot open \(path)")
    }
    self.connection = connection
    let setup = """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER, c TEXT NOT NULL, d INTEGER NOT NULL, e INTEGER NOT NULL,
        f TEXT NOT NULL, g INTEGER, h INTEGER NOT NULL, i TEXT NOT NULL, j INTEGER NOT NULL, k INTEGER, l REAL,
        m INTEGER, n REAL NOT NULL, o TEXT NOT NULL);
      CREATE INDEX listed ON t (b, d DESC, n DESC, a DESC);
      """
    guard sqlite3_exec(connection, setup, nil, nil, nil) == SQLITE_OK else {
      throw CommandError(String(cString: sqlite3_errmsg(connection)))
    }
    upsert = try Self.prepare(
      """
      INSERT INTO t VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (a) DO UPDATE SET b = excluded.b,
        c = excluded.c, d = excluded.d, e = excluded.e, f = excluded.f, g = excluded.g, h = excluded.h,
        i = excluded.i, j = excluded.j, k = excluded.k, l = excluded.l, m = excluded.m, n = excluded.n,
        o = excluded.o
      """, connection)
    select = try Self.prepare(
      "SELECT * FROM t WHERE b = 1 ORDER BY d DESC, n DESC, a DESC LIMIT ? OFFSET ?", connection)
  }

  deinit {
    sqlite3_finalize(upsert)
    sqlite3_finalize(select)
    sqlite3_close(connection)
  }

  private static func prepare(_ sql: String, _ connection: OpaquePointer) throws -> OpaquePointer {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw CommandError(String(cString: sqlite3_errmsg(connection)))
    }
    return statement
  }

  func save(_ threads: [ForumThread]) throws {
    sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil)
    for thread in threads {
      sqlite3_bind_int64(upsert, 1, Int64(thread.id))
      sqlite3_bind_int64(upsert, 2, 1)
      bind(thread.title, 3)
      sqlite3_bind_int(upsert, 4, thread.isSticky ? 1 : 0)
      sqlite3_bind_int(upsert, 5, thread.isClosed ? 1 : 0)
      bind("question/", 6)
      bind(thread.bookmark?.rawValue, 7)
      sqlite3_bind_int64(upsert, 8, Int64(thread.author.id))
      bind(thread.author.name, 9)
      sqlite3_bind_int64(upsert, 10, Int64(thread.replyCount))
      bind(thread.rating?.voteCount, 11)
      if let rating = thread.rating {
        sqlite3_bind_double(upsert, 12, rating.average)
      } else {
        sqlite3_bind_null(upsert, 12)
      }
      if case .seen(let count) = thread.reading { bind(count, 13) } else { bind(nil, 13) }
      sqlite3_bind_double(upsert, 14, thread.lastPostDate.timeIntervalSinceReferenceDate)
      bind(thread.lastPostAuthor, 15)
      guard sqlite3_step(upsert) == SQLITE_DONE else {
        throw CommandError(String(cString: sqlite3_errmsg(connection)))
      }
      sqlite3_reset(upsert)
    }
    guard sqlite3_exec(connection, "COMMIT", nil, nil, nil) == SQLITE_OK else {
      throw CommandError(String(cString: sqlite3_errmsg(connection)))
    }
  }

  /// Reads every column of a page, and returns the number of rows.
  func page(offset: Int, limit: Int) throws -> Int {
    sqlite3_bind_int64(select, 1, Int64(limit))
    sqlite3_bind_int64(select, 2, Int64(offset))
    defer { sqlite3_reset(select) }
    var count = 0
    while sqlite3_step(select) == SQLITE_ROW {
      for column in 0..<sqlite3_column_count(select) {
        switch sqlite3_column_type(select, column) {
        case SQLITE_TEXT: _ = sqlite3_column_text(select, column).map { String(cString: $0) }
        case SQLITE_FLOAT: _ = sqlite3_column_double(select, column)
        default: _ = sqlite3_column_int64(select, column)
        }
      }
      count += 1
    }
    return count
  }

  private func bind(_ text: String, _ index: Int32) {
    _ = csqlite_bind_text(upsert, index, text, UInt64(text.utf8.count))
  }

  private func bind(_ number: Int?, _ index: Int32) {
    if let number {
      sqlite3_bind_int64(upsert, index, Int64(number))
    } else {
      sqlite3_bind_null(upsert, index)
    }
  }
}
