import Foundation
import SharedServices
import SharedServicesDoubles
import Understudy
import SharedServicesContracts

/// One forum for one trial, on a time that costs nothing, and the conditions that it brings about by itself.
///
/// What its pages must show is written down beside what is stored, in the order in which it must be shown.
struct TrialForum: Sendable {
  let time = ManualTime(.jumping)
  let forum: InMemoryForum

  init() {
    forum = InMemoryForum(
      boards: [Self.games, Self.archive, Self.empty],
      // Stored in another order than they are shown in.
      threads: (Self.threads + Self.elsewhere + Self.long).sorted { $0.id < $1.id })
  }

  /// What the forum itself brings about.
  var provisions: [Provision] {
    [
      .bringing(about: .forumHasThreads) { Self.page(of: Self.games, Self.threads) },
      .bringing(about: .forumIsEmpty) { Self.page(of: Self.empty, []) },
      .bringing(about: .forumIsLong) { Self.longPages },
      .bringing(about: .bookmarksAreSet) { Self.bookmarks },
      .bringing(about: .idIsFree) { 999_999 },
      refusing(.readerIsBanned, with: .banned) {},
      refusing(.databaseIsDown, with: .databaseDown) {},
      refusing(.threadIsClosed, with: .threadClosed) {},
      refusing(.forumObjects, with: .other(Self.objection)) { Self.objection },
    ]
  }

  private func refusing<Fixture: Sendable>(
    _ condition: Condition<Fixture>, with refusal: ForumRefusal, _ fixture: @escaping @Sendable () -> Fixture
  ) -> Provision {
    .bringing(about: condition, endingWith: { [forum] in forum.refuseRequests(with: nil) }) { [forum] in
      forum.refuseRequests(with: refusal)
      return fixture()
    }
  }

  // MARK: - What is stored, and how it must be shown

  static let objection = "Sorry, \"search\" is for readers with > 0 posts & a café card."

  private static let games = InMemoryForum.Board(
    id: 26, name: "Games & Toys", path: ["The Forums", "Café “Déjà vu”"],
    announcements: [ForumAnnouncement(title: "Be <kind>", author: "Moderator")])
  private static let archive = InMemoryForum.Board(id: 27, name: "Archive")
  private static let empty = InMemoryForum.Board(id: 28, name: "Empty", acceptsNewThreads: false)

  /// The threads of one board as they must be shown, with every kind of every field.
  static let threads: [ForumThread] = [
    ForumThread(
      id: 104, forumID: 26, title: "Rules — read “these” first…", isSticky: true, isClosed: true,
      icons: ["icon-52-rules"], bookmark: .purple, author: ForumUser(id: 1, name: "Moderator"), replyCount: 0,
      reading: .seen(unreadCount: 0), lastPostDate: moment("2025-12-31T00:00:00Z"),
      lastPostAuthor: "Moderator"),
    ForumThread(
      id: 101, forumID: 26, title: "Tom & Jerry <i>or</i> \"Felix\"", isSticky: true,
      bookmark: .orange, author: ForumUser(id: 7, name: "O'Neil & Søn"), replyCount: 3,
      rating: .init(voteCount: 12, average: 4.5), lastPostDate: moment("2024-02-29T12:00:00Z"),
      lastPostAuthor: "<b>Kim</b>"),
    ForumThread(
      id: 109, forumID: 26, title: "Žlutý kůň 王小明 👩‍👧‍👦 Zoe\u{308}", icons: ["icon-1", "icon-2-shitpost"],
      bookmark: .red, author: ForumUser(id: 8, name: "Łukasz €5"), replyCount: 40,
      rating: .init(voteCount: 1, average: 1), reading: .seen(unreadCount: 41),
      lastPostDate: moment("2026-01-03T23:59:00Z"), lastPostAuthor: "Łukasz €5"),
    // Of one minute: the greater id is the newer one.
    ForumThread(
      id: 108, forumID: 26, title: "&amp; is no &", isClosed: true, bookmark: .yellow,
      author: ForumUser(id: 9, name: "Robin"), replyCount: 7, reading: .seen(unreadCount: 5),
      lastPostDate: moment("2026-01-03T08:05:00Z"), lastPostAuthor: "Alex"),
    ForumThread(
      id: 107, forumID: 26, title: "This thread is closed!", bookmark: .cyan,
      author: ForumUser(id: 9, name: "Robin"), replyCount: 2, rating: .init(voteCount: 1234, average: 3.33),
      lastPostDate: moment("2026-01-03T08:05:00Z"), lastPostAuthor: "Alex"),
    ForumThread(
      id: 106, forumID: 26, title: "1 < 2 > 0", bookmark: .green, author: ForumUser(id: 10, name: "null"),
      replyCount: 12_345, rating: .init(voteCount: 99, average: 5), reading: .seen(unreadCount: 0),
      lastPostDate: moment("2026-01-02T13:00:00Z"), lastPostAuthor: "null"),
    ForumThread(
      id: 2_147_483_648, forumID: 26, title: "no\u{A0}break, soft\u{AD}hyphen", icons: ["icon-3.5"],
      author: ForumUser(id: 2_147_483_649, name: "a"), replyCount: 5,
      lastPostDate: moment("1999-09-09T00:01:00Z"), lastPostAuthor: "b"),
  ]

  private static let elsewhere = [
    ForumThread(
      id: 200, forumID: 28 + 100, title: "Of a hidden forum", bookmark: .red,
      author: ForumUser(id: 7, name: "Kim"), replyCount: 1, lastPostDate: moment("2026-01-02T14:00:00Z"),
      lastPostAuthor: "Kim")
  ]

  /// Two pages and a bit, the newest first.
  private static let long: [ForumThread] = (0..<85).map { place in
    ForumThread(
      id: 400 - place, forumID: 27, title: "Number \(place)", author: ForumUser(id: 9, name: "Robin"),
      lastPostDate: moment("2020-01-01T00:00:00Z").addingTimeInterval(-60 * Double(place)),
      lastPostAuthor: "Alex")
  }

  private static var longPages: [ThreadListPage] {
    [0, 40, 80].map { start in
      var page = page(of: archive, Array(long[start..<min(start + 40, 85)]))
      page.number = start / 40 + 1
      page.pageCount = 3
      return page
    }
  }

  private static var bookmarks: ThreadListPage {
    let ids = [109, 108, 107, 200, 106, 104, 101]
    let all = Dictionary(uniqueKeysWithValues: (threads + elsewhere).map { ($0.id, $0) })
    let threads = ids.compactMap { id -> ForumThread? in
      var thread = all[id]
      thread?.forumID = nil
      return thread
    }
    return ThreadListPage(forumID: nil, number: 1, pageCount: 1, threads: threads)
  }

  private static func page(of board: InMemoryForum.Board, _ threads: [ForumThread]) -> ThreadListPage {
    ThreadListPage(
      forumID: board.id, number: 1, pageCount: 1, breadcrumbs: board.path + [board.name],
      acceptsNewThreads: board.acceptsNewThreads, announcements: board.announcements, threads: threads)
  }

  private static func moment(_ text: String) -> Date {
    (try? Date(text, strategy: .iso8601)) ?? .distantPast
  }
}
