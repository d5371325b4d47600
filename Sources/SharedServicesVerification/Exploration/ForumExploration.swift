public import SharedServices
public import Understudy
import SharedServicesContracts

extension Exploration where Command == ForumCommand {
  /// The pages of two forums and of the bookmarks, while two readers in turn mark threads of both.
  public static var forumsClient: Self {
    Exploration("forum") { trial in
      let readers = try await trial.given(.severalReaders)
      let long = try await trial.given(.forumIsLong)
      return ForumModel(
        views: readers.lists.map { .init(pages: [$0.forum] + long, bookmarks: $0.bookmarks) },
        readers: Handle(readers), absentID: try await trial.given(.idIsFree))
    }
  }
}

/// A minimal model of a forum: its pages, in which no thread moves, as each reader sees them.
public struct ForumModel: Sendable, Hashable {
  /// What one reader sees.
  struct View: Sendable, Hashable {
    /// The page of a forum with threads of all kinds, followed by those of a forum with several pages.
    var pages: [ThreadListPage]
    var bookmarks: ThreadListPage
  }

  fileprivate var views: [View]
  fileprivate var reader = 0
  fileprivate let readers: Handle<ForumReaders>
  let absentID: Int

  fileprivate init(views: [View], readers: Handle<ForumReaders>, absentID: Int) {
    (self.views, self.readers, self.absentID) = (views, readers, absentID)
  }

  fileprivate var pages: [ThreadListPage] {
    get { views[reader].pages }
    set { views[reader].pages = newValue }
  }
  fileprivate var bookmarks: ThreadListPage {
    get { views[reader].bookmarks }
    set { views[reader].bookmarks = newValue }
  }

  /// The threads of both forums.
  fileprivate var threads: [ForumThread] { pages.flatMap(\.threads) }

  fileprivate mutating func set(_ bookmark: ForumThread.Bookmark?, of id: Int) {
    for page in pages.indices {
      for place in pages[page].threads.indices where pages[page].threads[place].id == id {
        pages[page].threads[place].bookmark = bookmark
      }
    }
    bookmarks.threads.removeAll { $0.id == id }
    guard bookmark != nil, var thread = threads.first(where: { $0.id == id }) else { return }
    thread.forumID = nil
    let order = { (thread: ForumThread) in (thread.lastPostDate, thread.id) }
    let place = bookmarks.threads.firstIndex { order($0) < order(thread) } ?? bookmarks.threads.endIndex
    bookmarks.threads.insert(thread, at: place)
  }

  fileprivate mutating func set(_ reading: ForumThread.Reading, of id: Int) {
    for page in pages.indices { pages[page].set(reading, of: id) }
    bookmarks.set(reading, of: id)
  }
}

extension ThreadListPage {
  fileprivate mutating func set(_ reading: ForumThread.Reading, of id: Int) {
    for place in threads.indices where threads[place].id == id { threads[place].reading = reading }
  }
}

/// A call of a client of the forum.
///
/// An index identifies a thread of the first forum, or behind those one of the long forum.
public enum ForumCommand: ExplorationCommand {
  /// Loads the forum with threads of all kinds.
  case firstForum
  /// Loads a page of a long forum, from 1.
  case page(Int)
  /// Loads the bookmarks.
  case bookmarks
  /// Marks a thread as seen up to one of its posts, from 1.
  case markSeen(Int, upTo: Int)
  /// Marks a thread as never seen.
  case markUnseen(Int)
  /// Bookmarks a thread in a color, or removes its bookmark.
  case setBookmark(Int, ForumThread.Bookmark?)
  /// Marks a missing thread.
  case markAbsent
  /// Loads a page of the bookmarks, from 1.
  case bookmarkPage(Int)
  /// Signs in one of two readers, from 0; not a call of the client.
  case signIn(Int)

  /// Returns a random call, most often one that reads.
  public static func random(
    in model: ForumModel, using generator: inout some RandomNumberGenerator
  ) -> Self {
    // Most often a thread of the first forum, so that some are marked more than once.
    let first = model.pages[0].threads.indices
    let isFirst = Int.random(in: 0..<4, using: &generator) > 0
    let place = (isFirst ? first : model.threads.indices).randomElement(using: &generator) ?? 0
    return switch Int.random(in: 0..<14, using: &generator) {
    case 0, 1, 2: .firstForum
    case 3: .page(.random(in: 1...5, using: &generator))
    case 4: .bookmarks
    case 5, 6, 7: .markSeen(place, upTo: .random(in: 1...50, using: &generator))
    case 8: .markUnseen(place)
    case 9: .markAbsent
    case 10: .bookmarkPage(.random(in: 1...3, using: &generator))
    case 11: .setBookmark(place, ForumThread.Bookmark.allCases.randomElement(using: &generator))
    case 12: .setBookmark(place, nil)
    default: .signIn(.random(in: 0...1, using: &generator))
    }
  }

  /// Loads all lists of the current reader, then those of both.
  public static func observations(of model: ForumModel) -> [Self] {
    let lists = [Self.firstForum, .bookmarks]
    return lists + [.page(1), .page(3), .signIn(0)] + lists + [.signIn(1)] + lists
  }

  /// Returns the call; `nil` for a thread that is not on the page.
  public func call(in model: ForumModel) -> ExplorationCall<any ForumsClient, ForumModel>? {
    switch self {
    case .firstForum:
      guard let id = model.pages[0].forumID else { return nil }
      return ExplorationCall {
        try await $0.threads(inForum: id, page: 1)
      } step: { model, answer in
        answer.returned(model.pages[0])
      }
    case .page(let number):
      guard number > 0, let last = model.pages.last, let id = last.forumID else { return nil }
      let place = min(number, last.number)
      return ExplorationCall {
        try await $0.threads(inForum: id, page: number)
      } step: { model, answer in
        answer.returned(model.pages[place])
      }
    case .bookmarks:
      return ExplorationCall {
        try await $0.bookmarks(page: 1)
      } step: { model, answer in
        answer.returned(model.bookmarks)
      }
    case .markSeen(let place, let index):
      guard model.threads.indices.contains(place), index > 0 else { return nil }
      let thread = model.threads[place]
      let posts = thread.replyCount + 1
      let reading = ForumThread.Reading.seen(unreadCount: posts - min(index, posts))
      return changing {
        $0.set(reading, of: thread.id)
      } run: {
        try await $0.markSeen(threadID: thread.id, upTo: index)
      }
    case .markUnseen(let place):
      guard model.threads.indices.contains(place) else { return nil }
      let id = model.threads[place].id
      return changing {
        $0.set(.never, of: id)
      } run: {
        try await $0.markUnseen(threadID: id)
      }
    case .setBookmark(let place, let bookmark):
      guard model.threads.indices.contains(place) else { return nil }
      let id = model.threads[place].id
      return changing {
        $0.set(bookmark, of: id)
      } run: {
        try await $0.setBookmark(bookmark, threadID: id)
      }
    case .bookmarkPage(let number):
      guard number > 0 else { return nil }
      return ExplorationCall {
        try await $0.bookmarks(page: number)
      } step: { model, answer in
        answer.returned(model.bookmarks)
      }
    case .signIn(let reader):
      guard model.views.indices.contains(reader) else { return nil }
      let readers = model.readers.value
      return ExplorationCall { _ in
        readers.signIn(reader)
      } step: { model, answer in
        model.reader = reader
        return answer.returned
      }
    case .markAbsent:
      let id = model.absentID
      return ExplorationCall {
        try await $0.markUnseen(threadID: id)
      } step: { _, answer in
        if case .refused(.other)? = answer.error as? DataError { return .possible }
        return .impossible(expected: "a refusal in the forum's words")
      }
    }
  }

  private func changing(
    _ change: @escaping @Sendable (inout ForumModel) -> Void,
    run: @escaping @Sendable (any ForumsClient) async throws -> Void
  ) -> ExplorationCall<any ForumsClient, ForumModel> {
    ExplorationCall(run: run, unanswered: change) { model, answer in
      change(&model)
      return answer.returned
    }
  }

  /// The same call for an earlier thread, post or page.
  public var simpler: [ForumCommand] {
    switch self {
    case .firstForum, .bookmarks, .markAbsent: []
    case .page(let number): number.simpler(toward: 1).map { .page($0) }
    case .bookmarkPage(let number): [.bookmarks] + number.simpler(toward: 1).map { .bookmarkPage($0) }
    case .signIn(let reader): reader.simpler().map { .signIn($0) }
    case .markSeen(let place, let index):
      place.simpler().map { .markSeen($0, upTo: index) }
        + index.simpler(toward: 1).map { .markSeen(place, upTo: $0) }
    case .markUnseen(let place): place.simpler().map { .markUnseen($0) }
    case .setBookmark(let place, let bookmark):
      place.simpler().map { .setBookmark($0, bookmark) }
        + (bookmark == nil || bookmark == .orange ? [] : [.setBookmark(place, .orange)])
    }
  }
}
