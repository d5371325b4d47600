import Foundation
import SharedServices
import SharedServicesDoubles
import TestSupport
import Understudy
import SharedServicesViewModels
import Testing
import UnderstudyTesting

/// What the list shows when actions overlap, fail, are cancelled and repeated.
@MainActor
@Suite(.stallLimit()) struct ThreadsInterleavingTests {
  typealias Service = InMemoryThreadsService

  nonisolated static let offline = "No internet connection. Please check your network."

  /// A forum of two pages: the threads 45 to 6, and 5 to 1.
  let forum = InMemoryForum(
    boards: [.init(id: 1, name: "Games")], threads: (1...45).map { .sample($0) })
  let plan = FaultPlan<Service>()

  private func model(heldBy gate: Gate<Service>? = nil) -> ThreadsViewModel {
    let service = Service(forum, notifications: NotificationCenter())
    let interceptors: [Interceptor<Service>] = [.faults(plan)] + (gate.map { [.gate($0)] } ?? [])
    return ThreadsViewModel(
      forumID: 1, service: Intercepted(service, by: interceptors), notifications: NotificationCenter())
  }

  private func gate(_ operation: Intercepted<Service>.Operation) -> Gate<Service> {
    let gate = Gate<Service>(operation)
    gate.open()
    return gate
  }

  /// Begins an action, and returns once it waits.
  private func begin(_ action: @escaping @MainActor () async -> Void) async -> Task<Void, Never> {
    let begun = Latch()
    let task = Task {
      begun.open()
      await action()
    }
    await begun.wait()
    return task
  }

  private func ids(_ model: ThreadsViewModel) -> [Int] { model.sections.joined().map(\.id) }

  // MARK: - Cancellation

  /// The cancelled task has not ended yet.
  @Test func aRefreshInTheSameBreathAsACancellationBeginsAgain() async throws {
    let gate = Gate<Service>(.loadThreads)
    let model = model(heldBy: gate)
    let first = Task { await model.refresh() }
    _ = try await gate.next()
    await Task {
      first.cancel()
      gate.open()
      await model.refresh()
    }.value
    await first.value
    #expect(model.state == .loaded)
    #expect(ids(model).count == 40)
  }

  @Test func aMarkInTheSameBreathAsACancellationBeginsAgain() async throws {
    let gate = Gate<Service>(.markRead)
    let model = model(heldBy: gate)
    await model.refresh()
    let first = Task { await model.markAsRead(.sample(45)) }
    _ = try await gate.next()
    await Task {
      first.cancel()
      gate.open()
      await model.markAsRead(.sample(45))
    }.value
    #expect(forum.thread(id: 45)?.hasUnreadPosts == false)
    #expect(model.sections[1].first?.hasUnreadPosts == false)
  }

  /// The forum does not end its call with the task.
  @Test func aCancelledLoadEndsItsSpinnerAtOnce() async {
    let (asked, delivered) = (Latch(), Latch())
    let forum = ScriptedForum([.sample(1)])
    forum.write {
      $0.delivery = {
        asked.open()
        await Task { await delivered.wait() }.value
      }
    }
    let service = ForumThreadsService(client: forum, repository: InMemoryThreadsRepository())
    let model = ThreadsViewModel(forumID: 1, service: service)
    let load = Task { await model.refresh() }
    await asked.wait()
    load.cancel()
    await load.value
    #expect(ShownThreads(model) == ShownThreads())
    delivered.open()
  }

  @Test func aCancelledRefreshLeavesTheFailureOfTheLast() async throws {
    let gate = gate(.loadThreads)
    let model = model(heldBy: gate)
    await model.refresh()
    await plan.during(.on(.loadThreads, .offline)) { await model.refresh() }
    #expect(model.state == .failed)
    gate.close()
    let refresh = Task { await model.refresh() }
    _ = try await gate.next()
    #expect(model.state == .loading && model.errorMessage == nil)
    refresh.cancel()
    await refresh.value
    #expect(model.state == .failed)
    #expect(model.errorMessage == Self.offline)
  }

  // MARK: - Messages

  @Test func aFailedRefreshKeepsItsMessageUntilARefreshSucceeds() async throws {
    let model = model()
    await model.refresh()
    await plan.during(.on(.loadThreads, .offline)) { await model.refresh() }
    await model.markAsRead(.sample(45))
    #expect(model.errorMessage == Self.offline)
    await model.loadMore(at: .sample(6))
    #expect(ids(model).count == 45)
    #expect(model.state == .failed && model.errorMessage == Self.offline)
    await model.refresh()
    #expect(model.state == .loaded && model.errorMessage == nil)
  }

  @Test func aRefreshMakesTheFailureOfALaterPageOutOfDate() async throws {
    let model = model()
    await model.refresh()
    await plan.during(.on(.loadThreads, .offline)) { await model.loadMore(at: .sample(6)) }
    #expect(model.state == .failed && model.errorMessage == Self.offline)
    await model.refresh()
    #expect(model.state == .loaded && model.errorMessage == nil)
  }

  @Test func aFailedMarkIsForgottenByWhatSucceedsAfterIt() async throws {
    let model = model()
    await model.refresh()
    for succeeding in [{ await model.refresh() }, { await model.markAsRead(.sample(44)) }] {
      await plan.during(.on(.markRead, .offline)) { await model.markAsRead(.sample(45)) }
      #expect(model.state == .loaded && model.errorMessage == Self.offline)
      await succeeding()
      #expect(model.state == .loaded && model.errorMessage == nil)
    }
  }

  @Test func aDismissedMessageStaysAway() async throws {
    let gate = gate(.loadThreads)
    let model = model(heldBy: gate)
    await plan.during(.on(.loadThreads, .offline)) { await model.refresh() }
    model.dismissMessage()
    #expect(model.state == .failed && model.errorMessage == nil)
    gate.close()
    let refresh = Task { await model.refresh() }
    _ = try await gate.next()
    refresh.cancel()
    await refresh.value
    #expect(model.state == .failed && model.errorMessage == nil)
    gate.open()
    await plan.during(.on(.loadThreads, .timeout)) { await model.refresh() }
    #expect(model.errorMessage == "Request timed out. Please try again.")
  }

  nonisolated static let failures: [(fault: Fault, message: String)] = [
    (.unauthorized, "Session expired. Please log in again."),
    (.forbidden, "You don't have permission to do that."),
    (.rateLimited(retryAfter: .seconds(30)), "Too many requests. Please try again in 30 seconds."),
    (.timeout, "Request timed out. Please try again."), (.offline, offline),
  ]

  @Test(arguments: failures)
  func everyActionTellsWhyItFailed(_ row: (fault: Fault, message: String)) async throws {
    let model = model()
    await model.refresh()
    let actions: [(Intercepted<Service>.Operation, @MainActor () async -> Void)] = [
      (.markRead, { await model.markAsRead(.sample(45)) }),
      (.markUnread, { await model.markAsUnread(.sample(44)) }),
      (.setBookmark, { await model.setBookmark(.red, of: .sample(43)) }),
      (.loadThreads, { await model.loadMore(at: .sample(6)) }), (.loadThreads, { await model.refresh() }),
    ]
    for (operation, act) in actions {
      await plan.during(.on(operation, row.fault)) { await act() }
      #expect(model.errorMessage == row.message, "\(operation)")
      model.dismissMessage()
      await act()
      #expect(model.errorMessage == nil, "\(operation)")
    }
    #expect(ids(model).count == 40)
  }

  // MARK: - Loads that overlap

  @Test func theLastRowThatAppearsDuringARefreshLoadsMoreAfterwards() async throws {
    let gate = gate(.loadThreads)
    let model = model(heldBy: gate)
    await model.refresh()
    gate.close()
    let refresh = Task { await model.refresh() }
    let held = try await gate.next()
    let more = await begin { await model.loadMore(at: .sample(6)) }
    held.proceed()
    gate.open()
    await refresh.value
    await more.value
    #expect(ids(model) == Array((1...45).reversed()))
    #expect(model.state == .loaded && !model.hasMore)
  }

  @Test func aRefreshDuringALaterPageEndsInTheFirstPage() async throws {
    let gate = gate(.loadThreads)
    let model = model(heldBy: gate)
    await model.refresh()
    gate.close()
    let more = Task { await model.loadMore(at: .sample(6)) }
    _ = try await gate.next()
    forum.store(.sample(46))
    let refresh = await begin { await model.refresh() }
    gate.open()
    await refresh.value
    await more.value
    #expect(ids(model) == Array((7...46).reversed()))
    #expect(model.state == .loaded && model.hasMore)
    await model.loadMore(at: .sample(7))
    #expect(ids(model) == Array((1...46).reversed()))
  }

  /// The row stays on the screen and does not appear again.
  @Test func aLaterPageThatARefreshReplacesIsLoadedAfterIt() async throws {
    let gate = gate(.loadThreads)
    let model = model(heldBy: gate)
    await model.refresh()
    gate.close()
    let more = Task { await model.loadMore(at: .sample(6)) }
    _ = try await gate.next()
    let refresh = await begin { await model.refresh() }
    gate.open()
    await refresh.value
    await more.value
    #expect(ids(model) == Array((1...45).reversed()))
    #expect(model.state == .loaded && !model.hasMore)
  }

  /// A refresh that does not begin ends nothing.
  @Test func aRefreshOfACancelledTaskLeavesALaterPageAlone() async throws {
    let gate = gate(.loadThreads)
    let model = model(heldBy: gate)
    await model.refresh()
    gate.close()
    let more = Task { await model.loadMore(at: .sample(6)) }
    let held = try await gate.next()
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await model.refresh()
    }.value
    held.proceed()
    await more.value
    #expect(ids(model).count == 45)
  }

  /// The store has replaced both pages by the first one, and its answer is lost.
  @Test func aRefreshOfUnknownOutcomeLeavesNoGap() async throws {
    let forum = ScriptedForum([.sample(9)], [.sample(5)], [.sample(1)])
    let plan = FaultPlan<InMemoryThreadsRepository>()
    let store = Intercepted(InMemoryThreadsRepository(), by: .faults(plan))
    let model = ThreadsViewModel(
      forumID: 1, service: ForumThreadsService(client: forum, repository: store))
    await model.refresh()
    await model.loadMore(at: .sample(9))
    #expect(ids(model) == [9, 5])
    await plan.during(.on(.replaceThreads, .emptyReply)) { await model.refresh() }
    #expect(model.state == .failed && model.hasMore)
    await model.loadMore(at: .sample(9))
    #expect(ids(model) == [9, 5])
    await model.loadMore(at: .sample(5))
    #expect(ids(model) == [9, 5, 1])
  }

  /// The store still has both pages: the row at the end does not appear again when the second one brings nothing new.
  @Test func aPageWithoutNewRowsIsFollowedByTheNextOne() async throws {
    let forum = ScriptedForum([.sample(9)], [.sample(5)], [.sample(1)])
    let plan = FaultPlan<InMemoryThreadsRepository>()
    let store = Intercepted(InMemoryThreadsRepository(), by: .faults(plan))
    let model = ThreadsViewModel(
      forumID: 1, service: ForumThreadsService(client: forum, repository: store))
    await model.refresh()
    await model.loadMore(at: .sample(9))
    await plan.during(.on(.replaceThreads, .serverError)) { await model.refresh() }
    await model.loadMore(at: .sample(5))
    #expect(ids(model) == [9, 5, 1])
    #expect(!model.hasMore)
  }

  /// The forum ends the call of a cancelled task late, with its page.
  @Test func aLaterPageThatWasReplacedByARefreshIsNotStored() async throws {
    let forum = ScriptedForum([.sample(9)], [.sample(5)], [.sample(1)])
    let store = InMemoryThreadsRepository()
    let model = ThreadsViewModel(
      forumID: 1, service: ForumThreadsService(client: forum, repository: store))
    await model.refresh()
    await model.loadMore(at: .sample(9))
    let (asked, delivered) = (Latch(), Latch())
    forum.write {
      $0.delivery = {
        asked.open()
        await Task { await delivered.wait() }.value
      }
    }
    let more = Task { await model.loadMore(at: .sample(5)) }
    await asked.wait()
    forum.write { $0.delivery = {} }
    await model.refresh()
    delivered.open()
    await more.value
    await model.refresh()
    #expect(ids(model) == [9])
    #expect(try await store.threads(inForum: 1, offset: 0, limit: nil).map(\.id) == [9])
    #expect(model.state == .loaded && model.hasMore)
  }

  // MARK: - Changes of a thread

  @Test func aThreadIsMarkedAsUnreadAndBookmarked() async {
    let model = model()
    await model.refresh()
    await model.markAsRead(.sample(45))
    #expect(model.successMessage == nil, "The list shows a mark.")
    await model.setBookmark(.red, of: .sample(45))
    #expect(model.sections[1].first?.bookmark == .red)
    #expect(forum.thread(id: 45)?.bookmark == .red)
    #expect(model.successMessage == "Bookmark saved.")
    await model.markAsUnread(.sample(45))
    #expect(model.successMessage == nil)
    #expect(model.sections[1].first?.reading == .never)
    #expect(forum.thread(id: 45)?.reading == .never)
    await model.setBookmark(nil, of: .sample(45))
    #expect(model.sections[1].first?.bookmark == nil)
    #expect(model.successMessage == "Bookmark removed.")
    model.dismissMessage()
    #expect(model.successMessage == nil)
  }

  /// Both at once could reach the forum in either order.
  @Test func theLastOfTwoMarksOfAThreadWins() async throws {
    let gate = gate(.markRead)
    let model = model(heldBy: gate)
    await model.refresh()
    gate.close()
    let read = Task { await model.markAsRead(.sample(45)) }
    let held = try await gate.next()
    let unread = await begin { await model.markAsUnread(.sample(45)) }
    held.proceed()
    await read.value
    await unread.value
    #expect(forum.thread(id: 45)?.reading == .never)
    #expect(model.sections[1].first?.reading == .never)
  }

  /// The first mark was cancelled after the forum had accepted it, and is stored late.
  @Test func aMarkThatWasRepeatedDoesNotUndoTheNextOne() async throws {
    let forum = ScriptedForum([.sample(1)])
    let store = InMemoryThreadsRepository()
    let model = ThreadsViewModel(
      forumID: 1, service: ForumThreadsService(client: forum, repository: store))
    await model.refresh()
    let (asked, delivered) = (Latch(), Latch())
    forum.write {
      $0.marked = {
        asked.open()
        await Task { await delivered.wait() }.value
      }
    }
    let first = Task { await model.markAsRead(.sample(1)) }
    await asked.wait()
    first.cancel()
    await first.value
    forum.write { $0.marked = {} }
    await model.markAsRead(.sample(1))
    let unread = await begin { await model.markAsUnread(.sample(1)) }
    delivered.open()
    await unread.value
    #expect(forum.marks == [1: nil])
    #expect(try await store.thread(id: 1)?.reading == .never)
    #expect(model.sections[1].first?.reading == .never)
  }

  // MARK: - Reads of the store

  private typealias Store = UncancellableRepository

  /// A list whose store reports no changes, and two marks that wait to read it, the older one first.
  private struct TwoReads {
    let model: ThreadsViewModel
    let gate: Gate<Store>
    let older: (read: Gate<Store>.HeldCall, mark: Task<Void, Never>)
    let newer: (read: Gate<Store>.HeldCall, mark: Task<Void, Never>)
  }

  private func twoReads() async throws -> TwoReads {
    let (gate, log) = (Gate<Store>(.threads), CallLog<Store>())
    gate.open()
    let store = Intercepted(
      UncancellableRepository(base: InMemoryThreadsRepository()), by: [.gate(gate), .log(log)])
    let service = ForumThreadsService(
      client: ScriptedForum([.sample(2), .sample(1)]), repository: store, notifications: NotificationCenter())
    let model = ThreadsViewModel(forumID: 1, service: service, notifications: NotificationCenter())
    await model.refresh()
    // Two for the load, and one for the first value of the observation.
    try await log.wait(for: .threads, calls: 3)
    gate.close()
    let first = Task { await model.markAsRead(.sample(1)) }
    let older = try await gate.next()
    let second = Task { await model.markAsRead(.sample(2)) }
    return TwoReads(
      model: model, gate: gate, older: (older, first), newer: (try await gate.next(), second))
  }

  @Test func theFailureOfAnOlderReadIsOutOfDate() async throws {
    let reads = try await twoReads()
    reads.newer.read.proceed()
    await reads.newer.mark.value
    reads.older.read.fail(with: .serverError)
    await reads.older.mark.value
    #expect(ShownThreads(reads.model) == ShownThreads(.loaded, "2✓", "1✓"))
  }

  @Test func anOlderReadDoesNotMakeUpForAFailedNewerOne() async throws {
    let reads = try await twoReads()
    reads.newer.read.fail(with: .serverError)
    await reads.newer.mark.value
    reads.older.read.proceed()
    await reads.older.mark.value
    #expect(reads.model.errorMessage == "Your threads could not be saved on this device.")
  }

  // MARK: - Dismissal

  /// The failure has not been on the screen yet.
  @Test func aDismissalDuringALoadRemovesNoMessage() async throws {
    let gate = gate(.loadThreads)
    let model = model(heldBy: gate)
    await model.refresh()
    gate.close()
    let refresh = Task { await model.refresh() }
    let held = try await gate.next()
    await plan.during(.on(.markRead, .offline)) { await model.markAsRead(.sample(45)) }
    #expect(model.state == .loading && model.errorMessage == nil)
    model.dismissMessage()
    held.proceed()
    await refresh.value
    #expect(model.state == .loaded && model.errorMessage == Self.offline)
  }

  // MARK: - Readers

  private func service(_ ids: [Int], heldBy gate: Gate<Service>? = nil) -> Intercepted<Service> {
    let forum = InMemoryForum(boards: [.init(id: 1, name: "Games")], threads: ids.map { .sample($0) })
    return Intercepted(
      Service(forum, notifications: NotificationCenter()),
      by: [.faults(plan)] + (gate.map { [.gate($0)] } ?? []))
  }

  @Test func nothingOfAFormerReaderIsShown() async throws {
    let account = ForumAccount()
    account.signIn(7, service: service(Array(1...45)))
    let model = ThreadsViewModel(forumID: 1, account: account, notifications: NotificationCenter())
    await model.refresh()
    model.searchText = "Thread 4"
    await plan.during(.on(.markRead, .offline)) { await model.markAsRead(.sample(45)) }
    #expect(!ids(model).isEmpty && model.errorMessage != nil && model.hasMore)

    // At once, without any task.
    account.signOut()
    #expect(ShownThreads(model) == ShownThreads())
    #expect(!model.hasMore && model.searchText.isEmpty)
    account.signIn(8, service: service([9]))
    #expect(ShownThreads(model) == ShownThreads())
    await model.loadThreadsIfNeeded()
    #expect(ShownThreads(model) == ShownThreads(.loaded, "9"))
    #expect(!model.hasMore && model.searchText.isEmpty)
  }

  @Test func anAnswerForAFormerReaderIsDropped() async throws {
    let gate = Gate<Service>(.loadThreads)
    let account = ForumAccount()
    account.signIn(7, service: service([1], heldBy: gate))
    let model = ThreadsViewModel(forumID: 1, account: account, notifications: NotificationCenter())
    let timeline = StateTimeline(of: model) { ShownThreads($0) }
    let former = Task { await model.refresh() }
    let held = try await gate.next()
    account.signIn(8, service: service([9]))
    #expect(ShownThreads(model) == ShownThreads())
    held.proceed()
    await former.value
    #expect(ShownThreads(model) == ShownThreads())
    await model.refresh()
    #expect(ShownThreads(model) == ShownThreads(.loaded, "9"))
    #expect(!timeline.states.contains { $0.threads.contains("1") })
  }

  @Test func anEndedSessionIsAnnouncedAndEmptiesTheList() async throws {
    let account = ForumAccount()
    account.signIn(7, service: service([1, 2]))
    let model = ThreadsViewModel(forumID: 1, account: account, notifications: NotificationCenter())
    await model.refresh()
    await plan.during(.on(.markRead, .unauthorized)) { await model.markAsRead(.sample(1)) }
    let message = "Session expired. Please log in again."
    #expect(account.hasExpired && account.readerID == nil)
    #expect(ShownThreads(model) == ShownThreads(.idle, message: message))
    model.dismissMessage()
    #expect(ShownThreads(model) == ShownThreads())
    await model.refresh()
    #expect(ShownThreads(model) == ShownThreads(.idle, message: message), "No reader is signed in.")
    account.signIn(7, service: service([1]))
    #expect(ShownThreads(model) == ShownThreads())
    await model.refresh()
    #expect(ShownThreads(model) == ShownThreads(.loaded, "1"))
  }

  /// The forum has accounts of its own: its page for guests has status 200.
  @Test func thePageForGuestsIsTheEndOfASession() async {
    let account = ForumAccount()
    account.signIn(7, service: Service(forum, notifications: NotificationCenter()))
    let model = ThreadsViewModel(forumID: 1, account: account, notifications: NotificationCenter())
    await model.refresh()
    forum.refuseRequests(with: .notSignedIn("Guests may not read this."))
    await model.refresh()
    #expect(account.hasExpired)
    #expect(
      ShownThreads(model) == ShownThreads(.idle, message: "Session expired. Please log in again."))
  }

  /// The session of a reader who has left is none of the next one's.
  @Test func theEndOfAFormerSessionDoesNotSignTheNextReaderOut() async throws {
    let gate = Gate<Service>(.loadThreads)
    let account = ForumAccount()
    account.signIn(7, service: service([1], heldBy: gate))
    let model = ThreadsViewModel(forumID: 1, account: account, notifications: NotificationCenter())
    let former = Task { await model.refresh() }
    let held = try await gate.next()
    account.signIn(8, service: service([9]))
    held.fail(with: .unauthorized)
    await former.value
    #expect(account.readerID == 8 && !account.hasExpired)
    #expect(ShownThreads(model) == ShownThreads())
  }

  @Test func aGuestIsAskedToLogIn() async {
    let model = ThreadsViewModel(
      forumID: 1, account: ForumAccount(), notifications: NotificationCenter())
    #expect(ShownThreads(model) == ShownThreads())
    await model.refresh()
    #expect(ShownThreads(model) == ShownThreads(.idle, message: "Please log in to continue."))
    model.dismissMessage()
    #expect(ShownThreads(model) == ShownThreads())
  }

  /// A message for a guest, and its dismissal, belong to the time between two sign-ins.
  @Test func theNextGuestIsAskedToLogInAgain() async {
    let account = ForumAccount()
    let model = ThreadsViewModel(forumID: 1, account: account, notifications: NotificationCenter())
    await model.refresh()
    account.signIn(7, service: service([1]))
    account.signOut()
    #expect(ShownThreads(model) == ShownThreads(), "Nothing was tried since.")
    await model.refresh()
    #expect(model.errorMessage == "Please log in to continue.")
  }

  /// Another screen of the same account notices the second end.
  @Test func everyEndOfASessionIsAnnounced() async {
    let account = ForumAccount()
    let model = ThreadsViewModel(forumID: 1, account: account, notifications: NotificationCenter())
    let other = ThreadsViewModel(forumID: 2, account: account, notifications: NotificationCenter())
    for _ in 1...2 {
      account.signIn(7, service: service([1]))
      await plan.during(.on(.loadThreads, .unauthorized)) { await other.refresh() }
      #expect(model.errorMessage == "Session expired. Please log in again.")
      model.dismissMessage()
      #expect(model.errorMessage == nil)
    }
  }
}
