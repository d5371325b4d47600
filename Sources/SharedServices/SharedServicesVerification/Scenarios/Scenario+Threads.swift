import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
public import Understudy
import SharedServicesViewModels

extension Scenario {
  /// A reader loads a forum's threads and more of them, marks one as read, bookmarks it, and loads again.
  public static let threads: Scenario = Scenario(
    "threads",
    "A reader loads a forum's threads and more of them, marks one as read, bookmarks it, and loads again."
  ) { run in
    let reader = ForumReader(7, titles: "Thread", threadCount: 5, time: run.time)
    let other = ForumReader(8, titles: "Topic", threadCount: 3, time: run.time)
    let (sender, receiver) = (NotificationCenter(), NotificationCenter())
    // Pages of two threads: 1 and 5, 4 and 3, 2.
    let pages = InMemoryForumsClient(reader.forum, threadsPerPage: 2)
    let service = ForumThreadsService(
      client: run.intercepted(pages, as: "forum"),
      repository: run.intercepted(reader.repository, as: "store"), notifications: sender)
    let otherService = InMemoryThreadsService(other.forum, notifications: NotificationCenter())
    let account = ForumAccount()
    account.signIn(reader.id, service: service)
    let model = ThreadsViewModel(forumID: ForumReader.board, account: account, notifications: receiver)
    let last = Locked<ThreadsScreen?>(nil)
    let statesShown = run.watch(model) { last.withLock(\.self) ?? ThreadsScreen($0) }
    // The screen receives the service's notifications after the action, as it does the store's, so that the order is
    // always the same.
    let news = Locked<[ForumThread]>([])
    let listener = sender.addObserver(forName: .threadUpdated, object: nil, queue: nil) { notification in
      if let thread = notification.object as? ForumThread { news.withLock { $0.append(thread) } }
    }
    defer { sender.removeObserver(listener) }
    @MainActor func shown(_ id: Int) -> ForumThread? { model.sections.joined().first { $0.id == id } }

    run.interruption("refresh") { await model.refresh() }
    run.interruption("more") {
      if let end = model.sections.joined().last { await model.loadMore(at: end) }
    }
    run.interruption("mark-another") { if let thread = shown(1) { await model.markAsRead(thread) } }
    run.interruption("mark-as-unread") { if let thread = shown(5) { await model.markAsUnread(thread) } }
    run.interruption("device") {
      // Another device marks a thread, there is a new one, and this device hears of both.
      guard var marked = reader.forum.thread(id: 4) else { return }
      marked.reading = .seen(unreadCount: 0)
      for thread in [marked, reader.thread(9)] { reader.forum.store(thread) }
      try? await reader.repository.markRead(threadID: 4, upTo: .max)
      try? await reader.repository.save([reader.thread(9)])
    }
    run.interruption("search") { model.searchText = "4" }
    run.interruption("dismissal") { model.dismissMessage() }
    run.interruption("expiry") {
      reader.forum.refuseRequests(with: .notSignedIn("Guests may not read this."))
    }
    run.interruption("sign-out") { account.signOut() }
    run.interruption("other-reader") {
      account.signIn(other.id, service: otherService)
      await model.loadThreadsIfNeeded()
    }
    run.always("nothing.of.others", model) { model in
      let threads = model.sections.joined().map(\.title)
      if account.readerID == nil {
        let isEmpty =
          threads.isEmpty && model.searchText.isEmpty && !model.hasMore && model.successMessage == nil
        return isEmpty && model.state == .idle ? nil : "for a guest it shows \(ThreadsScreen(model))"
      }
      let titles = account.readerID == reader.id ? reader.titles : other.titles
      return threads.allSatisfy { $0.hasPrefix(titles) } ? nil : "for another reader it shows \(threads)"
    }
    run.always("one.truth", model) { model in
      let truths = [model.errorMessage, model.successMessage].compactMap(\.self)
      if truths.count > 1 || (model.state == .loading && model.errorMessage != nil) {
        return "it is \(model.state), and shows \(truths)"
      }
      let found = model.sections.joined().allSatisfy {
        model.searchText.isEmpty || $0.title.contains(model.searchText)
      }
      return found ? nil : "it shows \(ThreadsScreen(model)) for \"\(model.searchText)\""
    }
    run.always("no.gaps", model) { model in
      guard account.readerID == reader.id, model.searchText.isEmpty else { return nil }
      // The thread of the other device comes when it comes.
      let ids = model.sections.joined().map(\.id).filter { $0 != 9 }
      return [1, 5, 4, 3, 2].starts(with: ids) ? nil : "it shows the threads \(ids)"
    }

    // The actions that have failed and not succeeded since.
    var failed: Set<String> = []
    var isOver = false
    let (observation, interruption) = ("store.changes and store.threads", "an interruption")
    /// Whether no interruption was started but some, so that the others' effects are not to be seen.
    @MainActor func isUndisturbed(but harmless: Set<String> = []) -> Bool {
      harmless.isSuperset(of: run.interruptions)
    }
    @MainActor func act(_ name: String, _ action: @escaping @MainActor () async -> Void) async throws
      -> [FailedCall]
    {
      let interruptionCount = run.interruptions.count
      let failures = await run.failures {
        await run.holdingEvents { await run.act(named: name, action) }
        for thread in news.withLock({ news in
          defer { news = [] }; return news
        }) {
          await run.awaitingTasks { receiver.post(name: .threadUpdated, object: thread) }
        }
        // An interruption of the events may go on.
        await run.act(named: "wait") {}
      }
      model.searchText = ""
      run.expectLoadingEnded(model.state == .loading)
      // An action that was cancelled has not succeeded, even if all its calls have.
      let hasSucceeded =
        failures.isEmpty && !run.interruptions.dropFirst(interruptionCount).contains("cancel")
      if hasSucceeded { failed.remove(name) }
      if !failures.isEmpty { failed.insert(name) }
      if !isUndisturbed(), failures.contains(where: { !$0.isCancellation }) { failed.insert(interruption) }
      // A list that is not observed any more is observed again with the next load.
      if hasSucceeded, name.hasPrefix("the load") { failed.remove(observation) }
      if failures.contains(where: { observation.contains($0.point.operation) }) { failed.insert(observation) }
      // The next load observes again. Without faults the events of its stream are not held, so that they may arrive
      // before or after the end of a load.
      if isOver, failed.contains(observation) { last.withLock { $0 = $0 ?? ThreadsScreen(model) } }
      let states = statesShown().map(\.state)
      run.expect(
        "failures.are.new", !zip(states, states.dropFirst()).contains { $0 == .loaded && $1 == .failed },
        "an older load has failed after a newer one")
      let ids = model.sections.joined().map(\.id)
      run.expect("nothing.twice", Set(ids).count == ids.count, "it shows the threads \(ids)")
      let endsSession = failures.contains {
        [.networkError(.unauthorized), .refused(.notSignedIn("Guests may not read this."))].contains(
          $0.error as? DataError)
      }
      if !isOver, isUndisturbed(but: ["expiry"]) {
        run.expect(
          "session.announced",
          account.hasExpired == (endsSession && failures.contains { !$0.isCancellation }),
          "the reader is \(account.readerID.map { "\($0)" } ?? "signed out"), and what failed in \(name) is \(failures)"
        )
      }
      guard account.readerID == reader.id else { return failures }

      let stored = try await reader.stored()
      let isShown = Array(model.sections.joined()) == stored
      // The mark is stored even if reading the thread for the notification fails. A list that could not be read and was
      // read again needs no message.
      let visible = failures.filter { failure in
        let operation = failure.point.operation
        return !failure.isCancellation && operation != "store.thread"
          && !(operation == "store.threads" && isShown)
      }
      // Another action that begins later removes the message.
      if isUndisturbed(but: ["device", "search"]) {
        run.expect(
          "errors.shown", visible.isEmpty || model.errorMessage != nil,
          "there is no message, and what failed in \(name) is \(visible)")
      }
      run.expect(
        "errors.true", model.errorMessage == nil || !failed.isEmpty,
        "the message is \"\(model.errorMessage ?? "")\", and everything has succeeded since")
      if isUndisturbed() {
        run.expect(
          "success.true", model.successMessage == nil || visible.isEmpty,
          "the message is \"\(model.successMessage ?? "")\", and what failed in \(name) is \(visible)")
        run.expect(
          "state.true", model.state != .loaded || !visible.contains { $0.point.operation == "forum.threads" },
          "the list counts as loaded after \(visible)")
      }
      run.expect(
        "screen.matches.store", isShown || failed.contains(observation) || !failures.isEmpty,
        "it shows \(ThreadsScreen(model)), and \(stored.map(\.id)) are stored")
      return failures
    }
    /// Whether an action has had its effect: a call that was cancelled was repeated at once.
    @MainActor func hasEnded(_ failures: [FailedCall], but harmless: Set<String>) -> Bool {
      isUndisturbed(but: harmless.union(["restart", "mark-another", "device", "dismissal"]))
        && failures.allSatisfy {
          $0.isCancellation && $0.fault == nil && run.interruptions.contains("restart")
        }
    }
    @MainActor func edit(
      _ name: String, _ id: Int, _ action: @escaping @MainActor (ForumThread) async -> Void,
      _ isDone: (ForumThread) -> Bool
    ) async throws {
      guard let thread = shown(id) else { return }
      let failures = try await act(name) { await action(thread) }
      guard hasEnded(failures, but: ["refresh", "more", "search"]) else { return }
      let stored = try await [reader.forum.thread(id: id), reader.repository.thread(id: id), shown(id)]
      run.expect(
        "nothing.lost",
        stored.allSatisfy { $0.map(isDone) ?? run.interruptions.contains("refresh") },
        "\(name) of thread \(id) succeeded, and is not in the forum, on the device and on the screen")
    }
    @MainActor func markAsRead(_ id: Int) async throws {
      try await edit("the mark of thread \(id)", id) {
        await model.markAsRead($0)
      } _: {
        !$0.hasUnreadPosts
      }
    }
    @MainActor func bookmark() async throws {
      try await edit("the bookmark", 5) {
        await model.setBookmark(.red, of: $0)
      } _: {
        $0.bookmark == .red
      }
    }
    @MainActor func markAsUnread() async throws {
      try await edit("the mark of thread 5", 5) {
        await model.markAsUnread($0)
      } _: {
        $0.reading == .never
      }
    }
    @MainActor func loadMore() async throws {
      guard let end = model.sections.joined().last, model.hasMore else { return }
      let count = model.sections.joined().count
      var isLonger = false
      let failures = try await act("the load of the next page") {
        await model.loadMore(at: end)
        isLonger = model.sections.joined().count > count
      }
      // After a refresh there is another end if there is a new thread. What another action loads can be replaced later.
      let harmless: Set = run.interruptions.contains { ["device", "more"].contains($0) } ? [] : ["refresh"]
      run.expect(
        "nothing.swallowed",
        !hasEnded(failures, but: harmless.union(harmless.isEmpty ? ["more"] : [])) || isLonger
          || model.sections.joined().count > count || !model.hasMore,
        "the end of the list was on the screen, and no more was loaded; it shows \(ThreadsScreen(model))")
    }
    @MainActor func load(_ action: @escaping @MainActor () async -> Void) async throws {
      let failures = try await act("the load", action)
      run.expect(
        "nothing.swallowed",
        !hasEnded(failures, but: ["refresh", "more", "search"]) || model.state == .loaded,
        "nothing was loaded; it shows \(ThreadsScreen(model))")
    }
    /// Signs the reader in again, whose session the forum has ended.
    @MainActor func signInAgain() {
      reader.forum.refuseRequests(with: nil)
      if account.readerID != reader.id { account.signIn(reader.id, service: service) }
    }

    let steps: [@MainActor () async throws -> Void] = [
      { try await loadMore() },
      { try await markAsRead(5) },
      { try await bookmark() },
      { try await load(model.refresh) },
    ]
    try await load(model.loadThreadsIfNeeded)
    for step in steps {
      if account.hasExpired { signInAgain() }
      // A reader who has left does not go on.
      guard account.readerID == reader.id else { break }
      if model.sections.joined().isEmpty { try await load(model.loadThreadsIfNeeded) }
      if account.readerID == reader.id { try await step() }
    }
    // Whatever has failed can be repeated.
    try await run.withoutFaults {
      isOver = true
      if failed.contains(observation) || account.readerID != reader.id || !isUndisturbed() {
        last.withLock { $0 = ThreadsScreen(model) }
      }
      signInAgain()
      // A repetition that is cancelled at once does not make up for a failure.
      let (state, message) = (model.state, model.errorMessage)
      let refresh = Task { await model.refresh() }
      Task { refresh.cancel() }
      await refresh.value
      run.expect(
        "failures.stay", model.state == state && model.errorMessage == message,
        "it was \(state) with the message \"\(message ?? "")\", and shows \(ThreadsScreen(model))")
      try await loadMore()
      // A stream may still end early, of which the next load makes another, and its events may be interrupted.
      var rounds = 0
      repeat {
        rounds += 1
        signInAgain()
        _ = try await act("the load", model.refresh)
        for _ in 1...2 { try await loadMore() }
        try await markAsRead(5)
        try await bookmark()
        try await markAsUnread()
        try await markAsRead(1)
        failed.remove(interruption)
      } while rounds < 5 && (!failed.isEmpty || account.readerID != reader.id || model.hasMore)
      reader.forum.refuseRequests(with: nil)
      run.expect(
        "errors.end", model.errorMessage == nil && model.state == .loaded,
        "it shows \(ThreadsScreen(model)) after everything has succeeded")
      let all = try await InMemoryForumsClient(reader.forum).threads(inForum: ForumReader.board, page: 1)
        .threads
      run.expect(
        "screen.matches.store", Array(model.sections.joined()) == all && !model.hasMore,
        "it shows \(ThreadsScreen(model)), and the forum has \(all.map(\.id))")
    }
  }
}

/// A reader of a forum, with the forum as the reader sees it, and the reader's store.
private struct ForumReader {
  static let board = 26

  let id: Int
  let titles: String
  let forum: InMemoryForum
  let repository = InMemoryThreadsRepository()
  private let now: Date

  init(_ id: Int, titles: String, threadCount: Int, time: Time) {
    self.id = id
    self.titles = titles
    now = time.now
    forum = InMemoryForum(boards: [ForumBoard(id: Self.board, name: "Games")])
    for id in 1...threadCount { forum.store(thread(id)) }
  }

  /// A thread, the newer the higher its id is; the first one is sticky.
  func thread(_ id: Int) -> ForumThread {
    ForumThread(
      id: id, forumID: Self.board, title: "\(titles) \(id)", isSticky: id == 1,
      author: ForumUser(id: 7, name: "Robin"), replyCount: 2,
      lastPostDate: now.addingTimeInterval(Double(id) * 60), lastPostAuthor: "Kim")
  }

  func stored() async throws -> [ForumThread] {
    try await repository.threads(inForum: Self.board, offset: 0, limit: nil)
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
    let threads = threads.isEmpty ? "no threads" : threads.joined(separator: " ")
    return "\(state)\(message.map { ": \($0)" } ?? ""): \(threads)"
  }
}
