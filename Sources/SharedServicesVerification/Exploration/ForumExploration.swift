public import SharedServices
public import Understudy
import SharedServicesContracts

extension Exploration where Command == ForumCommand {
  /// The pages of a forum and of the bookmarks, while threads are marked.
  public static var forumsClient: Self {
    Exploration("forum") { trial in
      ForumModel(
        pages: [try await trial.given(.forumHasThreads)] + (try await trial.given(.forumIsLong)),
        bookmarks: try await trial.given(.bookmarksAreSet), absentID: try await trial.given(.idIsFree))
    }
  }
}

/// A minimal model of a forum: its pages, in which no thread moves.
public struct ForumModel: Sendable, Hashable {
  /// The page of a forum with threads of all kinds, followed by those of a forum with several pages.
  var pages: [ThreadListPage]
  var bookmarks: ThreadListPage
  let absentID: Int

  /// The threads of the first forum, which are the ones that are marked.
  fileprivate var threads: [ForumThread] { pages[0].threads }

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
/// An index identifies a thread on the first page.
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
  /// Marks a missing thread.
  case markAbsent

  /// Returns a random call, most often one that reads.
  public static func random(
    in model: ForumModel, using generator: inout some RandomNumberGenerator
  ) -> Self {
    let place = model.threads.indices.randomElement(using: &generator) ?? 0
    return switch Int.random(in: 0..<10, using: &generator) {
    case 0, 1, 2: .firstForum
    case 3: .page(.random(in: 1...5, using: &generator))
    case 4: .bookmarks
    case 5, 6, 7: .markSeen(place, upTo: .random(in: 1...50, using: &generator))
    case 8: .markUnseen(place)
    default: .markAbsent
    }
  }

  /// Loads the first forum and the bookmarks.
  public static func observations(of model: ForumModel) -> [Self] { [.firstForum, .bookmarks] }

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
      return marking(as: .seen(unreadCount: posts - min(index, posts)), thread.id) {
        try await $0.markSeen(threadID: thread.id, upTo: index)
      }
    case .markUnseen(let place):
      guard model.threads.indices.contains(place) else { return nil }
      let id = model.threads[place].id
      return marking(as: .never, id) { try await $0.markUnseen(threadID: id) }
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

  private func marking(
    as reading: ForumThread.Reading, _ id: Int,
    _ run: @escaping @Sendable (any ForumsClient) async throws -> Void
  ) -> ExplorationCall<any ForumsClient, ForumModel> {
    ExplorationCall(run: run) {
      $0.set(reading, of: id)
    } step: { model, answer in
      model.set(reading, of: id)
      return answer.returned
    }
  }

  /// The same call for an earlier thread, post or page.
  public var simpler: [ForumCommand] {
    switch self {
    case .firstForum, .bookmarks, .markAbsent: []
    case .page(let number): number.simpler(toward: 1).map { .page($0) }
    case .markSeen(let place, let index):
      place.simpler().map { .markSeen($0, upTo: index) }
        + index.simpler(toward: 1).map { .markSeen(place, upTo: $0) }
    case .markUnseen(let place): place.simpler().map { .markUnseen($0) }
    }
  }
}
