public import Foundation
public import UnderstudyHTTP
import SharedServices

/// An ``InMemoryForum`` over HTTP: pages of HTML in windows-1252.
///
/// - `GET /forumdisplay.php?forumid=…&perpage=…&pagenumber=…`
/// - `GET /bookmarkthreads.php?action=view&perpage=…&pagenumber=…`
/// - `POST /showthread.php` with `action=setseen&threadid=…&index=…` or `action=resetseen&threadid=…`, which is answered
///   with the page of the thread.
/// - `POST /bookmarkthreads.php` with `action=add&threadid=…&category_id=…` or `action=remove&threadid=…`, which is
///   answered with a page that leads back to the thread.
///
/// A refusal has the status 200, as in the real forum. Any other request gets 404.
public struct ForumEmulator: HTTPHandler {
  /// The format of dates, a setting of the reader.
  public enum Clock: Sendable, Hashable, CaseIterable {
    /// `8:05 AM Jan 3, 2026`
    case twelveHours
    /// `08:05 Jan 3, 2026`
    case twentyFourHours
  }

  private let forum: InMemoryForum
  private let printer: ForumPrinter

  /// An emulator of a forum.
  ///
  /// - Parameters:
  ///   - forum: The forum.
  ///   - clock: How dates are printed.
  ///   - timeZone: The one in which they are printed.
  public init(_ forum: InMemoryForum, clock: Clock = .twelveHours, timeZone: TimeZone = .gmt) {
    self.forum = forum
    printer = ForumPrinter(clock: clock, timeZone: timeZone)
  }

  /// Answers a request.
  public func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    let query = Form(request.url.query(percentEncoded: true) ?? "")
    let form = Form(String(decoding: request.body ?? Data(), as: UTF8.self))
    let page = query.number("pagenumber") ?? 1
    let size = query.number("perpage") ?? InMemoryForum.threadsPerPage
    do throws(ForumRefusal) {
      switch (request.method, request.url.lastPathComponent, form["action"]) {
      case (.get, "forumdisplay.php", _):
        let id = try query.required("forumid")
        return .page(printer.list(try forum.threads(inForum: id, page: page, perPage: size)))
      case (.get, "bookmarkthreads.php", _):
        return .page(printer.bookmarks(try forum.bookmarks(page: page, perPage: size)))
      case (.post, "showthread.php", "setseen"):
        let (id, index) = (try form.required("threadid"), try form.required("index"))
        return .page(printer.thread(try forum.markSeen(threadID: id, upTo: index)))
      case (.post, "showthread.php", "resetseen"):
        return .page(printer.thread(try forum.markUnseen(threadID: try form.required("threadid"))))
      case (.post, "bookmarkthreads.php", "add"):
        let (id, color) = (try form.required("threadid"), form.number("category_id") ?? 0)
        guard let bookmark = ForumThread.Bookmark(rawValue: color) else {
          throw .other("Invalid category_id specified.")
        }
        try forum.setBookmark(bookmark, threadID: id)
        return .page(printer.redirection(toThread: id, "The thread is bookmarked."))
      case (.post, "bookmarkthreads.php", "remove"):
        let id = try form.required("threadid")
        try forum.setBookmark(nil, threadID: id)
        return .page(printer.redirection(toThread: id, "The thread is not bookmarked any more."))
      case (.post, "showthread.php", _), (.post, "bookmarkthreads.php", _):
        throw .other("There is no such action.")
      default:
        return .page(
          "<html><head><title>404 Not Found</title></head><body>Not Found</body></html>", status: 404)
      }
    } catch {
      return .page(printer.refusal(error))
    }
  }

  /// Whether a request is for one of its pages, wherever the root of the forum is.
  package static func serves(_ request: HTTP.Request) -> Bool {
    ["forumdisplay.php", "bookmarkthreads.php", "showthread.php"].contains(request.url.lastPathComponent)
  }
}

extension HTTP.Response {
  fileprivate static func page(_ html: String, status: Int = 200) -> HTTP.Response {
    HTTP.Response(
      status: status, body: Data(windows1252: html), contentType: "text/html; charset=windows-1252")
  }
}

extension Data {
  /// A page in windows-1252; a character that the encoding lacks is a numeric character reference.
  package init(windows1252 html: String) {
    self.init()
    for scalar in html.unicodeScalars {
      if let byte = Windows1252.byte(for: scalar) {
        append(byte)
      } else {
        append(contentsOf: "&#\(scalar.value);".utf8)
      }
    }
  }
}

/// The fields of a form, or the items of a query.
private struct Form {
  private let items: [(name: String, value: String)]

  init(_ text: String) {
    items = text.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.replacing("+", with: " ").removingPercentEncoding ?? String($0) }
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }

  subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  func number(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

  func required(_ name: String) throws(ForumRefusal) -> Int {
    guard let number = number(name) else { throw .other("Invalid \(name) specified.") }
    return number
  }
}

/// Prints the pages of a forum as HTML.
struct ForumPrinter: Sendable {
  private let formatter: DateFormatter

  init(clock: ForumEmulator.Clock, timeZone: TimeZone) {
    formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = timeZone
    formatter.dateFormat = clock == .twelveHours ? "h:mm a MMM d, yyyy" : "HH:mm MMM d, yyyy"
  }

  // MARK: - Pages

  func list(_ page: ThreadListPage) -> String {
    guard let id = page.forumID else { preconditionFailure("A page of a forum has the id of the forum.") }
    let crumbs = page.breadcrumbs.map { #"<a href="forumdisplay.php?forumid=\#(id)">\#($0.html)</a>"# }
    let button =
      page.acceptsNewThreads
      ? #"<li><a href="newthread.php?action=newthread&amp;forumid=\#(id)">New thread</a></li>"# : ""
    let rows = page.announcements.map { announcement($0, forumID: id) } + page.threads.map(row)
    return document(
      "forumdisplay", forumID: id,
      """
      <div class="breadcrumbs">\(crumbs.joined(separator: " &rsaquo; "))</div>
      <ul class="postbuttons">\(button)</ul>
      \(pages(page))
      \(table(rows))
      """)
  }

  func bookmarks(_ page: ThreadListPage) -> String {
    document(
      "bookmark_threads", forumID: nil,
      """
      \(pages(page))
      <form name="bookmarks" action="bookmarkthreads.php" method="post">
      \(table(page.threads.map(row)))
      </form>
      """)
  }

  /// The page of a thread, without its posts.
  func thread(_ thread: ForumThread) -> String {
    document(
      "showthread", forumID: thread.forumID, #"<div id="thread"><h1>\#(thread.title.html)</h1></div>"#)
  }

  /// A page that leads to a thread after an action.
  func redirection(toThread id: Int, _ words: String) -> String {
    document(
      "standardredirect", forumID: nil,
      """
      <div class="standard"><h2>Redirecting...</h2><div class="inner">\(words.html)<br>
      <a href="showthread.php?threadid=\(id)">Continue</a></div></div>
      """)
  }

  /// The page for a refusal.
  func refusal(_ refusal: ForumRefusal) -> String {
    switch refusal {
    case .databaseDown:
      document("database_error", forumID: nil, #"<div id="msg">The database is resting.</div>"#)
    case .banned: document("banned", forumID: nil, "<p>You have been banned.</p>")
    case .threadClosed: error("This thread is closed!")
    case .other(let words): error(words)
    }
  }

  private func error(_ words: String) -> String {
    document("standarderror", forumID: nil, #"<h2>Error</h2><div class="inner">\#(words.html)</div>"#)
  }

  private func document(_ kind: String, forumID: Int?, _ body: String) -> String {
    """
    <!DOCTYPE html>
    <html><head><title>Forums</title></head>
    <body class="\(kind)"\(forumID.map { #" data-forum="\#($0)""# } ?? "")>
    \(body)
    </body></html>

    """
  }

  private func pages(_ page: ThreadListPage) -> String {
    #"<div class="pages" data-current-page="\#(page.number)" data-total-pages="\#(page.pageCount)"></div>"#
  }

  // MARK: - Rows

  private func table(_ rows: [String]) -> String {
    (["<table id=\"forum\"><tbody>"] + rows + ["</tbody></table>"]).joined(separator: "\n")
  }

  private func announcement(_ announcement: ForumAnnouncement, forumID: Int) -> String {
    """
    <tr class="thread"><td class="title"><a class="announcement" \
    href="announcement.php?forumid=\(forumID)">\(announcement.title.html)</a></td>\
    <td class="author">\(announcement.author.html)</td></tr>
    """
  }

  private func row(_ thread: ForumThread) -> String {
    let star = thread.bookmark.map { " bm\($0.rawValue)" } ?? ""
    let icons = zip(["icon", "icon2"], thread.icons).map { name, icon in
      #"<td class="\#(name)"><img src="/posticons/\#(icon.html).gif" alt=""></td>"#
    }
    let rating = thread.rating.map { rating in
      let average = String(format: "%.2f", locale: Locale(identifier: "en_US_POSIX"), rating.average)
      return
        #"<img src="/rating/\#(Int(exactly: rating.average.rounded(.down)) ?? 0).gif" title="\#(rating.voteCount) votes - \#(average) average">"#
    }
    return """
      <tr class="thread\(thread.isClosed ? " closed" : "")" id="thread\(thread.id)">
      <td class="star\(star)"></td>\(icons.joined())
      <td class="title\(thread.isSticky ? " title_sticky" : "")">\(seen(thread))\
      <a class="thread_title" href="showthread.php?threadid=\(thread.id)">\(thread.title.html)</a></td>
      <td class="author"><a href="member.php?action=getinfo&amp;userid=\(thread.author.id)">\
      \(thread.author.name.html)</a></td>
      <td class="replies">\(thread.replyCount)</td><td class="rating">\(rating ?? "")</td>
      <td class="lastpost"><div class="date">\(formatter.string(from: thread.lastPostDate))</div>\
      <a class="author" href="showthread.php?goto=lastpost&amp;threadid=\(thread.id)">\
      \(thread.lastPostAuthor.html)</a></td>
      </tr>
      """
  }

  private func seen(_ thread: ForumThread) -> String {
    guard case .seen(let unreadCount) = thread.reading else { return "" }
    let address = "showthread.php?threadid=\(thread.id)"
    let count =
      unreadCount > 0
      ? #"<a class="count" href="\#(address)&amp;goto=newpost"><b>\#(unreadCount)</b></a>"# : ""
    return #"<div class="lastseen"><a class="x" href="\#(address)&amp;action=resetseen">X</a>\#(count)</div>"#
  }
}

extension String {
  /// The text with HTML's special characters as entities.
  fileprivate var html: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
