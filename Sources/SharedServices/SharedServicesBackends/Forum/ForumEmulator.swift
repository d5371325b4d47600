public import Foundation
public import SharedServices
import Understudy
public import UnderstudyHTTP

/// A forum over HTTP as one reader sees it: pages of HTML in windows-1252.
///
/// ```swift
/// let emulator = ForumEmulator(boards: [ForumBoard(id: 26, name: "Games")], threads: threads)
/// let client = HTMLForumsClient(at: url, over: InProcessTransport(to: emulator))
/// ```
///
/// - `GET /forumdisplay.php?forumid=…&perpage=…&pagenumber=…`
/// - `GET /bookmarkthreads.php?action=view&perpage=…&pagenumber=…`
/// - `POST /showthread.php` with `action=setseen&threadid=…&index=…` or `action=resetseen&threadid=…`, which is answered
///   with the page of the thread.
/// - `POST /bookmarkthreads.php` with `action=add&threadid=…&category_id=…` or `action=remove&threadid=…`, which is
///   answered with a page that leads back to the thread.
///
/// A refusal has the status 200, as in the real forum. Any other request gets 404.
///
/// Its tables and its rules are its own, and no double shares them.
public final class ForumEmulator: HTTPHandler {
  /// The format of dates, a setting of the reader.
  public enum Clock: Sendable, Hashable, CaseIterable {
    /// `8:05 AM Jan 3, 2026`
    case twelveHours
    /// `08:05 Jan 3, 2026`
    case twentyFourHours
  }

  /// The markup of the pages, which differs between the forum's versions.
  package enum Markup: Sendable, Hashable, CaseIterable {
    /// The number of pages is in attributes, and the pages of a list are listed in the breadcrumbs.
    case current
    /// The number of pages is in a menu, and the head of a page contains an element of the body.
    case old
  }

  private let tables: Locked<ForumTables>
  private let printer: ForumPrinter

  /// Creates a forum with boards and threads; see ``store(_:)``.
  ///
  /// - Parameters:
  ///   - boards: The boards.
  ///   - threads: The threads of the boards, and of hidden ones.
  ///   - clock: How dates are printed.
  ///   - timeZone: The time zone of the dates: a setting of the reader (default: the forum's own, of Chicago).
  public convenience init(
    boards: [ForumBoard], threads: [ForumThread] = [], clock: Clock = .twelveHours,
    timeZone: TimeZone = TimeZone(identifier: "America/Chicago") ?? .gmt
  ) {
    self.init(boards: boards, threads: threads, clock: clock, timeZone: timeZone, markup: .current)
  }

  /// Creates a forum of a certain version.
  package init(
    boards: [ForumBoard], threads: [ForumThread], clock: Clock, timeZone: TimeZone, markup: Markup
  ) {
    tables = Locked(ForumTables(boards: boards, threads: threads))
    printer = ForumPrinter(clock: clock, timeZone: timeZone, markup: markup)
  }

  // MARK: - Conditions for tests

  /// Stores a thread in place of the one with its id, if there is one.
  ///
  /// It is stored as a page can show it: dates to the minute, averages to the hundredth, two icons, and texts in one
  /// line, without spaces at their ends.
  public func store(_ thread: ForumThread) {
    tables.withLock { $0.store(thread) }
  }

  /// Replaces threads by those that another reader sees, at once.
  ///
  /// - Returns: The replaced threads.
  package func exchange(_ threads: [ForumThread]) -> [ForumThread] {
    tables.withLock { tables in
      let replaced = threads.compactMap { tables.thread(id: $0.id) }
      for thread in threads { tables.store(thread) }
      return replaced
    }
  }

  /// The thread with an id and its read state; `nil` if it does not exist.
  public func thread(id: Int) -> ForumThread? {
    tables.withLock { $0.thread(id: id) }
  }

  /// Refuses every request from now on, as when the database is down or the reader is banned.
  ///
  /// - Parameter refusal: The refusal; `nil` accepts requests again.
  public func refuseRequests(with refusal: ForumRefusal?) {
    tables.withLock { $0.refusal = refusal }
  }

  // MARK: - Requests

  /// Answers a request.
  public func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    guard Self.serves(request), let html = tables.withLock({ page(for: request, of: &$0) }) else {
      return .page(
        "<html><head><title>404 Not Found</title></head><body>Not Found</body></html>", status: 404)
    }
    return .page(html)
  }

  /// The page for a request; `nil` if no page has its address and action.
  private func page(for request: HTTP.Request, of tables: inout ForumTables) -> String? {
    let query = Form(request.url.query(percentEncoded: true) ?? "")
    let form = Form(String(decoding: request.body ?? Data(), as: UTF8.self))
    let (number, size) = (query.number("pagenumber") ?? 1, query.number("perpage") ?? 40)
    do throws(ForumRefusal) {
      if let refusal = tables.refusal { throw refusal }
      switch (request.method, request.url.lastPathComponent, form["action"]) {
      case (.get, "forumdisplay.php", _):
        let id = try query.required("forumid")
        return printer.list(try tables.list(ofForum: id, page: number, perPage: size), perPage: size)
      case (.get, "bookmarkthreads.php", _):
        return printer.bookmarks(tables.listOfBookmarks(page: number, perPage: size), perPage: size)
      case (.post, "showthread.php", "setseen"):
        let (id, index) = (try form.required("threadid"), try form.required("index"))
        return printer.thread(try tables.markSeen(id, upTo: index))
      case (.post, "showthread.php", "resetseen"):
        return printer.thread(try tables.markUnseen(try form.required("threadid")))
      case (.post, "bookmarkthreads.php", "add"):
        let (id, color) = (try form.required("threadid"), form.number("category_id") ?? 0)
        guard let bookmark = ForumThread.Bookmark(rawValue: color) else {
          throw .other("Invalid category_id specified.")
        }
        try tables.setBookmark(bookmark, id)
        return printer.redirection(toThread: id, "The thread is bookmarked.")
      case (.post, "bookmarkthreads.php", "remove"):
        let id = try form.required("threadid")
        try tables.setBookmark(nil, id)
        return printer.redirection(toThread: id, "The thread is not bookmarked any more.")
      case (.post, "showthread.php", _), (.post, "bookmarkthreads.php", _):
        throw .other("There is no such action.")
      default:
        return nil
      }
    } catch {
      return printer.refusal(error)
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
