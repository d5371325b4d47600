import Foundation
import SharedServices
import TestSupport
import Testing
import UnderstudyTesting

@testable import SharedServicesForum

@Suite(.stallLimit()) struct OpeningTests {
  /// The message of the store error that opening a file ends in.
  private func refusal(of file: URL) async throws -> String {
    do {
      _ = try await SQLiteThreadsRepository(at: file)
      Issue.record("Expected \(file.path) to be refused.")
      return ""
    } catch DataError.storeError(let message) {
      return message
    }
  }

  @Test func aFileOfANewerVersionIsRefusedAndStaysAsItIs() async throws {
    let folder = try TemporaryFolder()
    do {
      let repository = try await SQLiteThreadsRepository(at: folder.file)
      try await repository.save([thread(1)])
    }
    try Database(at: folder.file.path, makesFile: false, busyTimeout: .zero).execute(
      "PRAGMA user_version = 99")
    let message = try await refusal(of: folder.file)
    #expect(message.contains(folder.file.path))
    #expect(message.contains("its version is 99, and this app knows those up to 1. Update the app"))
    let database = try Database(at: folder.file.path, makesFile: false, busyTimeout: .zero)
    #expect(try database.statement("SELECT count(*) FROM threads").rows { $0.int(0) } == [1])
    #expect(try database.statement("PRAGMA user_version").rows { $0.int(0) } == [99])
  }

  @Test func whatIsNoDatabaseIsRefusedAndStaysAsItIs() async throws {
    let folder = try TemporaryFolder()
    let text = Data(
      "This is a letter, and it is longer than the head of a database, which has 100 bytes.\n".utf8)
    let letter = text + text
    try letter.write(to: folder.file)
    #expect(try await refusal(of: folder.file).contains("not a database (SQLite result code 26)"))
    #expect(try Data(contentsOf: folder.file) == letter)
  }

  /// A store that is damaged in the middle says so instead of telling half of it.
  @Test func aBrokenFileIsAnError() async throws {
    let folder = try TemporaryFolder()
    do {
      let repository = try await SQLiteThreadsRepository(at: folder.file)
      try await repository.save((1...2_000).map { thread($0) })
    }
    var bytes = try Data(contentsOf: folder.file)
    #expect(bytes.count > 100_000, "The file was not written when its last connection was closed.")
    for place in stride(from: 4_096, to: bytes.count, by: 512) { bytes[place] = 0xFF }
    try bytes.write(to: folder.file)
    let repository = try await SQLiteThreadsRepository(at: folder.file)
    do {
      _ = try await repository.all()
      Issue.record("Expected a broken file to be an error.")
    } catch {
      guard case .storeError(let message) = error else { throw error }
      #expect(message.contains("malformed"), "\(message)")
    }
  }

  @Test func aFileThatCannotBeMadeIsAnErrorThatNamesIt() async throws {
    let folder = try TemporaryFolder()
    for file in [folder.url.appending(path: "absent/threads.sqlite"), folder.url] {
      let message = try await refusal(of: file)
      #expect(message.contains(file.path))
      #expect(message.contains("unable to open database file"))
    }
  }

  @Test func anyNameOfAFolderWillDo() async throws {
    let folder = try TemporaryFolder(named: "My App 100% é?#'")
    let repository = try await SQLiteThreadsRepository(at: folder.file)
    try await repository.save([thread(1)])
    #expect(FileManager.default.fileExists(atPath: folder.file.path))
  }

  /// Whoever comes first makes the tables, and the others wait for it.
  @Test func manyCanOpenANewFileAtOnce() async throws {
    let folder = try TemporaryFolder()
    let repositories = try await withThrowingTaskGroup(of: SQLiteThreadsRepository.self) { group in
      for _ in 1...12 {
        group.addTask { try await SQLiteThreadsRepository(at: folder.file, busyTimeout: .seconds(60)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, repository) in repositories.enumerated() {
        group.addTask { try await repository.save([thread(number)]) }
      }
      try await group.waitForAll()
    }
    #expect(try await repositories[0].all().count == 12)
  }

  @Test func anOlderFileIsBroughtUpToDateStepByStep() throws {
    let folder = try TemporaryFolder()
    let steps = [
      "CREATE TABLE a (x); INSERT INTO a VALUES (1)", "ALTER TABLE a ADD COLUMN y", "UPDATE a SET y = x + 1",
    ]
    for version in 1...3 {
      _ = try ThreadsSchema.writer(
        at: folder.file.path, busyTimeout: .zero, migrations: Array(steps.prefix(version)))
    }
    let database = try ThreadsSchema.writer(at: folder.file.path, busyTimeout: .zero, migrations: steps)
    #expect(try database.statement("SELECT y FROM a").rows { $0.int(0) } == [2])
    #expect(try database.statement("PRAGMA user_version").rows { $0.int(0) } == [3])
  }

  /// A step that fails leaves the file at the version that it had.
  @Test func aMigrationThatFailsChangesNothing() throws {
    let folder = try TemporaryFolder()
    #expect(throws: SQLiteError.self) {
      try ThreadsSchema.writer(
        at: folder.file.path, busyTimeout: .zero, migrations: ["CREATE TABLE a (x)", "no statement"])
    }
    let database = try Database(at: folder.file.path, makesFile: false, busyTimeout: .zero)
    #expect(try database.statement("SELECT count(*) FROM sqlite_schema").rows { $0.int(0) } == [0])
    #expect(try database.statement("PRAGMA user_version").rows { $0.int(0) } == [0])
  }
}
