import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
public import Understudy
import UnderstudyHTTP
import SharedServicesViewModels

extension Scenario {
  /// A user loads a forum's threads and more of them, marks one as read and unread, bookmarks it, and loads again.
  public static let threads: Scenario = Scenario(
    "threads",
    "A user loads a forum's threads and more of them, marks one as read and unread, bookmarks it, and loads again."
  ) { run in
    let board = 26
    let forum = InMemoryForum(
      boards: [InMemoryForum.Board(id: board, name: "Games")],
      // One more than a page has.
      threads: (1...41).map { id in
        ForumThread(
          id: id, forumID: board, title: "Thread \(id)", isSticky: id == 1,
          author: ForumUser(id: 7, name: "Robin"),
          replyCount: 2, lastPostDate: run.time.now.addingTimeInterval(Double(id) * 60), lastPostAuthor: "Kim"
        )
      })
    let repository = InMemoryThreadsRepository()
    let (told, heard) = (NotificationCenter(), NotificationCenter())
    let service = ForumThreadsService(
      client: run.intercepted(InMemoryForumsClient(forum), as: "forum"),
      repository: run.intercepted(repository, as: "store"), notifications: told)
    let model = ThreadsViewModel(forumID: board, service: service, notifications: heard)
    let last = Locked<ThreadsScreen?>(nil)
    run.watch(model) { last.withLock(\.self) ?? ThreadsScreen($0) }
    // The screen receives the service's notifications after the action, as it does the store's, so that the order is
    // always the same.
    let news = Locked<[ForumThread]>([])
    let listener = told.addObserver(forName: .threadUpdated, object: nil, queue: nil) { notification in
      if let thread = notification.object as? ForumThread { news.withLock { $0.append(thread) } }
    }
    defer { told.removeObserver(listener) }

    // The actions that have failed and not succeeded since.
    var failed: Set<String> = []
    var isOver = false
    let observation = "store.changes and store.threads"
    @MainActor func act(_ name: String, _ action: () async -> Void) async throws -> [FailedCall] {
      let failures = await run.failures {
        await run.holdingEvents(action)
        for thread in news.withLock({ news in
          defer { news = [] }; return news
        }) {
          await run.awaitingTasks { heard.post(name: .threadUpdated, object: thread) }
        }
      }
      run.expectLoadingEnded(model.state == .loading)
      if failures.isEmpty { failed.remove(name) } else { failed.insert(name) }
      // A list that is not observed any more is observed again with the next load.
      if failures.isEmpty, name.hasPrefix("the load") { failed.remove(observation) }
      if failures.contains(where: { observation.contains($0.point.operation) }) { failed.insert(observation) }
      // The next load observes again. Without faults the events of its stream are not held, so that they may arrive
      // before or after the end of a load.
      if isOver, failed.contains(observation) { last.withLock { $0 = $0 ?? ThreadsScreen(model) } }
      let stored = try await repository.threads(inForum: board, offset: 0, limit: nil)
      let isShown = Array(model.sections.joined()) == stored
      // The mark is stored even if reading the thread for the notification fails. A list that could not be read and was
      // read again needs no message.
      let visible = failures.filter { failure in
        let operation = failure.point.operation
        return !failure.isCancellation && operation != "store.thread"
          && !(operation == "store.threads" && isShown)
      }
      run.expect(
        "errors.shown", visible.isEmpty || model.errorMessage != nil,
        "there is no message, and what failed in \(name) is \(visible)")
      run.expect(
        "errors.true", model.errorMessage == nil || !failed.isEmpty,
        "the message is \"\(model.errorMessage ?? "")\", and everything has succeeded since")
      run.expect(
        "success.true", model.successMessage == nil || visible.isEmpty,
        "the message is \"\(model.successMessage ?? "")\", and what failed in \(name) is \(visible)")
      run.expect(
        "state.true", model.state != .loaded || !visible.contains { $0.point.operation == "forum.threads" },
        "the list counts as loaded after \(visible)")
      let ids = model.sections.joined().map(\.id)
      run.expect("nothing.twice", Set(ids).count == ids.count, "it shows the threads \(ids)")
      run.expect(
        "screen.matches.store", !failures.isEmpty || isShown,
        "it shows \(ThreadsScreen(model)), and \(stored.map(\.id)) are stored")
      return failures
    }
    @MainActor func edit(
      _ name: String, _ id: Int, _ action: (ForumThread) async -> Void,
      _ isDone: (ForumThread) -> Bool
    ) async throws {
      guard let thread = model.sections.joined().first(where: { $0.id == id }) else { return }
      let failures = try await act(name) { await action(thread) }
      let kept = try await repository.thread(id: id)
      let inForum = forum.thread(id: id)
      run.expect(
        "nothing.lost", !failures.isEmpty || (inForum.map(isDone) == true && kept.map(isDone) == true),
        "\(name) of thread \(id) succeeded, and is not in the forum and on the device")
    }
    @MainActor func editAll(_ id: Int) async throws {
      try await edit("the mark", id) {
        await model.markAsRead($0)
      } _: {
        !$0.hasUnreadPosts
      }
      try await edit("the bookmark", id) {
        await model.setBookmark(.red, of: $0)
      } _: {
        $0.bookmark == .red
      }
      try await edit("the mark", id) {
        await model.markAsUnread($0)
      } _: {
        $0.reading == .never
      }
    }
    @MainActor func loadMore() async throws {
      guard let last = model.sections.joined().last else { return }
      _ = try await act("the load of the next page") { await model.loadMore(at: last) }
    }

    _ = try await act("the load", model.loadThreadsIfNeeded)
    if model.sections.joined().isEmpty { _ = try await act("the load", model.loadThreadsIfNeeded) }
    try await loadMore()
    try await editAll(41)
    _ = try await act("the load", model.refresh)
    if failed.contains(observation) { _ = try await act("the load", model.refresh) }
    // Whatever has failed can be repeated.
    try await run.withoutFaults {
      isOver = true
      if failed.contains(observation) { last.withLock { $0 = ThreadsScreen(model) } }
      // A stream may still end early, of which the next load makes another.
      var rounds = 0
      repeat {
        rounds += 1
        _ = try await act("the load", model.refresh)
        try await editAll(41)
        try await loadMore()
      } while rounds < 3 && !failed.isEmpty
      run.expect(
        "errors.end", model.errorMessage == nil && model.state == .loaded,
        "it shows \(ThreadsScreen(model)) after everything has succeeded")
      let client = InMemoryForumsClient(forum)
      let pages = try await [
        client.threads(inForum: board, page: 1), client.threads(inForum: board, page: 2),
      ]
      run.expect(
        "screen.matches.store", Array(model.sections.joined()) == pages.flatMap(\.threads),
        "it shows \(ThreadsScreen(model)), and the forum has \(pages.flatMap(\.threads).map(\.id))")
    }
  }
}

/// The content of the list: the ids of the threads, with a tick for read ones and a star for bookmarked ones.
private struct ThreadsScreen: Equatable, Sendable, CustomStringConvertible {
  let state: ThreadsViewModel.State
  let threads: [String]
  let message: String?

  @MainActor init(_ model: ThreadsViewModel) {
    state = model.state
    threads = model.sections.joined().map {
      "\($0.id)\($0.hasUnreadPosts ? "" : "✓")\($0.bookmark == nil ? "" : "★")"
    }
    message = model.errorMessage
  }

  var description: String {
    let shown = threads.prefix(3) + (threads.count > 3 ? ["… \(threads.count)"] : [])
    let threads = threads.isEmpty ? "no threads" : shown.joined(separator: " ")
    return "\(state)\(message.map { ": \($0)" } ?? ""): \(threads)"
  }
}
