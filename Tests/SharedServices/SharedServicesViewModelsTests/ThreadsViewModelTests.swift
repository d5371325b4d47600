import Foundation
import SharedServices
import SharedServicesDoubles
import TestSupport
import Understudy
import SharedServicesViewModels
import Testing
import UnderstudyTesting

@MainActor
@Suite(.stallLimit()) struct ThreadsViewModelTests {
  typealias Shown = ShownThreads

  let repository = InMemoryThreadsRepository()
  let center = NotificationCenter()

  private func timeline(
    _ forum: ScriptedForum, keptIn other: (any ThreadsRepository)? = nil
  ) -> StateTimeline<ThreadsViewModel, Shown> {
    let service = ForumThreadsService(client: forum, repository: other ?? repository, notifications: center)
    return StateTimeline(of: ThreadsViewModel(forumID: 1, service: service, notifications: center)) {
      Shown($0)
    }
  }

  @Test func theStoredListIsShownFirstAndThenTheForums() async throws {
    try await repository.save([.sample(9)])
    let timeline = timeline(ScriptedForum([.sample(2), .sample(1), .sample(3, isSticky: true)]))
    await timeline.subject.loadThreadsIfNeeded()
    let states = timeline.states
    #expect(states.prefix(3) == [Shown(), Shown(.loading), Shown(.loading, "9")])
    #expect(states.last == Shown(.loaded, "3", "2", "1"))
    // The rows may come before the end of the load, never after it.
    #expect(states.dropFirst(3).allSatisfy { $0.threads == ["3", "2", "1"] }, "\(states)")
    #expect(timeline.subject.sections.map(\.count) == [1, 2])
  }

  @Test func whatIsLoadedIsNotLoadedAgainUnlessItIsRefreshed() async {
    let forum = ScriptedForum([.sample(1)])
    let model = timeline(forum).subject
    await model.loadThreadsIfNeeded()
    await model.loadThreadsIfNeeded()
    #expect(forum.asked == [1])
    forum.write { $0.pages = [[.sample(2)]] }
    await model.refresh()
    #expect(Shown(model) == Shown(.loaded, "2"))
  }

  @Test func twoRefreshesAtOnceAreOne() async {
    let forum = ScriptedForum([.sample(1)])
    let (asked, delivered) = (Latch(), Latch())
    forum.write {
      $0.delivery = {
        asked.open()
        await delivered.wait()
      }
    }
    let model = timeline(forum).subject
    let refresh = Task { await model.refresh() }
    await asked.wait()
    await model.refresh()
    #expect(model.state == .loading)
    delivered.open()
    await refresh.value
    #expect(Shown(model) == Shown(.loaded, "1"))
    #expect(forum.asked == [1])
  }

  @Test func thePagesFollowWhenTheEndIsOnTheScreen() async {
    let forum = ScriptedForum([.sample(6), .sample(5)], [.sample(4), .sample(5)], [.sample(1)])
    let timeline = timeline(forum)
    let model = timeline.subject
    await model.refresh()
    #expect(model.hasMore)
    await model.loadMore(at: .sample(6))
    #expect(forum.asked == [1], "The first thread is not the end of the list.")
    await model.loadMore(at: .sample(5))
    #expect(Shown(model) == Shown(.loaded, "6", "5", "4"))
    await model.loadMore(at: .sample(4))
    #expect(Shown(model) == Shown(.loaded, "6", "5", "4", "1"))
    #expect(!model.hasMore)
    await model.loadMore(at: .sample(1))
    #expect(forum.asked == [1, 2, 3])
    await model.refresh()
    #expect(Shown(model) == Shown(.loaded, "6", "5"))
    #expect(model.hasMore)
  }

  @Test func aPageThatFailsLeavesTheListAndCanBeAskedForAgain() async {
    let forum = ScriptedForum([.sample(6)], [.sample(5)])
    let timeline = timeline(forum)
    await timeline.subject.refresh()
    forum.write { $0.failure = .networkError(.timeout) }
    await timeline.subject.loadMore(at: .sample(6))
    #expect(timeline.states.last == Shown(.failed, "6", message: "Request timed out. Please try again."))
    forum.write { $0.failure = nil }
    await timeline.subject.loadMore(at: .sample(6))
    #expect(timeline.states.last == Shown(.loaded, "6", "5"))
    #expect(forum.asked == [1, 2, 2])
  }

  @Test func theListIsSearchedAsOneTypes() async throws {
    let forum = ScriptedForum(
      [.sample(1, titled: "Über Swift"), .sample(2, titled: "swallows")], [.sample(3)])
    let model = timeline(forum).subject
    await model.refresh()
    for (text, ids) in [
      ("s", [2, 1]), ("SW", [2, 1]), ("swi", [1]), ("swim", []), ("swi", [1]), ("über", [1]), ("", [2, 1]),
    ] {
      model.searchText = text
      #expect(model.sections.joined().map(\.id) == ids, "for \(text.debugDescription)")
    }
  }

  @Test func aSearchHearsOfChangesAndLoadsNothing() async throws {
    let forum = ScriptedForum([.sample(1, titled: "Swift")], [.sample(3)])
    let timeline = timeline(forum)
    await timeline.subject.refresh()
    timeline.subject.searchText = "swi"
    try await repository.save([.sample(5, titled: "Others"), .sample(4, titled: "Swimming")])
    try await timeline.wait(for: Shown(.loaded, "4", "1"))
    await timeline.subject.loadMore(at: .sample(1))
    #expect(forum.asked == [1])
    timeline.subject.searchText = ""
    #expect(Shown(timeline.subject) == Shown(.loaded, "5", "4", "1"))
  }

  @Test func whatOthersStoreIsShown() async throws {
    let timeline = timeline(ScriptedForum([.sample(1)]))
    await timeline.subject.refresh()
    try await repository.save([.sample(2)])
    try await timeline.wait(for: Shown(.loaded, "2", "1"))
    try await repository.markRead(threadID: 1, upTo: .max)
    try await timeline.wait(for: Shown(.loaded, "2", "1✓"))
    try await repository.delete(threadIDs: [2])
    try await timeline.wait(for: Shown(.loaded, "1✓"))
  }

  @Test func aThreadThatIsMarkedIsShownSo() async {
    let forum = ScriptedForum([.sample(2), .sample(1)])
    let timeline = timeline(forum)
    await timeline.subject.refresh()
    await timeline.subject.markAsRead(.sample(1))
    #expect(timeline.states.last == Shown(.loaded, "2", "1✓"))
    #expect(forum.seen == [1])
  }

  @Test func twoTapsAreOneCall() async {
    let forum = ScriptedForum([.sample(1)])
    let model = timeline(forum).subject
    await model.refresh()
    let (asked, delivered) = (Latch(), Latch())
    forum.write {
      $0.marked = {
        asked.open()
        await delivered.wait()
      }
    }
    let tap = Task { await model.markAsRead(.sample(1)) }
    await asked.wait()
    await model.markAsRead(.sample(1))
    delivered.open()
    await tap.value
    #expect(forum.seen == [1])
    #expect(Shown(model) == Shown(.loaded, "1✓"))
  }

  @Test func aCancelledLoadShowsNoMessage() async {
    let forum = ScriptedForum([.sample(1)])
    let (asked, delivered) = (Latch(), Latch())
    forum.write {
      $0.delivery = {
        asked.open()
        await delivered.wait()
      }
    }
    let timeline = timeline(forum)
    let load = Task { await timeline.subject.loadThreadsIfNeeded() }
    await asked.wait()
    load.cancel()
    delivered.open()
    await load.value
    #expect(timeline.states == [Shown(), Shown(.loading), Shown()])
    forum.write { $0.delivery = {} }
    await timeline.subject.loadThreadsIfNeeded()
    #expect(timeline.states.last == Shown(.loaded, "1"))
  }

  /// The repository reports no changes: the notification alone brings what was stored.
  @Test func aThreadThatIsUpdatedElsewhereIsShown() async throws {
    let timeline = timeline(ScriptedForum([.sample(1)]), keptIn: UncancellableRepository(base: repository))
    await timeline.subject.refresh()
    try await repository.markRead(threadID: 1, upTo: .max)
    var other = ForumThread.sample(1)
    other.forumID = 2
    center.post(name: .threadUpdated, object: other)
    center.post(name: .threadUpdated, object: ForumThread.sample(1))
    try await timeline.wait(for: Shown(.loaded, "1✓"))
  }

  @Test func aModelThatIsGoneObservesNothing() async {
    let uncancellable = UncancellableRepository(base: repository)
    weak var gone: ThreadsViewModel?
    do {
      let model = timeline(ScriptedForum([.sample(1)]), keptIn: uncancellable).subject
      await model.refresh()
      gone = model
    }
    await uncancellable.isLeft()
    #expect(gone == nil)
    center.post(name: .threadUpdated, object: ForumThread.sample(1))
  }
}
