public import Foundation
public import Observation
public import SharedServices

/// The view model of the list of a forum's threads (seed 002).
///
/// The stored threads are shown at once and stay if the forum fails; every change of the store is shown. After every
/// action ``state`` is no longer `.loading`. A cancelled action shows no message.
@MainActor
@Observable
public final class ThreadsViewModel {
  /// The state of the list.
  public enum State: Sendable, Hashable {
    /// Nothing has been loaded yet.
    case idle
    /// A load is in progress.
    case loading
    /// The last load succeeded.
    case loaded
    /// The last load failed; ``ThreadsViewModel/errorMessage`` is the message.
    case failed
  }

  /// The state of the list.
  public private(set) var state: State = .idle

  /// The message of the last error, for the user; cleared by the next action.
  public private(set) var errorMessage: String?

  /// The sticky threads and the others whose titles contain ``searchText``.
  public private(set) var sections: [[ForumThread]] = [[], []]

  /// The text in the search field; an empty text shows every thread.
  public var searchText: String = "" {
    didSet { filter() }
  }

  /// Whether the forum has more pages than were loaded.
  public private(set) var hasMore: Bool = false

  private let forumID: Int
  private let service: any ThreadsService
  private let notifications: NotificationCenter

  /// All stored threads of the forum.
  @ObservationIgnored private var stored: [[ForumThread]] = [[], []]
  @ObservationIgnored private var pagesLoaded = 0
  @ObservationIgnored private var hasLoaded = false
  @ObservationIgnored private var threadsBeingMarked: Set<Int> = []
  /// The number of the newest read of the store that is shown; an older read that ends later is ignored.
  @ObservationIgnored private var readingShown = 0
  @ObservationIgnored private var readingsBegun = 0
  @ObservationIgnored private var observation: Task<Void, Never>?
  /// The error that ended the observation during the current load.
  @ObservationIgnored private var observationError: DataError?
  @ObservationIgnored private var listener: NotificationListener?

  /// Creates the view model of a forum's list.
  ///
  /// - Parameters:
  ///   - forumID: The forum's id.
  ///   - service: The service that loads and stores the threads.
  ///   - notifications: The center to which ``Foundation/NSNotification/Name/threadUpdated`` is posted.
  public init(forumID: Int, service: any ThreadsService, notifications: NotificationCenter = .default) {
    self.forumID = forumID
    self.service = service
    self.notifications = notifications
  }

  deinit {
    observation?.cancel()
  }

  /// Loads the first page, unless one has been loaded or is being loaded.
  public func loadThreadsIfNeeded() async {
    if hasLoaded { return }
    await refresh()
  }

  /// Loads the first page, which replaces all stored threads.
  ///
  /// It has no effect while a page is being loaded.
  public func refresh() async {
    await load(page: 1)
  }

  /// Loads the next page, if a thread is the last one in the list and there are more pages.
  ///
  /// During a search nothing is loaded, because the last visible thread is not the end of the list.
  public func loadMore(at thread: ForumThread) async {
    guard hasMore, searchText.isEmpty, thread.id == sections.last(where: { !$0.isEmpty })?.last?.id else {
      return
    }
    await load(page: pagesLoaded + 1)
  }

  /// Marks a thread as read, in the forum and on the device.
  ///
  /// A second call during the first has no effect.
  public func markAsRead(_ thread: ForumThread) async {
    guard threadsBeingMarked.insert(thread.id).inserted else { return }
    defer { threadsBeingMarked.remove(thread.id) }
    clearMessage()
    do throws(DataError) {
      try await service.markRead(thread)
      try await showStored()
    } catch .cancelled {
    } catch {
      errorMessage = error.userFacingMessage
    }
  }

  private func load(page: Int) async {
    guard state != .loading else { return }
    state = .loading
    clearMessage()
    observationError = nil
    do throws(DataError) {
      try await observe()
      let loaded = try await service.loadThreads(inForum: forumID, page: page)
      pagesLoaded = page
      hasMore = page < loaded.pageCount
      try await showStored()
      hasLoaded = true
      state = .loaded
    } catch .cancelled {
      state = hasLoaded ? .loaded : .idle
    } catch {
      state = .failed
      errorMessage = error.userFacingMessage
    }
    if errorMessage == nil, observation == nil, let observationError {
      errorMessage = observationError.userFacingMessage
    }
  }

  private func clearMessage() {
    if errorMessage != nil { errorMessage = nil }
  }

  // MARK: - Stored threads

  /// Shows the stored threads, and every later change.
  private func observe() async throws(DataError) {
    listen()
    guard observation == nil else { return }
    let changes = try await service.changes(inForum: forumID)
    observation = Task { [weak self] in
      do {
        for try await _ in changes { try await self?.showStored() }
        self?.observation = nil
      } catch {
        self?.endObservation(error)
      }
    }
    try await showStored()
  }

  /// Ends the observation after an error of the store; the next load starts another one.
  private func endObservation(_ error: any Error) {
    observation = nil
    guard let error = error as? DataError, error != .cancelled else { return }
    // The load in progress reports the error when it ends, unless it fails itself.
    if state == .loading { observationError = error } else { errorMessage = error.userFacingMessage }
  }

  /// Reads and shows the stored threads.
  ///
  /// A change only signals that the store is to be read, because a change that was delivered during a load could not be
  /// distinguished from a later one. Reads are numbered.
  private func showStored() async throws(DataError) {
    readingsBegun += 1
    let reading = readingsBegun
    let sections = try await service.sections(ofForum: forumID)
    guard reading > readingShown else { return }
    readingShown = reading
    stored = sections
    filter()
  }

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

  /// Shows the stored threads outside of an action.
  private func lookAgain() async {
    do throws(DataError) {
      try await showStored()
    } catch .cancelled {
    } catch {
      errorMessage = error.userFacingMessage
    }
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
