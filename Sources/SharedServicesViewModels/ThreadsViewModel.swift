public import Foundation
public import Observation
public import SharedServices

/// The list of a forum's threads (seed 002).
///
/// What is stored on the device is shown at once and stays, whatever the forum answers; what changes there, for whatever
/// reason, is shown as it changes. Whatever fails, ``state`` ends up as no longer loading. A cancelled action shows no
/// message.
@MainActor
@Observable
public final class ThreadsViewModel {
  /// What the list is doing.
  public enum State: Sendable, Hashable {
    /// Nothing has been loaded yet.
    case idle
    /// The forum is being asked.
    case loading
    /// The last load succeeded.
    case loaded
    /// The last load failed; ``ThreadsViewModel/errorMessage`` says why.
    case failed
  }

  /// What the list is doing.
  public private(set) var state: State = .idle

  /// What went wrong last, for the user; gone with the next action.
  public private(set) var errorMessage: String?

  /// The sticky threads and the others, of which the titles contain ``searchText``.
  public private(set) var sections: [[ForumThread]] = [[], []]

  /// What is written in the search field; empty shows every thread.
  public var searchText: String = "" {
    didSet { filter() }
  }

  /// Whether the forum has more pages than have been loaded.
  public private(set) var hasMore: Bool = false

  private let forumID: Int
  private let service: ThreadsService
  private let notifications: NotificationCenter

  /// All that is stored of the forum.
  @ObservationIgnored private var stored: [[ForumThread]] = [[], []]
  @ObservationIgnored private var pagesLoaded = 0
  @ObservationIgnored private var hasLoaded = false
  @ObservationIgnored private var threadsBeingMarked: Set<Int> = []
  /// The number of the newest reading of the store that is shown: an older one that comes later does not replace it.
  @ObservationIgnored private var readingShown = 0
  @ObservationIgnored private var readingsBegun = 0
  @ObservationIgnored private var observation: Task<Void, Never>?
  /// Why an observation ended during the load that is under way.
  @ObservationIgnored private var observationError: DataError?
  @ObservationIgnored private var listener: NotificationListener?

  /// The list of a forum.
  ///
  /// - Parameters:
  ///   - forumID: The forum.
  ///   - service: What loads and keeps its threads.
  ///   - notifications: Where ``Foundation/NSNotification/Name/threadUpdated`` is posted.
  public init(forumID: Int, service: ThreadsService, notifications: NotificationCenter = .default) {
    self.forumID = forumID
    self.service = service
    self.notifications = notifications
  }

  deinit {
    observation?.cancel()
  }

  /// Loads the first page, unless one has been loaded or is on its way.
  public func loadThreadsIfNeeded() async {
    if hasLoaded { return }
    await refresh()
  }

  /// Loads the first page, in place of all that is stored.
  ///
  /// Does nothing while a page is on its way.
  public func refresh() async {
    await load(page: 1)
  }

  /// Loads the next page once a thread is on the screen, if it is the last one and there are more.
  ///
  /// While a search hides threads the last one that is shown is not the end of the list, and nothing is loaded.
  public func loadMore(at thread: ForumThread) async {
    guard hasMore, searchText.isEmpty, thread.id == sections.last(where: { !$0.isEmpty })?.last?.id else {
      return
    }
    await load(page: pagesLoaded + 1)
  }

  /// Marks a thread as read, in the forum and on the device.
  ///
  /// A second tap while the first is under way does nothing.
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

  // MARK: - What is stored

  /// Shows what is stored, and from now on every change of it.
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

  /// The store cannot be read any more; the next load tries it anew.
  private func endObservation(_ error: any Error) {
    observation = nil
    guard let error = error as? DataError, error != .cancelled else { return }
    // A load that is under way tells it at its end, if it does not fail itself.
    if state == .loading { observationError = error } else { errorMessage = error.userFacingMessage }
  }

  /// Reads what is stored now and shows it.
  ///
  /// A change that an observer is told only says that it is time to, because one that was on its way when a load ended
  /// could not be told from a later one; readings are numbered.
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

  /// Looks again when a thread was changed by whoever says so, also where the repository does not learn of it.
  private func listen() {
    guard listener == nil else { return }
    listener = NotificationListener(for: .threadUpdated, at: notifications) { [weak self, forumID] thread in
      if let thread = thread as? ForumThread, let other = thread.forumID, other != forumID { return }
      Task { @MainActor in await self?.lookAgain() }
    }
  }

  /// Shows what is stored when nobody here has asked for it.
  private func lookAgain() async {
    do throws(DataError) {
      try await showStored()
    } catch .cancelled {
    } catch {
      errorMessage = error.userFacingMessage
    }
  }
}

/// Hears notifications as long as it lives.
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
