import Foundation
public import SharedServices
import SharedServicesForum
import SharedServicesDoubles
public import Understudy
import SharedServicesContracts

extension Implementation where Subject == any ThreadsRepository {
  /// `InMemoryThreadsRepository` behind an `Intercepted`.
  public static var inMemory: Self {
    Implementation("in-memory") { _ in
      let repository = InMemoryThreadsRepository()
      let injector = Injector<InMemoryThreadsRepository>(time: ManualTime(.jumping))
      let writes: [Intercepted<InMemoryThreadsRepository>.Operation] = [
        .save, .replaceThreads, .markRead, .delete,
      ]
      return Stage(
        injector.intercept(repository),
        provisions: [
          injector.callsAreHeld, injector.provision(.storeFails, .serverError),
          injector.provision(.storeCannotBeWritten, writes.map { .on($0, .serverError) }) {},
          .bringing(about: .observersAreCounted) { ThreadListObserverCount { repository.observerCount } },
          .bringing(about: .storeIsShared) { repository },
          .unavailable(.storeIsReopened, because: "what is kept in memory is gone with its repository"),
        ])
    }
  }

  /// `SQLiteThreadsRepository` in a temporary folder of its own, behind an `Intercepted`.
  public static var sqlite: Self {
    Implementation("sqlite") { _ in
      let folder = FileManager.default.temporaryDirectory.appending(path: "understudy-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: "threads.sqlite")
      // Only a trial's own lock is ever in the way, and nobody has to wait for its end.
      let repository = try await SQLiteThreadsRepository(at: file, busyTimeout: .zero)
      let injector = Injector<SQLiteThreadsRepository>(time: ManualTime(.jumping))
      let lock = SQLiteLock(on: file)
      return Stage(
        injector.intercept(repository),
        provisions: [
          injector.callsAreHeld, injector.provision(.storeFails, .serverError),
          .bringing(about: .storeCannotBeWritten, endingWith: { await lock.end() }) {
            try await lock.begin()
          },
          .bringing(about: .observersAreCounted) { ThreadListObserverCount { repository.observerCount } },
          .bringing(about: .storeIsShared) { try await SQLiteThreadsRepository(at: file) },
          .bringing(about: .storeIsReopened) { try await SQLiteThreadsRepository(at: file) },
        ], tearDown: { _ in try FileManager.default.removeItem(at: folder) })
    }
  }
}
