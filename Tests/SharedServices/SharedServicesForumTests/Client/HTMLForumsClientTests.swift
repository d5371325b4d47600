import Foundation
import SharedServices
import SharedServicesForum
import Testing
import UnderstudyHTTP
import UnderstudyTesting

@testable import Understudy

@Suite(.stallLimit()) struct HTMLForumsClientTests {
  private static let list = """
    <html><body data-forum="26"><div class="breadcrumbs"></div>
    <div class="pages" data-current-page="3" data-total-pages="3"></div>
    <form name="bookmarks"><table id="forum"></table></form></body></html>
    """

  private static let thread =
    #"<html><body data-forum="26" data-thread="123"><h1>On probation</h1></body></html>"#

  /// Answers every request with one page, and keeps the requests.
  private final class OnePage: HTTPTransport {
    private let response: HTTP.Response
    private let sent = Locked<[HTTP.Request]>([])

    init(_ html: String, status: Int = 200, fields: HTTP.Fields = [:]) {
      var response = HTTP.Response(
        status: status, fields: fields, body: Data(html.utf8), contentType: "text/html")
      response.fields["Set-Cookie"] = "a=b"
      self.response = response
    }

    init(_ response: HTTP.Response) { self.response = response }

    var requests: [HTTP.Request] { sent.withLock { $0 } }

    func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
      sent.withLock { $0.append(request) }
      return response
    }
  }

  private static func client(over transport: some HTTPTransport) throws -> HTMLForumsClient {
    HTMLForumsClient(
      at: try #require(URL(string: "http://forum.invalid/board")), over: transport, now: TestClock().time.date
    )
  }

  /// The forum answers a guest with status 200.
  @Test func thePageForGuestsSaysThatTheReaderIsNotSignedIn() async throws {
    let page = """
      <html><body id="board"><div id="notregistered"><h1>Sorry</h1><p class="reason">Members only.</p>
      <p><a href="/account.php">Log in</a></p></div></body></html>
      """
    let client = try Self.client(over: OnePage(page))
    await #expect(throws: DataError.refused(.notSignedIn("Members only."))) {
      try await client.threads(inForum: 26, page: 1)
    }
  }

  /// The forum has two pages for guests, and either ends the account's session.
  @Test func thePageForMembersSaysThatTheReaderIsNotSignedIn() async throws {
    let words = "Sorry, you must be a registered member to do this."
    let page = #"<html><body class="standarderror"><div class="inner">\#(words)</div></body></html>"#
    let client = try Self.client(over: OnePage(page))
    let error = DataError.refused(.notSignedIn(words))
    await #expect(throws: error) { try await client.threads(inForum: 26, page: 1) }
    await #expect(throws: error) { try await client.bookmarks(page: 1) }
    await #expect(throws: error) { try await client.markSeen(threadID: 1, upTo: 1) }
    await #expect(throws: error) { try await client.setBookmark(.red, threadID: 1) }
  }

  /// Parsing a page on the main thread would stop the screen.
  @MainActor @Test func aPageForTheMainActorIsReadOnAnotherThread() async throws {
    let isMain = Locked<[Bool]>([])
    let time = TestClock().time
    let client = HTMLForumsClient(
      at: try #require(URL(string: "http://forum.invalid")), over: OnePage(Self.list),
      // The client asks for the time just before it parses a page.
      now: {
        isMain.withLock { $0.append(MainQueue.isCurrent) }
        return time.now
      })
    #expect(try await client.threads(inForum: 26, page: 3).number == 3)
    #expect(try await client.bookmarks(page: 3).number == 3)
    #expect(isMain.withLock { $0 } == [false, false])
  }

  @Test func asksForPagesAsTheForumWantsIt() async throws {
    let transport = OnePage(Self.list)
    let client = try Self.client(over: transport)
    _ = try await client.threads(inForum: 26, page: 3)
    _ = try await client.bookmarks(page: 4)
    let root = "http://forum.invalid/board"
    #expect(
      transport.requests.map(\.url.absoluteString) == [
        "\(root)/forumdisplay.php?forumid=26&perpage=40&pagenumber=3",
        "\(root)/bookmarkthreads.php?action=view&perpage=40&pagenumber=4",
      ])
    #expect(transport.requests.allSatisfy { $0.method == .get && $0.body == nil })
  }

  /// Page 3 of 3 comes, whatever is asked for.
  @Test func anotherPageThanWasAskedForIsNoAnswer() async throws {
    let client = try Self.client(over: OnePage(Self.list))
    #expect(try await client.threads(inForum: 26, page: 7).number == 3)
    await #expect(throws: DataError.parsingError("Page 2 was asked for, and page 3 of 3 came.")) {
      try await client.threads(inForum: 26, page: 2)
    }
  }

  /// A parser would close the table, so the missing rest would not be noticed.
  @Test func aPageThatWasCutIsNoAnswer() async throws {
    let cut = Self.list.replacing("</table></form></body></html>", with: "")
    for page in [cut, cut + "</table>"] {
      let client = try Self.client(over: OnePage(page))
      let error = DataError.parsingError("The page was cut off: there is no </html> at its end.")
      await #expect(throws: error) { try await client.threads(inForum: 26, page: 3) }
      await #expect(throws: error) { try await client.bookmarks(page: 3) }
    }
  }

  @Test func marksWithForms() async throws {
    let transport = OnePage(Self.thread)
    let client = try Self.client(over: transport)
    try await client.markSeen(threadID: 123, upTo: 45)
    try await client.markUnseen(threadID: 123)
    try await client.setBookmark(.purple, threadID: 123)
    try await client.setBookmark(nil, threadID: 123)
    #expect(
      transport.requests.map { String(decoding: $0.body ?? Data(), as: UTF8.self) } == [
        "action=setseen&threadid=123&index=45", "action=resetseen&threadid=123",
        "action=add&category_id=5&threadid=123", "action=remove&threadid=123",
      ])
    for (place, request) in transport.requests.enumerated() {
      #expect(request.method == .post)
      let name = place < 2 ? "showthread.php" : "bookmarkthreads.php"
      #expect(request.url.absoluteString == "http://forum.invalid/board/\(name)")
      #expect(request.fields["Content-Type"] == "application/x-www-form-urlencoded")
    }
  }

  /// The page is a valid list without threads: only the status shows the failure.
  @Test(arguments: [
    (500, DataError.networkError(.serverError)), (503, .networkError(.serverError)),
    (404, .networkError(.notFound)), (403, .networkError(.forbidden)), (401, .networkError(.unauthorized)),
    (429, .networkError(.rateLimited(retryAfter: .seconds(7)))), (400, .networkError(.unreadableAnswer)),
    (422, .networkError(.unreadableAnswer)), (304, .networkError(.unreadableAnswer)),
  ])
  func aStatusIsBelieved(_ status: Int, _ error: DataError) async throws {
    let client = try Self.client(over: OnePage(Self.list, status: status, fields: ["Retry-After": "7"]))
    await #expect(throws: error) { try await client.threads(inForum: 26, page: 1) }
    await #expect(throws: error) { try await client.bookmarks(page: 1) }
    await #expect(throws: error) { try await client.markSeen(threadID: 1, upTo: 1) }
    await #expect(throws: error) { try await client.markUnseen(threadID: 1) }
    await #expect(throws: error) { try await client.setBookmark(.red, threadID: 1) }
  }

  /// The forum's message says more than the status, whoever chose it.
  @Test(arguments: [200, 400, 401, 403, 404, 429, 500, 503])
  func aRefusalIsReportedWhateverTheStatus(_ status: Int) async throws {
    let pages: [(String, ForumRefusal)] = [
      (#"<html><body class="database_error"><div id="msg"><h1>Down</h1></div></body></html>"#, .databaseDown),
      (#"<html><body class="banned"></body></html>"#, .banned),
      (
        #"<html><body class="standarderror"><div class="inner">Sign in, please.<br>Or not.</div></body></html>"#,
        .other("Sign in, please.")
      ),
    ]
    for (html, refusal) in pages {
      let client = try Self.client(over: OnePage(html, status: status, fields: ["Retry-After": "7"]))
      let error = DataError.refused(refusal)
      await #expect(throws: error) { try await client.threads(inForum: 26, page: 1) }
      await #expect(throws: error) { try await client.bookmarks(page: 1) }
      await #expect(throws: error) { try await client.markSeen(threadID: 1, upTo: 1) }
      await #expect(throws: error) { try await client.setBookmark(nil, threadID: 1) }
    }
  }

  /// A redirection confirms an action, and no list.
  @Test func aRedirectionConfirmsAnAction() async throws {
    let client = try Self.client(
      over: OnePage(Self.redirection(to: "/board/showthread.php?a=b&amp;threadid=1")))
    try await client.setBookmark(.cyan, threadID: 1)
    try await client.markUnseen(threadID: 1)
    try await client.markSeen(threadID: 1, upTo: 2)
    await #expect(throws: DataError.self) { try await client.bookmarks(page: 1) }
  }

  private static func redirection(to address: String) -> String {
    #"<html><body class="standardredirect"><div class="inner"><a href="\#(address)">Go</a></div></body></html>"#
  }

  /// None of these says anything about the thread 1.
  @Test(arguments: [
    "<html><body>Welcome</body></html>", "{}", #"<html><body class="redirect"></body></html>"#, list,
    thread,
    redirection(to: "showthread.php?threadid=12"), redirection(to: "member.php?threadid=1"),
    #"<html><body class="standardredirect"><div class="inner">Done.</div></body></html>"#,
  ])
  func anotherPageConfirmsNoAction(_ page: String) async throws {
    let client = try Self.client(over: OnePage(page))
    let error = DataError.parsingError("Expected the page of the thread 1, or one that leads back to it.")
    await #expect(throws: error) { try await client.markSeen(threadID: 1, upTo: 1) }
    await #expect(throws: error) { try await client.markUnseen(threadID: 1) }
    await #expect(throws: error) { try await client.setBookmark(.red, threadID: 1) }
    await #expect(throws: error) { try await client.setBookmark(nil, threadID: 1) }
  }

  @Test func theListOfBookmarksConfirmsABookmarkAndNoMark() async throws {
    let client = try Self.client(over: OnePage(Self.list.replacing(#" data-forum="26""#, with: "")))
    try await client.setBookmark(.red, threadID: 1)
    await #expect(throws: DataError.self) { try await client.markSeen(threadID: 1, upTo: 1) }
    await #expect(throws: DataError.self) { try await client.markUnseen(threadID: 1) }
  }

  /// The forum shows the warning above any page, which is read all the same.
  @Test func aProbationIsNoSuccess() async throws {
    let page = Self.list.replacing(
      #"<div class="breadcrumbs">"#,
      with:
        #"<div id="probation_warn">You are on probation.<br>Read <a href="/">why</a></div><div class="breadcrumbs">"#
    )
    let client = try Self.client(over: OnePage(page))
    let error = DataError.refused(.other("You are on probation."))
    await #expect(throws: error) { try await client.markSeen(threadID: 1, upTo: 1) }
    await #expect(throws: error) { try await client.setBookmark(.red, threadID: 1) }
    #expect(try await client.threads(inForum: 26, page: 3).threads == [])
  }

  /// Browsers read what calls itself Latin-1 or UTF-8 on these pages as windows-1252.
  @Test(arguments: ["utf-8", "iso-8859-1", "windows-1252", "utf-16", "x"])
  func noHeaderChangesTheEncoding(_ charset: String) async throws {
    let html = Self.list.replacing("<html>", with: "<html><head><meta charset=\"\(charset)\"></head>")
      .replacing(#"<div class="breadcrumbs">"#, with: #"<div class="breadcrumbs"><a href="/">#</a>"#)
    let parts = html.split(separator: "#").map { Data($0.utf8) }
    var response = HTTP.Response(
      status: 200, body: parts[0] + Data([0x93, 0xC3, 0xA9, 0x94]) + parts[1],
      contentType: "text/html; charset=\(charset)")
    response.fields["Set-Cookie"] = "a=b"
    let client = try Self.client(over: OnePage(response))
    #expect(try await client.threads(inForum: 26, page: 3).breadcrumbs == ["“Ã©”"])
  }

  @Test func aPageWithoutEndIsNotReadToIt() async throws {
    let client = try Self.client(over: OnePage(Self.list + String(repeating: " ", count: 4 << 20)))
    await #expect(throws: DataError.networkError(.unreadableAnswer)) {
      try await client.threads(inForum: 26, page: 1)
    }
  }

  @Test func goesByItsTimeZone() async throws {
    let row = """
      <tr class="thread" id="thread1"><td class="star"></td><td class="title"><a class="thread_title">t</a></td>
      <td class="author"><a href="m.php?userid=2">a</a></td><td class="replies">0</td>
      <td class="lastpost"><div class="date">23:30 Dec 31, 2025</div><a class="author">b</a></td></tr>
      """
    let transport = OnePage(Self.list.replacing("</table>", with: row + "</table>"))
    let url = try #require(URL(string: "http://forum.invalid"))
    let chicago = try #require(TimeZone(identifier: "America/Chicago"))
    let there = HTMLForumsClient(at: url, over: transport, timeZone: chicago)
    let date = try #require(try await there.threads(inForum: 26, page: 3).threads.first?.lastPostDate)
    #expect(date == (try Date("2026-01-01T05:30:00Z", strategy: .iso8601)))
    // The forum's own zone, unless the reader has chosen another.
    let here = try await HTMLForumsClient(at: url, over: transport).threads(inForum: 26, page: 3)
    #expect(here.threads.first?.lastPostDate == date)
    let london = HTMLForumsClient(at: url, over: transport, timeZone: .gmt)
    #expect(try await london.threads(inForum: 26, page: 3).threads.first?.lastPostDate != date)
  }
}
