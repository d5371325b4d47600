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
  /// The state of the account in which an action was tried without a reader, unless its message was dismissed.
  private var triedByGuest: Int?
  /// The state of the account in which a guest has dismissed a message.
  private var dismissedByGuest: Int?

  private let forumID: Int
  private let account: ForumAccount
  private let notifications: NotificationCenter

  /// Creates the view model of a forum's list for the readers of an account.
  ///
  /// - Parameters:
  ///   - forumID: The forum's id.
  ///   - account: The account, with the service that loads and stores the reader's threads.
  ///   - notifications: The center to which `Notification.Name.threadUpdated` is posted.
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
  ///   - notifications: The center to which `Notification.Name.threadUpdated` is posted.
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
  /// It has no effect while the first page is being loaded. A later page that is being loaded is cancelled, and loaded
  /// after the first one if its thread is still the last one. In seed 002 it is the same as ``loadThreadsIfNeeded()``,
  /// which would load again whenever the list appears.
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

  /// Removes the messages that are shown, as the OK of an alert does.
  public func dismissMessage() {
    shown?.dismissMessage()
    if messageOfGuest != nil { (triedByGuest, dismissedByGuest) = (nil, account.changeCount) }
  }

  /// The list of the reader who is signed in, if an action has created it.
  private var shown: ForumList? {
    list.flatMap { $0.signIn === account.current ? $0 : nil }
  }

  /// The message while no reader is signed in; `nil` for a reader whose list no action has created.
  private var messageOfGuest: String? {
    if account.current != nil { return nil }
    let wasTried = triedByGuest == account.changeCount
    if account.hasExpired, wasTried || dismissedByGuest != account.changeCount {
      return NetworkError.unauthorized.userFacingMessage
    }
    return wasTried ? AuthError.notSignedIn.userFacingMessage : nil
  }

  /// Returns the list for an action of the reader who is signed in; `nil` if no reader is.
  private func currentList() -> ForumList? {
    if let shown { return shown }
    list?.leave()
    list = nil
    guard let signIn = account.current else {
      triedByGuest = account.changeCount
      return nil
    }
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

    var isEdit: Bool { if case .edit = self { true } else { false } }
    /// Whether the user began it, so that the next one replaces its message.
    var isOfUser: Bool { self != .observation && self != .reading }
  }

  /// A message about a failure.
  private struct Message {
    let action: Action
    let text: String
    /// The number of the message, greater than those of earlier ones.
    let number: Int
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
    return messages.last(where: isVisible)?.text
  }

  private(set) var successMessage: String?
  private(set) var sections: [[ForumThread]] = [[], []]
  var searchText: String = "" { didSet { filter() } }
  var hasMore: Bool { pagesLoaded < pageCount }

  private var hasLoaded = false
  /// The failures that still apply, also those whose messages were dismissed.
  private var failed: Set<Action> = []
  /// The messages of failures, the latest last; of the user's actions only that of the latest.
  private var messages: [Message] = []
  /// The changes of threads that are in progress, whose earlier messages are not shown.
  private var busy: [(action: Action, work: Work)] = []
  /// The load in progress.
  private var loading: Load?
  /// The number of pages, from the first one, that are certainly stored.
  private var pagesLoaded = 0
  /// The number of pages that the forum has.
  private var pageCount = 0

  private struct Load {
    let isRefresh: Bool
    let work: Work
  }

  /// The number of the last message.
  @ObservationIgnored private var lastNumber = 0
  /// The load that was begun last.
  @ObservationIgnored private var latestLoad: Work?
  /// The changes of each thread that have not ended, in order, with those that were cancelled.
  @ObservationIgnored private var edits: [Int: [(edit: Edit, work: Work)]] = [:]
  /// All stored threads of the forum.
  @ObservationIgnored private var stored: [[ForumThread]] = [[], []]
  /// The numbers of the newest reads of the store: begun, shown, and failed.
  ///
  /// The result of an older one is out of date.
  @ObservationIgnored private var readings = (begun: 0, shown: 0, failed: 0)
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
    for (_, work) in edits.values.joined() { work.cancel() }
    observation?.cancel()
    listener = nil
  }

  // MARK: - Loading

  func loadIfNeeded() async {
    if !hasLoaded || failed.contains(.refresh) { await refresh() }
  }

  func refresh() async {
    if Task.isCancelled { return }
    if let loading, loading.isRefresh, !loading.work.isCancelled { return }
    // A later page that arrives after the first one would leave a gap. A cancelled load stores nothing more.
    loading?.work.cancel()
    _ = await load(isRefresh: true)
  }

  func loadMore(at thread: ForumThread) async {
    // The row does not appear again, so it goes on if a refresh has taken the place of a page, or a page has no new rows.
    var goesOn = true
    while goesOn {
      while let loading, !loading.work.isCancelled {
        guard loading.isRefresh, isEnd(thread) else { return }
        await loading.work.end()
        if Task.isCancelled { return }
      }
      guard !Task.isCancelled, hasMore, isEnd(thread) else { return }
      let page = pagesLoaded
      let isReplaced = await load(isRefresh: false)
      goesOn = isReplaced || pagesLoaded > page
    }
  }

  private func isEnd(_ thread: ForumThread) -> Bool {
    searchText.isEmpty && thread.id == sections.last(where: { !$0.isEmpty })?.last?.id
  }

  /// Loads the first page, or the next one.
  ///
  /// - Returns: Whether another load has taken the place of this one.
  private func load(isRefresh: Bool) async -> Bool {
    clearSuccess()
    let action = isRefresh ? Action.refresh : .loadMore
    let (work, earlier, lastNumber) = (Work(), latestLoad, lastNumber)
    loading = Load(isRefresh: isRefresh, work: work)
    latestLoad = work
    await work.run { [self] in
      // The next page depends on what a cancelled load may still store.
      if !isRefresh { await earlier?.result() }
      do throws(DataError) {
        try await observe()
        let page = isRefresh ? 1 : pagesLoaded + 1
        let loaded = try await service.loadThreads(inForum: forumID, page: page)
        // A load that has been replaced stores nothing after the cancellation, so that the newer one knows better.
        guard latestLoad === work else { return }
        (pagesLoaded, pageCount) = (loaded.number, loaded.pageCount)
        try await showStored()
        end(work, action, after: lastNumber)
      } catch {
        end(work, action, after: lastNumber, with: error)
      }
    }
    // Cancelled: the work may take some time to end.
    if loading?.work === work { loading = nil }
    if isRefresh, work.isCancelled { forgetLaterPages() }
    return latestLoad !== work
  }

  /// Ends a load, unless it was cancelled: then it has ended already.
  ///
  /// - Parameter number: The last message before the load.
  private func end(_ work: Work, _ action: Action, after number: Int, with error: DataError? = nil) {
    guard loading?.work === work, !work.isCancelled else { return }
    if action == .refresh, error?.mayFollowChange == true { forgetLaterPages() }
    switch error {
    case .cancelled?: break
    case let error?:
      report(error, of: action)
    case nil:
      hasLoaded = true
      resolve(action)
      // The first page replaces the list, so that an earlier failure to extend it is out of date.
      if action == .refresh { resolve(.loadMore) }
      // Not before, because a load that is cancelled leaves what failed before it.
      forgetChanges(upTo: number)
    }
    loading = nil
  }

  /// Notes that the store may have replaced all pages by the first one.
  private func forgetLaterPages() {
    if pagesLoaded > 1 { pagesLoaded = 1 }
  }

  // MARK: - Changing threads

  func edit(_ thread: ForumThread, _ edit: Edit) async {
    if Task.isCancelled { return }
    let earlier = edits[thread.id, default: []]
    if let last = earlier.last, last.edit == edit, !last.work.isCancelled { return }
    clearSuccess()
    let work = Work()
    edits[thread.id] = earlier + [(edit, work)]
    let action = Action.edit(threadID: thread.id, isBookmark: edit.isBookmark)
    forgetChanges(upTo: lastNumber, but: action)
    busy.append((action, work))
    await work.run { [self] in
      // Two changes at once could reach the forum in the other order.
      for other in earlier where other.edit != edit { await other.work.result() }
      await change(thread, edit, in: work, action)
      let others = edits[thread.id, default: []].filter { $0.work !== work }
      edits[thread.id] = others.isEmpty ? nil : others
    }
    busy.removeAll { $0.work === work }
  }

  private func change(_ thread: ForumThread, _ edit: Edit, in work: Work, _ action: Action) async {
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

  // MARK: - Messages

  func dismissMessage() {
    if errorMessage != nil { messages.removeAll(where: isVisible) }
    clearSuccess()
  }

  private func isVisible(_ message: Message) -> Bool {
    !busy.contains { $0.action == message.action }
  }

  private func report(_ error: DataError, of action: Action) {
    if error.endsSession, expire() { return }
    clearSuccess()
    failed.insert(action)
    // Otherwise an earlier one would come back after a good answer.
    messages.removeAll { $0.action == action || $0.action.isOfUser && action.isOfUser }
    lastNumber += 1
    messages.append(Message(action: action, text: error.userFacingMessage, number: lastNumber))
  }

  /// Removes the messages about changes of threads, which another action replaces; those about the list stay as long as
  /// they are true.
  ///
  /// - Parameters:
  ///   - number: The last message before the action.
  ///   - action: The action, whose own message is hidden meanwhile.
  private func forgetChanges(upTo number: Int, but action: Action? = nil) {
    let isOver = { (message: Message) in
      message.action.isEdit && message.number <= number && message.action != action
    }
    if messages.contains(where: isOver) { messages.removeAll(where: isOver) }
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
  /// distinguished from a later one. Reads are numbered: neither the threads nor the failure of an older one matter once
  /// a newer one is shown, and an older one does not make up for the failure of a newer one.
  private func showStored() async throws(DataError) {
    readings.begun += 1
    let reading = readings.begun
    do throws(DataError) {
      let sections = try await service.sections(ofForum: forumID)
      if reading > readings.failed { resolve(.reading) }
      guard reading > readings.shown else { return }
      readings.shown = reading
      stored = sections
      filter()
    } catch {
      if error == .cancelled { throw error }
      if reading < readings.shown { return }
      readings.failed = max(readings.failed, reading)
      throw error
    }
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

  /// Whether the store may have been changed before the error.
  fileprivate var mayFollowChange: Bool {
    switch self {
    case .storeError, .cancelled: true
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
