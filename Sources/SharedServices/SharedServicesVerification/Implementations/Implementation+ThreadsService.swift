import Foundation
public import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesForum
public import Understudy

extension Implementation where Subject == any ThreadsService {
  /// `InMemoryThreadsService` behind an `Intercepted`.
  public static var inMemory: Self {
    Implementation("in-memory") { trial in
      let setting = ThreadsServiceTrial(trial)
      let base = InMemoryThreadsService(setting.forum, notifications: setting.notifications)
      let service = trial.intercept(base)
      // The other calls reach no server.
      trial.setUpFailures(
        of: service, in: [.loadThreads, .loadBookmarks, .markRead, .markUnread, .setBookmark])
      trial.on(.storeFails, until: { base.failStore(false) }) { base.failStore(true) }
      let reason = "the forum is asked and its answer stored in one step"
      trial.unavailable(.answerIsLost, because: reason)
      trial.unavailable(.storeIsSlow, because: reason)
      setting.setUp { forum, notifications, _ in
        InMemoryThreadsService(forum, notifications: notifications)
      }
      return service
    }
  }

  /// `ForumThreadsService` over a forum in memory and an SQLite file, both behind an `Intercepted`.
  public static var forum: Self {
    forum(named: "forum") { ForumThreadsService(client: $0, repository: $1, notifications: $2) }
  }

  /// A service over a forum in memory and an SQLite file.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - sharingStore: Whether another reader of the device has the same store.
  ///   - make: Makes the service.
  static func forum(
    named name: String, sharingStore: Bool = false,
    _ make:
      @escaping @Sendable (any ForumsClient, any ThreadsRepository, NotificationCenter) ->
      any ThreadsService
  ) -> Self {
    Implementation(name) { trial in
      let setting = ThreadsServiceTrial(trial)
      let client = trial.intercept(InMemoryForumsClient(setting.forum))
      trial.setUpFailures(of: client)
      let held = OneCallHold<SQLiteThreadsRepository>()
      let repository = trial.intercept(
        try await SQLiteThreadsRepository(at: trial.temporaryDatabase()), by: [Interceptor(held)])
      trial.on(.storeFails, failing: repository, with: .serverError)
      trial.on(.storeIsSlow, until: { held.release() }) { held.hold() }
      setting.setUp { forum, notifications, isAnotherReader in
        ForumThreadsService(
          client: InMemoryForumsClient(forum),
          repository: sharingStore && isAnotherReader ? repository : InMemoryThreadsRepository(),
          notifications: notifications)
      }
      return make(client, repository, setting.notifications)
    }
  }
}

/// The forum and the notifications of one trial, and the conditions that do not depend on the implementation.
private struct ThreadsServiceTrial: Sendable {
  let forum = ForumTrial.inMemoryForum
  let notifications = NotificationCenter()
  private let trial: TrialEnvironment

  init(_ trial: TrialEnvironment) {
    self.trial = trial
    ForumTrial(trial: trial, forum: forum).setUpPages()
  }

  /// Registers the handlers.
  ///
  /// - Parameter make: Makes a service of a forum that no other condition affects.
  func setUp(
    _ make:
      @escaping @Sendable (InMemoryForum, NotificationCenter, _ isAnotherReader: Bool) ->
      any ThreadsService
  ) {
    trial.on(.readersOtherDevice) { [forum] in make(forum, NotificationCenter(), false) }
    trial.on(.readerIsGuest, until: { [forum] in forum.refuseRequests(with: nil) }) { [forum] in
      let words = "Please log in to read this forum."
      forum.refuseRequests(with: .notSignedIn(words))
      return words
    }
    trial.on(.anotherReader) {
      AnotherReader(
        service: make(ForumTrial.forumOfAnotherReader, NotificationCenter(), true),
        lists: ForumTrial.listsOfAnotherReader)
    }
    trial.on(.updatesAreReceived) { [notifications] in
      let posted = Locked<[ForumThread]>([])
      // The center ends with the trial, and the observer with it.
      _ = notifications.addObserver(forName: .threadUpdated, object: nil, queue: nil) { notification in
        guard let thread = notification.object as? ForumThread else { return }
        posted.withLock { $0.append(thread) }
      }
      return PostedThreads { posted.withLock { $0 } }
    }
  }
}

/// Holds one call of a base, while later ones pass.
private struct OneCallHold<Base: Sendable>: CustomInterceptor {
  private struct Hold: Sendable {
    let arrival = AsyncStream<Void>.makeStream()
    let end = AsyncStream<Void>.makeStream()
    var isTaken = false
  }

  private let current = Locked<Hold?>(nil)

  /// Holds the next call.
  func hold() -> CallHold {
    let hold = Hold()
    current.withLock { $0 = hold }
    return CallHold {
      _ in
      for await _ in hold.arrival.stream {}
    } release: {
      hold.end.continuation.finish()
    }
  }

  /// Lets the held call and all later ones pass.
  func release() {
    current.withLock { $0.take() }?.end.continuation.finish()
  }

  nonisolated(nonsending) func intercept<Result>(
    _ call: Intercepted<Base>.Call, next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    let held = current.withLock { current -> Hold? in
      defer { current?.isTaken = true }
      return current?.isTaken == false ? current : nil
    }
    if let held {
      held.arrival.continuation.finish()
      for await _ in held.end.stream {}
    }
    return try await next()
  }
}
