import Foundation
import SharedServices
import SharedServicesDoubles
import TestSupport
import Understudy
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct ForumThreadsServiceTests {
  let repository = InMemoryThreadsRepository()
  let center = NotificationCenter()

  private func service(_ forum: ScriptedForum) -> ForumThreadsService {
    ForumThreadsService(client: forum, repository: repository, notifications: center)
  }

  private var stored: [ForumThread] {
    get async throws { try await repository.threads(inForum: 1, offset: 0, limit: nil) }
  }

  @Test func theFirstPageReplacesAndTheOthersAreAdded() async throws {
    let forum = ScriptedForum(
      [thread(3, at: 3), thread(2, at: 2)], [thread(1), thread(2, at: 2, replies: 1)])
    let service = service(forum)
    try await repository.save([thread(9)])
    #expect(try await service.loadThreads(inForum: 1, page: 1).pageCount == 2)
    #expect(try await stored == [thread(3, at: 3), thread(2, at: 2)])
    try await service.loadThreads(inForum: 1, page: 2)
    #expect(try await stored == [thread(3, at: 3), thread(2, at: 2, replies: 1), thread(1)])
    try await service.loadThreads(inForum: 1, page: 1)
    #expect(try await stored == [thread(3, at: 3), thread(2, at: 2)])
  }

  @Test func bookmarksKeepTheirForums() async throws {
    try await repository.save([thread(1)])
    let page = try await service(ScriptedForum([thread(1, replies: 5), thread(2)])).loadBookmarks(page: 1)
    #expect(page.threads.map(\.forumID) == [nil, nil])
    #expect(try await stored == [thread(1, replies: 5)])
    #expect(try await repository.thread(id: 2)?.forumID == nil)
  }

  @Test(arguments: [
    DataError.networkError(.noConnection), .refused(.banned), .parsingError("no list"), .cancelled,
  ])
  func whatTheForumFailsWithIsThrownAndNothingIsStored(_ error: DataError) async throws {
    let forum = ScriptedForum()
    try await repository.save([thread(1)])
    forum.write { $0.failure = error }
    let service = service(forum)
    let posts = Locked(0)
    let token = center.addObserver(forName: .threadUpdated, object: nil, queue: nil) { _ in
      posts.withLock { $0 += 1 }
    }
    defer { center.removeObserver(token) }
    await #expect(throws: error) { try await service.loadThreads(inForum: 1, page: 1) }
    await #expect(throws: error) { try await service.loadBookmarks(page: 1) }
    await #expect(throws: error) { try await service.markRead(thread(1)) }
    await #expect(throws: error) { try await service.markUnread(thread(1)) }
    #expect(try await stored == [thread(1)])
    #expect(posts.withLock { $0 } == 0)
  }

  @Test func aMarkReachesTheForumThenTheStoreThenTheObservers() async throws {
    let forum = ScriptedForum()
    let service = service(forum)
    try await repository.save([thread(1, replies: 41)])
    let posted = Locked<[ForumThread.Reading]>([])
    let token = center.addObserver(forName: .threadUpdated, object: nil, queue: nil) { notification in
      guard let thread = notification.object as? ForumThread, thread.id == 1 else { return }
      posted.withLock { $0.append(thread.reading) }
    }
    defer { center.removeObserver(token) }
    try await service.markRead(thread(1, replies: 41))
    #expect(forum.marks == [1: 42])
    #expect(try await repository.thread(id: 1)?.reading == .seen(unreadCount: 0))
    try await service.markUnread(thread(1, replies: 41))
    #expect(forum.marks == [1: nil])
    #expect(try await repository.thread(id: 1)?.reading == .never)
    #expect(posted.withLock { $0 } == [.seen(unreadCount: 0), .never])
    // One more than the most that there can be.
    try await service.markRead(thread(2, replies: .max))
    #expect(forum.marks[2] == .max)
  }

  @Test func aChangeIsPostedToTheDefaultCenterUnlessAnotherIsGiven() async throws {
    // Other tests, which run at the same time, have threads with small ids.
    let id = 190_703
    let posted = Locked<[ForumThread.Reading]>([])
    let token = NotificationCenter.default.addObserver(forName: .threadUpdated, object: nil, queue: nil) {
      guard let thread = $0.object as? ForumThread, thread.id == id else { return }
      posted.withLock { $0.append(thread.reading) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try await ForumThreadsService(client: ScriptedForum(), repository: repository).markRead(thread(id))
    #expect(posted.withLock { $0 } == [.seen(unreadCount: 0)])
    try await service(ScriptedForum()).markUnread(thread(id))
    #expect(posted.withLock { $0 } == [.seen(unreadCount: 0)])
  }

  /// The screen shows an older list than the one that is stored.
  @Test func whatWasAnsweredSinceStaysUnread() async throws {
    let forum = ScriptedForum([thread(1, at: 5, replies: 7)])
    let service = service(forum)
    try await service.loadThreads(inForum: 1, page: 1)
    let posted = Locked<[ForumThread]>([])
    let token = center.addObserver(forName: .threadUpdated, object: nil, queue: nil) { notification in
      guard let thread = notification.object as? ForumThread else { return }
      posted.withLock { $0.append(thread) }
    }
    defer { center.removeObserver(token) }
    try await service.markRead(thread(1, replies: 4))
    var expected = thread(1, at: 5, replies: 7)
    expected.reading = .seen(unreadCount: 3)
    #expect(forum.marks == [1: 5])
    #expect(try await stored == [expected])
    #expect(posted.withLock { $0 } == [expected])
    // One that is not stored is posted as it was shown.
    try await service.markRead(thread(2, replies: 4))
    var other = thread(2, replies: 4)
    other.reading = .seen(unreadCount: 0)
    #expect(posted.withLock { $0 } == [expected, other])
  }

  @Test func whatTheForumKnowsIsKeptWhoeverCancels() async throws {
    let forum = ScriptedForum()
    try await repository.save([thread(1), thread(2)])
    forum.write { $0.marked = { withUnsafeCurrentTask { $0?.cancel() } } }
    let service = service(forum)
    try await Task { try await service.markRead(thread(1)) }.value
    #expect(try await repository.thread(id: 1)?.reading == .seen(unreadCount: 0))
    try await Task { try await service.markUnread(thread(1)) }.value
    #expect(try await repository.thread(id: 1)?.reading == .never)
  }

  /// The store takes the mark, then the page without it, and the task ends before the mark is stored again.
  @Test func aLoadThatIsCancelledOnceItIsStoredDoesNotUndoAMark() async throws {
    let store = HookedRepository(base: repository)
    let service = ForumThreadsService(
      client: ScriptedForum([thread(1)]), repository: store, notifications: center)
    store.write {
      $0.beforeReplacing = { try? await service.markRead(thread(1)) }
      $0.afterReplacing = { withUnsafeCurrentTask { $0?.cancel() } }
    }
    _ = try await Task { try await service.loadThreads(inForum: 1, page: 1) }.value
    #expect(try await stored.map(\.reading) == [.seen(unreadCount: 0)])
  }

  /// The thread is marked as unread while the older mark is stored again.
  @Test func theLastMarkStaysTheLast() async throws {
    let store = HookedRepository(base: repository)
    let service = ForumThreadsService(
      client: ScriptedForum([thread(1)]), repository: store, notifications: center)
    store.write {
      $0.beforeReplacing = { try? await service.markRead(thread(1)) }
      $0.afterReplacing = {
        store.write {
          $0.beforeMarking = {
            store.write { $0.beforeMarking = {} }
            try? await service.markUnread(thread(1))
          }
        }
      }
    }
    try await service.loadThreads(inForum: 1, page: 1)
    #expect(try await stored.map(\.reading) == [.never])
  }

  /// The forum made the list after the mark, with newer answers.
  @Test func aMarkSaysNothingOfWhatWasAnsweredLater() async throws {
    let store = HookedRepository(base: repository)
    let forum = ScriptedForum([thread(1, replies: 9)])
    let service = ForumThreadsService(client: forum, repository: store, notifications: center)
    forum.write { $0.delivery = { try? await service.markRead(thread(1, replies: 4)) } }
    try await service.loadThreads(inForum: 1, page: 1)
    #expect(try await stored.map(\.reading) == [.seen(unreadCount: 5)])
  }

  @Test func aListThatWasOnItsWayDoesNotUndoAMark() async throws {
    let forum = ScriptedForum([thread(1), thread(2)])
    let (asked, delivered) = (Latch(), Latch())
    forum.write {
      $0.delivery = {
        asked.open()
        await delivered.wait()
      }
    }
    let service = service(forum)
    let load = Task { try await service.loadThreads(inForum: 1, page: 1) }
    await asked.wait()
    try await service.markRead(thread(1))
    delivered.open()
    _ = try await load.value
    #expect(try await stored.map(\.reading) == [.never, .seen(unreadCount: 0)])
    // A later list knows better.
    forum.write { $0.delivery = {} }
    try await service.loadThreads(inForum: 1, page: 1)
    #expect(try await stored.map(\.reading) == [.never, .never])
  }
}
