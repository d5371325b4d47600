import Foundation
import Observation
import Understudy

/// The notes, and a message if they could not be loaded.
@MainActor @Observable final class NoteListModel: LoadingScreen {
  enum Bug {
    /// It shows a cancellation as an error.
    case cancellationShown
    /// It leaves the spinner when it is cancelled.
    case endlessSpinner
  }

  private(set) var notes: [String] = []
  private(set) var isLoading = false
  private(set) var message: String?

  @ObservationIgnored private var loads = 0
  private let service: any NotesService
  private let bug: Bug?

  init(service: any NotesService, bug: Bug?) { (self.service, self.bug) = (service, bug) }

  func load() async {
    loads += 1
    let load = loads
    (isLoading, message) = (true, nil)
    do {
      let loaded = try await service.notes()
      guard load == loads else { return }
      notes = loaded
    } catch {
      guard load == loads else { return }
      if error.isCancellation, bug == .endlessSpinner { return }
      if !error.isCancellation || bug == .cancellationShown { message = "\(error)" }
    }
    isLoading = false
  }
}

extension Screen {
  static let cancellationShown = Screen(
    "cancellation shown as an error", "A user looks at the notes.", breaks: "errors.shown"
  ) { run, isRight in
    let store = NoteStore("Milk")
    let model = NoteListModel(
      service: run.intercepted(store, as: "notes"), bug: isRight ? nil : .cancellationShown)
    run.watch(model) { $0.message ?? "\($0.notes)" }
    let failures = await run.act(on: model) { await model.load() }
    run.expect("notes.shown", !failures.isEmpty || model.notes == store.stored, "it shows \(model.notes)")
  }

  static let endlessSpinner = Screen(
    "endless spinner", "A user looks at the notes, and pulls to refresh.", breaks: "loading.ends"
  ) { run, isRight in
    let store = NoteStore("Milk")
    let model = NoteListModel(
      service: run.intercepted(store, as: "notes"), bug: isRight ? nil : .endlessSpinner)
    run.watch(model) { $0.message ?? "\($0.notes)" }
    run.interruption("reload") { await model.load() }
    await run.act(on: model) { await model.load() }
    store.receive("Bread")
    await run.act(on: model) { await model.load() }
  }
}

/// The posts of a feed, two to a page.
@MainActor @Observable final class FeedModel: LoadingScreen {
  enum Bug {
    /// The last row, which appears twice, loads the next page twice.
    case pageLoadedTwice
    /// A page that could not be loaded is not asked for again.
    case pageSkipped
    /// A page that was asked for before a refresh is added after it.
    case pageOfFormerList
  }

  private(set) var posts: [String] = []
  private(set) var isRefreshing = false
  private(set) var isLoadingMore = false
  private(set) var message: String?
  var isLoading: Bool { isRefreshing || isLoadingMore }

  @ObservationIgnored private var nextPage = 0
  @ObservationIgnored private var refreshes = 0
  private let service: any FeedService
  private let bug: Bug?

  init(service: any FeedService, bug: Bug?) { (self.service, self.bug) = (service, bug) }

  func refresh() async {
    refreshes += 1
    let refresh = refreshes
    (isRefreshing, message) = (true, nil)
    do {
      let first = try await service.page(0)
      guard refresh == refreshes else { return }
      (posts, nextPage) = (first, 1)
    } catch {
      guard refresh == refreshes else { return }
      if !error.isCancellation { message = "\(error)" }
    }
    isRefreshing = false
  }

  func lastRowAppeared() async {
    if isRefreshing || (isLoadingMore && bug != .pageLoadedTwice) { return }
    (isLoadingMore, message) = (true, nil)
    defer { isLoadingMore = false }
    let (refresh, page) = (refreshes, nextPage)
    if bug == .pageSkipped { nextPage += 1 }
    do {
      let more = try await service.page(page)
      if refresh != refreshes, bug != .pageOfFormerList { return }
      posts += more
      if bug != .pageSkipped { nextPage = page + 1 }
    } catch {
      if refresh == refreshes, !error.isCancellation { message = "\(error)" }
    }
  }
}

extension Screen {
  static let pageLoadedTwice = Screen(
    "page loaded twice", "A user scrolls to the end of a list.", breaks: "no.duplicates"
  ) { run, isRight in
    let model = FeedModel(
      service: run.intercepted(PostFeed(), as: "feed"), bug: isRight ? nil : .pageLoadedTwice)
    run.watch(model) { $0.message ?? "\($0.posts)" }
    run.interruption("last-row") { await model.lastRowAppeared() }
    run.always("no.duplicates", model) { model in
      Set(model.posts).count == model.posts.count ? nil : "it shows \(model.posts)"
    }
    await run.act(on: model) { await model.refresh() }
    await run.act(on: model) { await model.lastRowAppeared() }
  }

  static let infiniteList = Screen(
    "infinite list", "A user scrolls through a list.", breaks: "no.gaps"
  ) { run, isRight in
    let feed = PostFeed()
    let model = FeedModel(service: run.intercepted(feed, as: "feed"), bug: isRight ? nil : .pageSkipped)
    run.watch(model) { $0.message ?? "\($0.posts)" }
    run.interruption("last-row") { await model.lastRowAppeared() }
    run.always("no.gaps", model) { feed.posts.starts(with: $0.posts) ? nil : "it shows \($0.posts)" }
    await run.act(on: model) { await model.refresh() }
    for _ in 1...3 { await run.act(on: model) { await model.lastRowAppeared() } }
  }

  static let pullToRefresh = Screen(
    "pull to refresh", "A user scrolls through a list, and pulls to refresh.", breaks: "no.gaps"
  ) { run, isRight in
    let feed = PostFeed()
    let model = FeedModel(
      service: run.intercepted(feed, as: "feed"), bug: isRight ? nil : .pageOfFormerList)
    run.watch(model) { $0.message ?? "\($0.posts)" }
    run.interruption("pull") { await model.refresh() }
    run.always("no.gaps", model) { feed.posts.starts(with: $0.posts) ? nil : "it shows \($0.posts)" }
    await run.act(on: model) { await model.refresh() }
    for _ in 1...2 { await run.act(on: model) { await model.lastRowAppeared() } }
    await run.act(on: model) { await model.refresh() }
  }
}

/// Notes that are loaded again after five minutes.
///
/// The wrong one counts from when it has asked, so that it does not ask again after a failure.
@MainActor @Observable final class CachedNotesModel: LoadingScreen {
  private(set) var notes: [String] = []
  private(set) var isLoading = false
  private(set) var message: String?

  @ObservationIgnored private var loads = 0
  @ObservationIgnored private var loaded: Date?
  private let service: any NotesService
  private let now: @Sendable () -> Date
  private let isRight: Bool

  init(service: any NotesService, now: @escaping @Sendable () -> Date, isRight: Bool) {
    (self.service, self.now, self.isRight) = (service, now, isRight)
  }

  func appear() async {
    message = nil
    if let loaded, now().timeIntervalSince(loaded) < 300 { return }
    loads += 1
    let load = loads
    isLoading = true
    if !isRight { loaded = now() }
    do {
      let answer = try await service.notes()
      guard load == loads else { return }
      (notes, loaded) = (answer, now())
    } catch {
      guard load == loads else { return }
      if !error.isCancellation { message = "\(error)" }
    }
    isLoading = false
  }
}

extension Screen {
  static let cache = Screen("cache", "A user opens a list twice.", breaks: "list.recovers") { run, isRight in
    let store = NoteStore("Milk")
    let model = CachedNotesModel(
      service: run.intercepted(store, as: "notes"), now: run.time.date, isRight: isRight)
    run.watch(model) { $0.message ?? "\($0.notes)" }
    await run.act(on: model) { await model.appear() }
    await run.withoutFaults { await model.appear() }
    run.expect("list.recovers", model.notes == store.stored, "it shows \(model.notes)")
  }
}

/// Notes with an alert for a failure.
///
/// The wrong one keeps the failure after a success, and shows it again.
@MainActor @Observable final class AlertingModel: LoadingScreen {
  private(set) var notes: [String] = []
  private(set) var isLoading = false
  /// The text of the alert.
  private(set) var message: String?

  private var failure: String?
  @ObservationIgnored private var loads = 0
  private let service: any NotesService
  private let isRight: Bool

  init(service: any NotesService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func load() async {
    loads += 1
    let load = loads
    isLoading = true
    if isRight { failure = nil }
    do {
      let loaded = try await service.notes()
      guard load == loads else { return }
      notes = loaded
    } catch {
      guard load == loads else { return }
      if !error.isCancellation { failure = "\(error)" }
    }
    (isLoading, message) = (false, failure)
  }

  func dismiss() { message = nil }
}

extension Screen {
  static let repeatedAlert = Screen(
    "repeated alert", "A user dismisses an alert, and loads again.", breaks: "errors.shown"
  ) { run, isRight in
    let model = AlertingModel(
      service: run.intercepted(NoteStore("Milk"), as: "notes"), isRight: isRight)
    run.watch(model) { $0.message ?? "\($0.notes)" }
    await run.act(on: model) { await model.load() }
    model.dismiss()
    await run.act(on: model) { await model.load() }
  }
}
