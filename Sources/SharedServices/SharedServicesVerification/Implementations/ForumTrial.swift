import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesBackends
import SharedServicesDoubles
import SharedServicesForum
import Understudy
import UnderstudyHTTP
import UnderstudyServer

/// A forum for one trial, and its condition handlers.
///
/// The expected pages are declared beside the stored threads, in the expected order.
struct ForumTrial: Sendable {
  let trial: TrialEnvironment
  let forum: any ForumServer

  /// A new forum in memory.
  static var inMemoryForum: InMemoryForum { InMemoryForum(boards: boards, threads: stored) }

  // MARK: - Connections

  /// A connection to the forum over HTTP.
  struct Connection: Sendable {
    let transport: any HTTPTransport
    let url: URL
    let time: Time
    /// The reader's time zone; `nil` for the default one of both sides.
    var timeZone: TimeZone?

    /// A client that uses this connection, or another transport to the same forum.
    func client(over other: (any HTTPTransport)? = nil) -> HTMLForumsClient {
      guard let timeZone else { return HTMLForumsClient(at: url, over: other ?? transport, now: time.date) }
      return HTMLForumsClient(at: url, over: other ?? transport, timeZone: timeZone, now: time.date)
    }
  }

  /// The URL of a forum that is not on the network (RFC 6761 §6.4).
  static var nowhere: URL {
    guard let url = URL(string: "http://forum.invalid") else {
      preconditionFailure("The address of the forum is not a URL.")
    }
    return url
  }

  /// Creates an emulator of the forum and the connection of a route to it, with handlers for all conditions.
  static func connection(over route: LiveRoute, in trial: TrialEnvironment) async throws -> Connection {
    // A zone of half an hour, in which midnight in UTC is on the day before.
    let zone = TimeZone(secondsFromGMT: -12_600) ?? .gmt
    let emulator =
      route == .faults
      ? ForumEmulator(
        boards: boards, threads: stored, clock: .twentyFourHours, timeZone: zone, markup: .old)
      : ForumEmulator(boards: boards, threads: stored)
    let conditions = ForumTrial(trial: trial, forum: emulator)
    conditions.setUpPages()
    switch route {
    case .emulator:
      let handler = trial.intercept(emulator)
      conditions.setUpFailures(of: handler)
      return Connection(
        transport: trial.countRequests(to: InProcessTransport(to: handler, time: trial.time)),
        url: nowhere, time: trial.time)
    case .faults:
      let transport = trial.intercept(InProcessTransport(to: emulator, time: trial.time))
      conditions.setUpFailures(of: transport)
      conditions.injectRefusals(into: transport)
      return Connection(
        transport: trial.countRequests(to: transport), url: nowhere, time: trial.time, timeZone: zone)
    case .socket:
      let (handler, interceptors) = trial.interceptors(before: emulator)
      let server = try await MockServer(emulator, by: interceptors)
      trial.atEnd { await server.close(grace: .zero) }
      conditions.setUpFailures(of: handler)
      return Connection(
        transport: trial.countRequests(to: trial.interceptClient(URLSessionTransport())), url: server.url,
        time: trial.time)
    }
  }

  /// Registers the handlers for failures of a server of pages.
  func setUpFailures<Base: Sendable>(of base: Intercepted<Base>) {
    trial.setUpFailures(of: base)
    // A client that ignores the status reads an empty list here, without an error.
    trial.on(.serverFails, failing: base, with: .page(Self.emptyList, status: 500))
    trial.on(
      .pageIsUnrecognisable, failing: base,
      with: .page("<html><body><h1>Welcome to the hotel</h1></body></html>"))
    // A parser that closes open elements reads one thread here, without an error.
    trial.on(.pageIsCutOff, failing: base, with: .page(Self.cutList))
    trial.on(.everyAnswerIsAList, failing: base, with: .page(Self.emptyList))
  }

  /// Injects the pages with which the forum refuses.
  private func injectRefusals<Base: Sendable>(into base: Intercepted<Base>) {
    let words = "We object &mdash; &#8220;politely&#8221;."
    trial.on(
      .readerIsBanned, failing: base, with: .page(#"<html><body class="banned">Sorry.</body></html>"#))
    trial.on(
      .databaseIsDown, failing: base, with: .page(#"<html><body class="database_error">Sorry.</body></html>"#)
    )
    trial.on(
      .threadIsClosed, failing: base,
      with: .page(#"<html><body class="standarderror"><p>This thread is closed!</p></body></html>"#))
    let objection = Fault.page(
      #"<html><body class="standarderror"><div class="inner">\#(words)</div></body></html>"#)
    trial.on(.forumObjects, failing: base, [.on(.any, objection)]) { "We object — “politely”." }
    let sentence = "You must be a registered member to see this."
    let forMembers = Fault.page(
      #"<html><body class="standarderror"><div class="inner">\#(sentence)</div></body></html>"#)
    trial.on(.readerIsSignedOut, failing: base, [.on(.any, forMembers)]) { sentence }
    // A list with a warning, which looks like the forum's page to a client that does not look for the thread.
    let probation = Fault.page(
      Self.emptyList.replacing(
        #"<div class="breadcrumbs">"#,
        with: #"<div id="probation_warn">\#(Self.probation)</div><div class="breadcrumbs">"#))
    trial.on(.readerIsOnProbation, failing: base, [.on(.any, probation)]) { Self.probation }
  }

  // MARK: - Conditions

  /// Registers the handlers for the conditions of the forum itself.
  func setUpPages() {
    trial.on(.forumHasThreads) { Self.page(of: Self.games, Self.threads) }
    trial.on(.forumIsEmpty) { Self.page(of: Self.empty, []) }
    trial.on(.forumIsLong) { Self.longPages }
    trial.on(.bookmarksAreSet) { Self.bookmarks }
    trial.on(.bookmarksAreMany) { [forum] in
      _ = forum.exchange(Self.moreBookmarks)
      return Self.manyBookmarks
    }
    trial.on(.severalReaders) { [forum] in
      let views = Locked((current: 0, threads: [Self.all, Self.ofAnotherReader]))
      return ForumReaders(lists: [
        .init(forum: Self.page(of: Self.games, Self.threads), bookmarks: Self.bookmarks),
        Self.listsOfAnotherReader,
      ]) { reader in
        views.withLock { views in
          guard reader != views.current else { return }
          views.threads[views.current] = forum.exchange(views.threads[reader])
          views.current = reader
        }
      }
    }
    trial.on(.idIsFree) { 999_999 }
    refuse(.readerIsBanned, with: .banned) {}
    refuse(.databaseIsDown, with: .databaseDown) {}
    refuse(.threadIsClosed, with: .threadClosed) {}
    refuse(.forumObjects, with: .other(Self.objection)) { Self.objection }
    refuse(.readerIsSignedOut, with: .notSignedIn(Self.membersOnly)) { Self.membersOnly }
    refuse(.readerIsOnProbation, with: .other(Self.probation)) { Self.probation }
  }

  private func refuse<Fixture: Sendable>(
    _ condition: Condition<Fixture>, with refusal: ForumRefusal, _ fixture: @escaping @Sendable () -> Fixture
  ) {
    trial.on(condition, until: { [forum] in forum.refuseRequests(with: nil) }) { [forum] in
      forum.refuseRequests(with: refusal)
      return fixture()
    }
  }

  // MARK: - Stored threads and expected pages

  static let objection = "Sorry, \"search\" is for readers with > 0 posts & a café card."

  static let membersOnly = "Sorry, you must be a registered member to view this page."
  static let probation = "You are on probation until Monday."

  private static let games = ForumBoard(
    id: 26, name: "Games & Toys", path: ["The Forums", "Café “Déjà vu”"],
    announcements: [ForumAnnouncement(title: "Be <kind>", author: "Moderator")])
  private static let archive = ForumBoard(
    id: 27, name: "Archive", announcements: [ForumAnnouncement(title: "Read only", author: "Moderator")])
  private static let empty = ForumBoard(id: 28, name: "Empty", acceptsNewThreads: false)
  private static let boards = [games, archive, empty]

  /// The expected threads of one board, with every kind of each value.
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
    // Two threads of the same minute: the greater id is the newer one.
    ForumThread(
      // words:allow, the recordings have this title.
      id: 108, forumID: 26, title: "&amp; is no &", isClosed: true, bookmark: .yellow,
      author: ForumUser(id: 9, name: "Robin"), replyCount: 7, reading: .seen(unreadCount: 5),
      lastPostDate: moment("2026-01-03T08:05:00Z"), lastPostAuthor: "Alex"),
    ForumThread(
      id: 107, forumID: 26, title: "This thread is closed!", bookmark: .cyan,
      author: ForumUser(id: 9, name: "Robin"), replyCount: 2, rating: .init(voteCount: 1234, average: 3.33),
      lastPostDate: moment("2026-01-03T08:05:00Z"), lastPostAuthor: "Alex"),
    ForumThread(
      id: 106, forumID: 26, title: "1 <  2 > 0 \u{A0}", bookmark: .green,
      author: ForumUser(id: 10, name: "null  user"),
      replyCount: 12_345, rating: .init(voteCount: 99, average: 5), reading: .seen(unreadCount: 0),
      lastPostDate: moment("2026-01-02T13:00:00Z"), lastPostAuthor: "null  & void"),
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

  /// Slightly more than two pages of threads, newest first.
  private static let long: [ForumThread] = (0..<85).map { place in
    var thread = ForumThread(
      id: 400 - place, forumID: 27, title: "Number \(place)", author: ForumUser(id: 9, name: "Robin"),
      replyCount: place,
      lastPostDate: moment("2020-01-01T00:00:00Z").addingTimeInterval(-60 * Double(place)),
      lastPostAuthor: "Alex")
    thread.isClosed = place % 7 == 0
    if place % 3 == 0 { thread.icons = ["icon-\(place)"] }
    if place % 2 == 0 { thread.rating = .init(voteCount: place + 1, average: 2.5) }
    if place % 5 == 0 { thread.reading = .seen(unreadCount: place) }
    return thread
  }

  private static var longPages: [ThreadListPage] {
    [0, 40, 80].map { start in
      var page = page(of: archive, Array(long[start..<min(start + 40, 85)]))
      (page.number, page.pageCount) = (start / 40 + 1, 3)
      if page.number > 1 { page.announcements = [] }
      return page
    }
  }

  private static var all: [ForumThread] { threads + elsewhere + long }

  /// All threads, in another order than the expected one.
  private static var stored: [ForumThread] { all.sorted { $0.id < $1.id } }

  private static let bookmarkedIDs = [109, 108, 107, 200, 106, 104, 101]
  private static var bookmarks: ThreadListPage { page(ofBookmarks: bookmarkedIDs, among: all) }

  /// Threads of the long forum, with bookmarks: they are older than all other bookmarked threads.
  private static var moreBookmarks: [ForumThread] {
    long.prefix(45).map { thread in
      var thread = thread
      thread.bookmark = .cyan
      return thread
    }
  }

  private static var manyBookmarks: [ThreadListPage] {
    let ids = bookmarkedIDs + moreBookmarks.map(\.id)
    return [ids.prefix(40), ids.dropFirst(40)].enumerated().map { place, ids in
      var page = page(ofBookmarks: Array(ids), among: threads + elsewhere + moreBookmarks)
      (page.number, page.pageCount) = (place + 1, 2)
      return page
    }
  }

  /// The long forum is the same for both readers at first.
  private static var ofAnotherReader: [ForumThread] { (threads + elsewhere).map(forAnotherReader) + long }

  /// The same forum as another reader sees it.
  static var forumOfAnotherReader: InMemoryForum {
    InMemoryForum(boards: boards, threads: ofAnotherReader)
  }

  /// What the forum shows to another reader at first.
  static var listsOfAnotherReader: ForumReaders.Lists {
    .init(
      forum: page(of: games, threads.map(forAnotherReader)),
      bookmarks: page(ofBookmarks: [107, 2_147_483_648], among: ofAnotherReader))
  }

  /// Returns a thread as another reader sees it, who has two bookmarks and has read what the first reader has not.
  private static func forAnotherReader(_ thread: ForumThread) -> ForumThread {
    var thread = thread
    thread.bookmark = [107: .green, 2_147_483_648: .red][thread.id]
    thread.reading = thread.reading == .never ? .seen(unreadCount: 1) : .never
    return thread
  }

  private static func page(ofBookmarks ids: [Int], among threads: [ForumThread]) -> ThreadListPage {
    let all = Dictionary(uniqueKeysWithValues: threads.map { ($0.id, $0) })
    let threads = ids.compactMap { id -> ForumThread? in
      var thread = all[id]
      thread?.forumID = nil
      return thread
    }
    return ThreadListPage(forumID: nil, number: 1, pageCount: 1, threads: threads)
  }

  private static func page(of board: ForumBoard, _ threads: [ForumThread]) -> ThreadListPage {
    ThreadListPage(
      forumID: board.id, number: 1, pageCount: 1, breadcrumbs: board.path + [board.name],
      acceptsNewThreads: board.acceptsNewThreads, announcements: board.announcements, threads: threads)
  }

  private static func moment(_ text: String) -> Date {
    do { return try Date(text, strategy: .iso8601) } catch {
      preconditionFailure("\(text) is not a date of ISO 8601.")
    }
  }

  // MARK: - Pages

  private static var emptyList: String { "\(listHead)</table></form></body></html>" }

  private static var cutList: String {
    """
    \(listHead)
    <tr class="thread" id="thread101"><td class="star"></td>
    <td class="title"><a class="thread_title" href="showthread.php?threadid=101">Tom</a></td>
    <td class="author"><a href="member.php?userid=7">Robin</a></td><td class="replies">3</td>
    <td class="lastpost"><div class="date">12:00 Feb 29, 2024</div><a class="author" href="/">Kim</a></td></tr>
    <tr class="thread" id="thread109"><td class="star bm1"></td>
    """
  }

  private static var listHead: String {
    """
    <html><body data-forum="26"><div class="breadcrumbs"></div>
    <div class="pages" data-current-page="1" data-total-pages="1"></div>
    <form name="bookmarks"><table id="forum">
    """
  }
}

extension Fault {
  /// A page that replaces the forum's own.
  fileprivate static func page(_ html: String, status: Int = 200) -> Fault {
    .status(
      status, fields: ["Content-Type": "text/html; charset=windows-1252"], body: Data(windows1252: html))
  }
}
