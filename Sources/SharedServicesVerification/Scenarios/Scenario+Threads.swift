import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
public import Understudy
import UnderstudyHTTP
import SharedServicesViewModels

extension Scenario {
  /// A user loads a forum's threads, marks one as read, and loads them again.
  public static let threads: Scenario = Scenario(
    "threads", "A user loads a forum's threads, marks one as read, and loads them again."
  ) { run in
    let board = 26
    let forum = InMemoryForum(
      boards: [InMemoryForum.Board(id: board, name: "Games")],
      threads: (1...3).map { id in
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
    run.watch(model) { ThreadsScreen($0) }
    // The screen receives the service's notifications after the action, as it does the store's, so that the order is
    // always the same.
    let news = Locked<[ForumThread]>([])
    let listener = told.addObserver(forName: .threadUpdated, object: nil, queue: nil) { notification in
      if let thread = notification.object as? ForumThread { news.withLock { $0.append(thread) } }
    }
    defer { told.removeObserver(listener) }

    @MainActor func act(_ action: () async -> Void) async throws -> [FailedCall] {
      let failures = await run.failures {
        await run.holdingEvents(action)
        for thread in news.withLock({ news in
          defer { news = [] }; return news
        }) {
          await run.awaitingTasks { heard.post(name: .threadUpdated, object: thread) }
        }
      }
      run.expectLoadingEnded(model.state == .loading)
      // The mark is stored even if reading the thread for the notification fails; the user sees no error then.
      run.expectMessage(model.errorMessage, after: failures.filter { $0.point.operation != "store.thread" })
      let ids = model.sections.joined().map(\.id)
      run.expect("nothing.twice", Set(ids).count == ids.count, "it shows the threads \(ids)")
      let stored = try await repository.threads(inForum: board, offset: 0, limit: nil)
      run.expect(
        "screen.matches.store", !failures.isEmpty || Array(model.sections.joined()) == stored,
        "it shows \(ThreadsScreen(model)), and \(stored.map(\.id)) are stored")
      return failures
    }

    _ = try await act(model.loadThreadsIfNeeded)
    if model.sections.joined().isEmpty { _ = try await act(model.loadThreadsIfNeeded) }
    if let thread = model.sections.joined().first(where: { $0.hasUnreadPosts }) {
      let failures = try await act { await model.markAsRead(thread) }
      let kept = try await repository.thread(id: thread.id)
      run.expect(
        "nothing.lost",
        !failures.isEmpty
          || (forum.thread(id: thread.id)?.hasUnreadPosts == false && kept?.hasUnreadPosts == false),
        "thread \(thread.id) is not read in the forum and on the device")
    }
    _ = try await act(model.refresh)
    try await run.withoutFaults {
      _ = try await act(model.refresh)
      let client = InMemoryForumsClient(forum)
      let page = try await client.threads(inForum: board, page: 1)
      run.expect(
        "screen.matches.store", Array(model.sections.joined()) == page.threads,
        "it shows \(ThreadsScreen(model)), and the forum has \(page.threads.map(\.id))")
    }
  }
}

/// The content of the list: the ids of the threads, with a tick for read ones.
private struct ThreadsScreen: Equatable, Sendable, CustomStringConvertible {
  let state: ThreadsViewModel.State
  let threads: [String]
  let message: String?

  @MainActor init(_ model: ThreadsViewModel) {
    state = model.state
    threads = model.sections.joined().map { "\($0.id)\($0.hasUnreadPosts ? "" : "✓")" }
    message = model.errorMessage
  }

  var description: String {
    let threads = threads.isEmpty ? "no threads" : threads.joined(separator: " ")
    return "\(state)\(message.map { ": \($0)" } ?? ""): \(threads)"
  }
}
