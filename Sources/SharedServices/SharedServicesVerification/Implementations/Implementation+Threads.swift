import Foundation
public import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesForum
public import Understudy

extension Implementation where Subject == any ThreadsRepository {
  /// `InMemoryThreadsRepository` behind an `Intercepted`.
  public static var inMemory: Self {
    Implementation("in-memory") { trial in
      let repository = InMemoryThreadsRepository()
      let threads = trial.intercept(repository)
      trial.holdCalls(of: threads)
      trial.on(.storeFails, failing: threads, with: .serverError)
      let writes: [Intercepted<InMemoryThreadsRepository>.Operation] = [
        .save, .replaceThreads, .markRead, .setBookmark, .delete,
      ]
      trial.on(.storeCannotBeWritten, failing: threads, writes.map { .on($0, .serverError) }) {}
      trial.on(.observersAreCounted) { ThreadListObserverCount { repository.observerCount } }
      trial.on(.storeIsShared) { repository }
      trial.unavailable(.storeIsLost, because: "what is kept in memory is lost with its repository alone")
      trial.unavailable(.storeIsReopened, because: "what is kept in memory is gone with its repository")
      return threads
    }
  }

  /// `SQLiteThreadsRepository` in a temporary folder of its own, behind an `Intercepted`.
  public static var sqlite: Self {
    Implementation("sqlite") { trial in
      let file = try trial.temporaryDatabase()
      // Only the trial's own lock blocks the file, and its end is not waited for.
      let repository = try await SQLiteThreadsRepository(at: file, busyTimeout: .zero)
      let lock = SQLiteLock(on: file)
      let threads = trial.intercept(repository)
      trial.holdCalls(of: threads)
      trial.on(.storeFails, failing: threads, with: .serverError)
      trial.on(.storeCannotBeWritten, until: { await lock.end() }) { try await lock.begin() }
      trial.on(.storeIsLost) { try await lock.losesThreads() }
      trial.on(.observersAreCounted) { ThreadListObserverCount { repository.observerCount } }
      trial.on(.storeIsShared) { try await SQLiteThreadsRepository(at: file) }
      trial.on(.storeIsReopened) { try await SQLiteThreadsRepository(at: file) }
      return threads
    }
  }
}

extension TrialEnvironment {
  /// Returns a file for a database in a folder that is removed after the trial.
  func temporaryDatabase() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "understudy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    atEnd { try FileManager.default.removeItem(at: folder) }
    return folder.appending(path: "threads.sqlite")
  }
}
