public import Foundation
public import Observation
public import SharedServices

/// The view model of the list of a forum's threads (seed 002).
///
/// The stored threads are shown at once and stay if the forum fails; every change of the store is shown. After every
/// action ``state`` is no longer `.loading`. A cancelled action ends at once and shows no message. Everything that is
/// shown belongs to the reader who is signed in: it is gone as soon as another one, or no reader, is.
///
/// Messages are those of `DataError`, which distinguish an ended session, a refusal, too many requests, a time-out and a
/// missing network. Seed 002 shows `localizedDescription`, which is the same text.
@MainActor
@Observable
public final class ThreadsViewModel {
  // Seed 002 publishes `isLoading` and an error through Combine, which Linux has not; and the two could contradict each
  // other.
  /// The state of the list.
  public enum State: Sendable, Hashable {
    /// Nothing has been loaded yet.
    case idle
    /// A load is in progress.
    case loading
    /// The last load succeeded.
    case loaded
    /// The last load failed; ``ThreadsViewModel/errorMessage`` is the message until it is dismissed.
    case failed
  }

  /// The state of the list.
  public var state: State { shown?.state ?? .idle }

  /// The message of the last failure that still applies, for the user.
  ///
  /// It is removed when the failed action succeeds, and by ``dismissMessage()``. A load hides the message of an earlier
  /// one.
  public var errorMessage: String? { shown.map(\.errorMessage) ?? messageOfGuest }

  /// The message of the last action that has succeeded, if its success is not visible in the list; removed by the next
  /// action, and by ``dismissMessage()``.
  public var successMessage: String? { errorMessage == nil ? shown?.successMessage : nil }

  /// The sticky threads and the others whose titles contain ``searchText``.
  public var sections: [[ForumThread]] { shown?.sections ?? [[], []] }

  /// The text in the search field; an empty text shows every thread.
  public var searchText: String {
    get { shown?.searchText ?? "" }
    set { if account.current != nil { currentList()?.searchText = newValue } }
  }

  /// Whether the forum has more pages than were loaded.
  public var hasMore: Bool { shown?.hasMore ?? false }

  /// The list of a reader.
  private var list: ForumList?
  /// Whether an action was tried while no reader is signed in, and its message not dismissed.
  private var wasTriedByGuest = false
  /// Whether the message about the ended session was dismissed.
  private var isExpiryDismissed = false

  private let forumID: Int
  private let account: ForumAccount
  private let notifications: NotificationCenter

  /// Creates the view model of a forum's list for the readers of an account.
  ///
  /// - Parameters:
  ///   - forumID: The forum's id.
  ///   - account: The account, with the service that loads and stores the reader's threads.
  ///   - notifications: The center to which ``Foundation/NSNotification/Name/threadUpdated`` is posted.
  public init(forumID: Int, account: ForumAccount, notifications: NotificationCenter = .default) {
    self.forumID = forumID
    self.account = account
    self.notifications = notifications
  }

  /// Creates the view model of a forum's list for one reader.
  ///
  /// - Parameters:
  ///   - forumID: The forum's id.
  ///   - service: The service that loads and stores the reader's threads.
  ///   - notifications: The center to which ``Foundation/NSNotification/Name/threadUpdated`` is posted.
  public convenience init(
    forumID: Int, service: any ThreadsService, notifications: NotificationCenter = .default
  ) {
    self.init(forumID: forumID, account: ForumAccount(of: service), notifications: notifications)
  }

  /// Loads the first page, unless one has been loaded or is being loaded.
  public func loadThreadsIfNeeded() async {
    await currentList()?.loadIfNeeded()
  }

  /// Loads the first page, which replaces all stored threads.
  ///
  /// It has no effect while the first page is being loaded. A later page that is being loaded is cancelled. In seed 002
  /// it is the same as ``loadThreadsIfNeeded()``, which would load again whenever the list appears.
  public func refresh() async {
    await currentList()?.refresh()
  }

  /// Loads the next page, if a thread is the last one in the list and there are more pages.
  ///
  /// While the first page is being loaded, it waits, and then loads the next page if the thread is still the last one.
  /// During a search nothing is loaded, because the last visible thread is not the end of the list.
  public func loadMore(at thread: ForumThread) async {
    await currentList()?.loadMore(at: thread)
  }

  /// Marks a thread as read, in the forum and on the device.
  ///
  /// A second call during the first has no effect. A call of another kind for the same thread follows the first.
  public func markAsRead(_ thread: ForumThread) async {
    await currentList()?.edit(thread, .read)
  }

  /// Marks a thread as never read, as ``markAsRead(_:)`` marks it as read.
  public func markAsUnread(_ thread: ForumThread) async {
    await currentList()?.edit(thread, .unread)
  }

  /// Bookmarks a thread in a color, in the forum and on the device; `nil` removes the bookmark.
  ///
  /// A second call with the same color during the first has no effect. Another one for the same thread follows.
  public func setBookmark(_ bookmark: ForumThread.Bookmark?, of thread: ForumThread) async {
    await currentList()?.edit(thread, .bookmark(bookmark))
  }

  /// Removes the messages, as the OK of an alert does.
  public func dismissMessage() {
    shown?.dismissMessage()
    if wasTriedByGuest { wasTriedByGuest = false }
    if account.hasExpired, !isExpiryDismissed { isExpiryDismissed = true }
  }

  /// The list of the reader who is signed in, if an action has created it.
  private var shown: ForumList? {
    list.flatMap { $0.signIn === account.current ? $0 : nil }
  }

  /// The message while no reader is signed in; `nil` for a reader whose list no action has created.
  private var messageOfGuest: String? {
    if account.current != nil { return nil }
    if account.hasExpired, !isExpiryDismissed || wasTriedByGuest {
      return NetworkError.unauthorized.userFacingMessage
    }
    return wasTriedByGuest ? AuthError.notSignedIn.userFacingMessage : nil
  }

  /// Returns the list for an action of the reader who is signed in; `nil` if no reader is.
  private func currentList() -> ForumList? {
    guard let signIn = account.current else {
      if !wasTriedByGuest { wasTriedByGuest = true }
      return nil
    }
    if let shown { return shown }
    list?.leave()
    (wasTriedByGuest, isExpiryDismissed) = (false, false)
    let new = ForumList(ofForum: forumID, for: signIn, at: notifications) { [weak account] in
      account?.expire(signIn) ?? false
    }
    list = new
    return new
  }
}

/// What the screen of a forum holds for one reader.
///
/// A list that is not shown any more, because another reader is signed in, may still receive answers.
@MainActor
@Observable
private final class ForumList {
  /// A change of a thread by the user.
  enum Edit: Hashable {
    case read
    case unread
    case bookmark(ForumThread.Bookmark?)
  }

  /// What may fail, each with a message of its own.
  private enum Action: Hashable {
    case refresh
    case loadMore
    /// A kind of change of a thread: marking it, or bookmarking it.
    case edit(threadID: Int, isBookmark: Bool)
    case observation
    case reading
  }

  let signIn: ForumAccount.SignIn

  var state: ThreadsViewModel.State {
    if loading != nil { return .loading }
    if !failed.isDisjoint(with: [.refresh, .loadMore]) { return .failed }
    return hasLoaded ? .loaded : .idle
  }

  /// The message of the latest failure.
  ///
  /// During a load none is shown: those of the screen may be out of date when it ends.
  var errorMessage: String? {
    if loading != nil { return nil }
    return messages.last { !busy.contains($0.action) }?.text
  }

  private(set) var successMessage: String?
  private(set) var sections: [[ForumThread]] = [[], []]
  var searchText: String = "" { didSet { filter() } }
  private(set) var hasMore = false

  private var hasLoaded = false
  /// The failures that still apply, also those whose messages were dismissed.
  private var failed: Set<Action> = []
  /// The messages of failures, the latest last.
  private var messages: [(action: Action, text: String)] = []
  /// The changes that are under way, whose earlier messages are not shown.
  private var busy: Set<Action> = []
  /// The load in progress.
  private var loading: Load?

  private struct Load {
    let isRefresh: Bool
    let work: Work
  }

  @ObservationIgnored private var edits: [Int: (edit: Edit, work: Work)] = [:]
  /// All stored threads of the forum.
  @ObservationIgnored private var stored: [[ForumThread]] = [[], []]
  @ObservationIgnored private var pagesLoaded = 0
  /// The number of the newest read of the store that is shown; an older read that ends later is ignored.
  @ObservationIgnored private var readingShown = 0
  @ObservationIgnored private var readingsBegun = 0
  @ObservationIgnored private var observation: Task<Void, Never>?
  @ObservationIgnored private var listener: NotificationListener?

  private let forumID: Int
  private let notifications: NotificationCenter
  /// Ends the sign-in; returns whether it has ended.
  private let expire: @MainActor () -> Bool
  private var service: any ThreadsService { signIn.service }

  init(
    ofForum forumID: Int, for signIn: ForumAccount.SignIn, at notifications: NotificationCenter,
    expire: @escaping @MainActor () -> Bool
  ) {
    self.forumID = forumID
    self.signIn = signIn
    self.notifications = notifications
    self.expire = expire
  }

  deinit {
    observation?.cancel()
  }

  /// Ends what is under way for a reader who has left.
  func leave() {
    loading?.work.cancel()
    for (_, work) in edits.values { work.cancel() }
    observation?.cancel()
    listener = nil
  }

  // MARK: - Loading

  func loadIfNeeded() async {
    if hasLoaded, !failed.contains(.refresh) { return }
    if let loading, !loading.work.isCancelled { return }
    await refresh()
  }

  func refresh() async {
    if let loading, loading.isRefresh, !loading.work.isCancelled { return }
    // A later page that arrives after the first one would leave a gap. A cancelled load stores nothing more.
    loading?.work.cancel()
    await load(page: 1)
  }

  func loadMore(at thread: ForumThread) async {
    while let loading, !loading.work.isCancelled {
      guard loading.isRefresh, isEnd(thread) else { return }
      await loading.work.end()
      if Task.isCancelled { return }
    }
    guard hasMore, isEnd(thread) else { return }
    await load(page: pagesLoaded + 1)
  }

  private func isEnd(_ thread: ForumThread) -> Bool {
    searchText.isEmpty && thread.id == sections.last(where: { !$0.isEmpty })?.last?.id
  }

  private func load(page: Int) async {
    if Task.isCancelled { return }
    clearSuccess()
    let action = page == 1 ? Action.refresh : .loadMore
    let work = Work()
    loading = Load(isRefresh: page == 1, work: work)
    await work.run { [self] in
      do throws(DataError) {
        try await observe()
        let loaded = try await service.loadThreads(inForum: forumID, page: page)
        // A load that has been replaced stores nothing after the cancellation, so that the newer one knows better.
        guard loading.map({ $0.work === work }) ?? true else { return }
        pagesLoaded = loaded.number
        if hasMore != (loaded.number < loaded.pageCount) { hasMore.toggle() }
        try await showStored()
        end(work, action) { hasLoaded = true }
      } catch {
        end(work, action, with: error)
      }
    }
    // Cancelled: the work may take some time to end.
    if loading?.work === work { loading = nil }
  }

  /// Ends a load, unless it was cancelled: then it has ended already.
  private func end(_ work: Work, _ action: Action, with error: DataError? = nil, _ succeed: () -> Void = {}) {
    guard loading?.work === work, !work.isCancelled else { return }
    switch error {
    case .cancelled?: break
    case let error?: report(error, of: action)
    case nil:
      succeed()
      resolve(action)
      // The first page replaces the list, so that an earlier failure to extend it is out of date.
      if action == .refresh { resolve(.loadMore) }
    }
    loading = nil
  }

  // MARK: - Changing threads

  func edit(_ thread: ForumThread, _ edit: Edit) async {
    if Task.isCancelled { return }
    let previous = edits[thread.id]
    if let previous, previous.edit == edit, !previous.work.isCancelled { return }
    clearSuccess()
    let work = Work()
    edits[thread.id] = (edit, work)
    let action = Action.edit(threadID: thread.id, isBookmark: edit.isBookmark)
    busy.insert(action)
    await work.run { [self] in
      // Two changes at once could reach the forum in the other order.
      if let previous, previous.edit != edit { await previous.work.result() }
      do throws(DataError) {
        if work.isCancelled { throw .cancelled }
        switch edit {
        case .read: try await service.markRead(thread)
        case .unread: try await service.markUnread(thread)
        case .bookmark(let bookmark): try await service.setBookmark(bookmark, of: thread)
        }
      } catch {
        if !work.isCancelled, error != .cancelled { report(error, of: action) }
        return
      }
      resolve(action)
      if !work.isCancelled, let words = edit.successMessage { successMessage = words }
      await lookAgain()
    }
    guard edits[thread.id]?.work === work else { return }
    edits[thread.id] = nil
    busy.subtract([
      .edit(threadID: thread.id, isBookmark: true), .edit(threadID: thread.id, isBookmark: false),
    ])
  }

  // MARK: - Messages

  func dismissMessage() {
    if !messages.isEmpty { messages = [] }
    clearSuccess()
  }

  private func report(_ error: DataError, of action: Action) {
    if error.endsSession, expire() { return }
    clearSuccess()
    failed.insert(action)
    messages.removeAll { $0.action == action }
    messages.append((action, error.userFacingMessage))
  }

  private func resolve(_ action: Action) {
    if !failed.contains(action) { return }
    failed.remove(action)
    messages.removeAll { $0.action == action }
  }

  private func clearSuccess() {
    if successMessage != nil { successMessage = nil }
  }

  // MARK: - Stored threads

  /// Shows the stored threads, and every later change.
  private func observe() async throws(DataError) {
    listen()
    guard observation == nil else { return }
    let changes = try await service.changes(inForum: forumID)
    // Another load may have begun to observe meanwhile.
    guard observation == nil else { return }
    observation = Task { [weak self] in
      do {
        for try await _ in changes { try await self?.showStored() }
        self?.endObservation(nil)
      } catch {
        self?.endObservation(error)
      }
    }
    resolve(.observation)
    try await showStored()
  }

  /// Ends the observation after an error of the store; the next load starts another one.
  private func endObservation(_ error: (any Error)?) {
    observation = nil
    guard let error = error as? DataError, error != .cancelled else { return }
    report(error, of: .observation)
  }

  /// Reads and shows the stored threads.
  ///
  /// A change only signals that the store is to be read, because a change that was delivered during a load could not be
  /// distinguished from a later one. Reads are numbered.
  private func showStored() async throws(DataError) {
    readingsBegun += 1
    let reading = readingsBegun
    let sections = try await service.sections(ofForum: forumID)
    resolve(.reading)
    guard reading > readingShown else { return }
    readingShown = reading
    stored = sections
    filter()
  }

  /// Shows the threads that match the search.
  ///
  /// Seed 002 combines two publishers; here each write of the text or of the threads filters.
  private func filter() {
    let text = searchText
    let filtered =
      text.isEmpty
      ? stored : stored.map { $0.filter { $0.title.localizedCaseInsensitiveContains(text) } }
    if filtered != sections { sections = filtered }
  }

  /// Reads the store when a notification reports a changed thread, even if the repository does not observe the change.
  private func listen() {
    guard listener == nil else { return }
    listener = NotificationListener(for: .threadUpdated, at: notifications) { [weak self, forumID] thread in
      if let thread = thread as? ForumThread, let other = thread.forumID, other != forumID { return }
      Task { @MainActor in await self?.lookAgain() }
    }
  }

  /// Shows the stored threads outside of a load.
  private func lookAgain() async {
    do throws(DataError) {
      try await showStored()
    } catch .cancelled {
    } catch {
      report(error, of: .reading)
    }
  }
}

extension ForumList.Edit {
  fileprivate var isBookmark: Bool { if case .bookmark = self { true } else { false } }

  /// A mark is visible in the list; a bookmark has its own list.
  fileprivate var successMessage: String? {
    switch self {
    case .read, .unread: nil
    case .bookmark(nil): "Bookmark removed."
    case .bookmark: "Bookmark saved."
    }
  }
}

extension DataError {
  /// Whether the forum no longer knows the reader.
  fileprivate var endsSession: Bool {
    switch self {
    case .networkError(.unauthorized), .refused(.notSignedIn): true
    default: false
    }
  }
}

/// A task that its caller leaves as soon as it is cancelled.
@MainActor
private final class Work {
  private var task: Task<Void, Never>?
  private var waiters: [AsyncStream<Void>.Continuation] = []
  private var isOver = false

  /// Whether it was cancelled, by its caller or by ``cancel()``.
  var isCancelled: Bool { task?.isCancelled ?? false }

  func cancel() {
    task?.cancel()
    finish()
  }

  /// Runs `body`, and returns when it ends or is cancelled.
  func run(_ body: @escaping @MainActor () async -> Void) async {
    let task = Task {
      await body()
      finish()
    }
    self.task = task
    await withTaskCancellationHandler {
      await end()
    } onCancel: {
      task.cancel()
    }
    finish()
  }

  /// Waits until the work has ended or was cancelled, or until the current task is cancelled.
  func end() async {
    if isOver { return }
    let (ended, waiter) = AsyncStream<Void>.makeStream()
    waiters.append(waiter)
    for await _ in ended {}
  }

  /// Waits until the work has ended, even if it was cancelled.
  func result() async { await task?.value }

  private func finish() {
    isOver = true
    for waiter in waiters { waiter.finish() }
    waiters = []
  }
}

/// An observer of notifications that is removed on deinitialization.
private final class NotificationListener {
  private let center: NotificationCenter
  private let token: any NSObjectProtocol

  init(
    for name: Notification.Name, at center: NotificationCenter,
    _ hear: @escaping @Sendable (_ object: Any?) -> Void
  ) {
    self.center = center
    token = center.addObserver(forName: name, object: nil, queue: nil) { hear($0.object) }
  }

  deinit { center.removeObserver(token) }
}
