import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import TestSupport
import Understudy
import UnderstudyHTTP
import SharedServicesViewModels
import Testing
import UnderstudyTesting

/// What the screen shows after each failure of the forum and of the store, from tables that are written by hand.
@MainActor
@Suite(.stallLimit()) struct ThreadsFailureTests {
  typealias Shown = ShownThreads

  nonisolated static let messages: [(error: DataError, message: String)] = [
    (.networkError(.noConnection), "No internet connection. Please check your network."),
    (.networkError(.timeout), "Request timed out. Please try again."),
    (.networkError(.unauthorized), "Session expired. Please log in again."),
    (.networkError(.serverError), "Server error. Please try again later."),
    (.networkError(.forbidden), "You don't have permission to do that."),
    (.networkError(.notFound), "We couldn't find that. It may have been removed."),
    (.networkError(.conflict), "That already exists. Please choose another name."),
    (
      .networkError(.rateLimited(retryAfter: .seconds(30))),
      "Too many requests. Please try again in 30 seconds."
    ),
    (.networkError(.connectionLost), "The connection was lost. Please try again."),
    (.networkError(.unreadableAnswer), "We couldn't read the server's answer. Please try again later."),
    (.refused(.databaseDown), "The forum's database is down. Please try again later."),
    (.refused(.banned), "This account is banned from the forum."),
    (.refused(.threadClosed), "This thread is closed."),
    (.refused(.other("Come back on Monday.")), "Come back on Monday."),
    (.parsingError("no tr.thread"), "The forum sent a page that this app does not understand."),
  ]

  nonisolated static let storeMessage = "Your threads could not be saved on this device."

  let repository = InMemoryThreadsRepository()
  let center = NotificationCenter()

  private func timeline(
    _ forum: ScriptedForum, failing rules: FaultPlan<InMemoryThreadsRepository>.Rule...
  ) async throws -> StateTimeline<ThreadsViewModel, Shown> {
    try await repository.save([.sample(9)])
    // A store that cuts its answer is silent until a timeout, which takes no real time.
    return timeline(
      forum,
      keptIn: Intercepted(
        repository, by: .faults(FaultPlan(rules: rules)), time: TestClock(.immediate).time))
  }

  private func timeline(
    _ forum: ScriptedForum, keptIn store: any ThreadsRepository
  ) -> StateTimeline<ThreadsViewModel, Shown> {
    let service = ForumThreadsService(client: forum, repository: store, notifications: center)
    return StateTimeline(of: ThreadsViewModel(forumID: 1, service: service, notifications: center)) {
      Shown($0)
    }
  }

  @Test(arguments: messages)
  func aLoadThatTheForumFailsEndsInItsMessage(_ row: (error: DataError, message: String)) async throws {
    let forum = ScriptedForum([.sample(1)])
    forum.write { $0.failure = row.error }
    let timeline = try await timeline(forum)
    await timeline.subject.loadThreadsIfNeeded()
    #expect(
      timeline.states == [
        Shown(), Shown(.loading), Shown(.loading, "9"), Shown(.failed, "9", message: row.message),
      ])
    forum.write { $0.failure = nil }
    await timeline.subject.loadThreadsIfNeeded()
    #expect(timeline.states.last == Shown(.loaded, "1"), "A load that failed is needed again.")
  }

  @Test(arguments: messages)
  func aMarkThatTheForumFailsEndsInItsMessage(_ row: (error: DataError, message: String)) async throws {
    let forum = ScriptedForum([.sample(1)])
    let timeline = try await timeline(forum)
    await timeline.subject.refresh()
    forum.write { $0.failure = row.error }
    await timeline.subject.markAsRead(.sample(1))
    #expect(timeline.states.last == Shown(.loaded, "1", message: row.message))
    forum.write { $0.failure = nil }
    await timeline.subject.markAsRead(.sample(1))
    #expect(timeline.states.last == Shown(.loaded, "1✓"))
  }

  /// A message belongs to what failed last.
  @Test func theFailureOfAMarkGoesWhenTheListIsLoaded() async throws {
    let forum = ScriptedForum([.sample(1)])
    let timeline = try await timeline(forum)
    await timeline.subject.refresh()
    forum.write { $0.failure = .networkError(.timeout) }
    await timeline.subject.markAsRead(.sample(1))
    #expect(timeline.subject.errorMessage == "Request timed out. Please try again.")
    forum.write { $0.failure = nil }
    await timeline.subject.refresh()
    #expect(timeline.states.last == Shown(.loaded, "1"))
  }

  @Test func theFailureOfAMarkGoesWhenAnotherThreadIsMarked() async throws {
    let forum = ScriptedForum([.sample(1), .sample(2)])
    let timeline = try await timeline(forum)
    await timeline.subject.refresh()
    for id in [1, 2] {
      forum.write { $0.failure = .networkError(id == 1 ? .timeout : .noConnection) }
      await timeline.subject.markAsRead(.sample(id))
    }
    #expect(timeline.subject.errorMessage == "No internet connection. Please check your network.")
    forum.write { $0.failure = nil }
    await timeline.subject.markAsRead(.sample(2))
    #expect(timeline.subject.errorMessage == nil, "The failure of the first mark does not come back.")
  }

  /// The store fails to be observed: nothing that it holds can be shown.
  @Test(arguments: Fault.failures(of: .call))
  func aStoreThatCannotBeObservedEndsInAMessage(_ fault: Fault) async throws {
    let timeline = try await timeline(ScriptedForum([.sample(1)]), failing: .on(.changes, call: 1, fault))
    await timeline.subject.loadThreadsIfNeeded()
    let expected =
      cutsAnAnswer(fault)
      ? [Shown(), Shown(.loading), Shown(.loading, "9")]
      : [Shown(), Shown(.loading), Shown(.failed, message: Self.storeMessage)]
    #expect(Array(timeline.states.prefix(3)) == expected)
    await timeline.subject.refresh()
    #expect(timeline.states.last?.threads == ["1"])
    #expect(timeline.subject.state == .loaded)
  }

  /// The forum has answered and the store does not take it: what is stored stays on the screen.
  @Test(arguments: Fault.failures(of: .call).filter { !$0.reachesBase })
  func aStoreThatCannotBeWrittenEndsInAMessage(_ fault: Fault) async throws {
    let timeline = try await timeline(
      ScriptedForum([.sample(1)]), failing: .on(.replaceThreads, call: 1, fault))
    await timeline.subject.loadThreadsIfNeeded()
    #expect(
      timeline.states == [
        Shown(), Shown(.loading), Shown(.loading, "9"),
        Shown(.failed, "9", message: Self.storeMessage),
      ])
    await timeline.subject.refresh()
    #expect(timeline.states.last == Shown(.loaded, "1"))
  }

  /// Nothing can be read, so nothing is shown, and the screen does not wait.
  @Test(arguments: Fault.failures(of: .call))
  func aStoreThatCannotBeReadEndsInAMessage(_ fault: Fault) async throws {
    let timeline = try await timeline(ScriptedForum([.sample(1)]), failing: .on(.threads, fault))
    await timeline.subject.loadThreadsIfNeeded()
    #expect(timeline.states == [Shown(), Shown(.loading), Shown(.failed, message: Self.storeMessage)])
  }

  /// The list stays, a message says why it is not updated, and the next load observes again.
  @Test func anObservationThatBreaksShowsAMessageAndIsRestarted() async throws {
    let store = UncancellableRepository(base: repository)
    let timeline = timeline(ScriptedForum([.sample(1)]), keptIn: store)
    await timeline.subject.refresh()
    store.fail()
    try await timeline.wait(for: Shown(.loaded, "1", message: Self.storeMessage))
    await timeline.subject.refresh()
    #expect(timeline.states.last == Shown(.loaded, "1"))
    try await repository.save([.sample(3)])
    try await timeline.wait(for: Shown(.loaded, "3", "1"))
  }

  /// A list without updates has a message, whether the failure comes before the end of the load or after it.
  @Test func anObservationThatBreaksDuringALoadShowsAMessage() async throws {
    let store = UncancellableRepository(base: repository)
    let forum = ScriptedForum([.sample(1)])
    let (asked, delivered) = (Latch(), Latch())
    forum.write {
      $0.delivery = {
        asked.open()
        await delivered.wait()
      }
    }
    let timeline = timeline(forum, keptIn: store)
    let load = Task { await timeline.subject.refresh() }
    await asked.wait()
    store.fail()
    delivered.open()
    await load.value
    #expect(timeline.subject.state == .loaded)
    try await timeline.wait(for: Shown(.loaded, "1", message: Self.storeMessage))
  }

  /// The message of an earlier observation does not come back when a later one is cancelled.
  @Test func aCancelledObservationDoesNotShowTheEarlierMessage() async throws {
    let store = UncancellableRepository(base: repository)
    let plan = FaultPlan<UncancellableRepository>()
    let forum = ScriptedForum([.sample(1)])
    let timeline = timeline(forum, keptIn: Intercepted(store, by: .faults(plan)))
    await timeline.subject.refresh()
    store.fail()
    try await timeline.wait(for: Shown(.loaded, "1", message: Self.storeMessage))
    let (asked, delivered) = (Latch(), Latch())
    forum.write {
      $0.delivery = {
        asked.open()
        await delivered.wait()
      }
    }
    let load = Task { await timeline.subject.refresh() }
    await asked.wait()
    try await plan.during(.on(.threads, .cancelled)) {
      try await repository.save([.sample(3)])
      await store.isLeftByTheSecond()
    }
    delivered.open()
    await load.value
    #expect(timeline.states.last == Shown(.loaded, "1"))
  }

  /// A cancelled load has no message of its own, but the list without updates has one.
  @Test func anObservationThatBreaksDuringACancelledLoadShowsAMessage() async throws {
    let store = UncancellableRepository(base: repository)
    let forum = ScriptedForum([.sample(1)])
    let (asked, delivered) = (Latch(), Latch())
    forum.write {
      $0.delivery = {
        asked.open()
        await delivered.wait()
      }
      $0.failure = .cancelled
    }
    let timeline = timeline(forum, keptIn: store)
    let load = Task { await timeline.subject.refresh() }
    await asked.wait()
    store.fail()
    await store.isLeft()
    delivered.open()
    await load.value
    try await timeline.wait(for: Shown(.idle, message: Self.storeMessage))
  }

  /// A notification says that a thread was changed, and the store cannot be read.
  @Test func aFailedReadAfterANotificationShowsAMessage() async throws {
    let (plan, log) = (FaultPlan<UncancellableRepository>(), CallLog<UncancellableRepository>())
    let timeline = timeline(
      ScriptedForum([.sample(1)]),
      keptIn: Intercepted(UncancellableRepository(base: repository), by: .log(log), .faults(plan)))
    await timeline.subject.refresh()
    // Two for the load, and one for the first value of the observation.
    try await log.wait(for: .threads, calls: 3)
    try await plan.during(.on(.threads, .timeout)) {
      center.post(name: .threadUpdated, object: ForumThread.sample(1))
      try await timeline.wait(for: Shown(.loaded, "1", message: Self.storeMessage))
    }
  }

  /// Faults that break an answer off in its middle break the stream of changes, and not the call.
  private func cutsAnAnswer(_ fault: Fault) -> Bool {
    let cuts: [Fault] = [
      .timeoutInBody(), .truncatedBody(), .truncatedChunk(), .resetInBody(), .malformedChunk(), .brokenGzip,
    ]
    return cuts.contains(fault)
  }
}
