public import Foundation
public import UnderstudyHTTP
import SharedServices
public import SharedServicesDoubles

/// An `InMemoryForum` over HTTP: pages of HTML in windows-1252.
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

  /// The markup of the pages, which differs between the forum's versions.
  package enum Markup: Sendable, Hashable, CaseIterable {
    /// The number of pages is in attributes, and the pages of a list are listed in the breadcrumbs.
    case current
    /// The number of pages is in a menu, and the head of a page contains an element of the body.
    case old
  }

  private let forum: InMemoryForum
  private let printer: ForumPrinter

  /// An emulator of a forum.
  ///
  /// - Parameters:
  ///   - forum: The forum.
  ///   - clock: How dates are printed.
  ///   - timeZone: The time zone of the dates: a setting of the reader (default: the forum's own, of Chicago).
  public init(
    _ forum: InMemoryForum, clock: Clock = .twelveHours,
    timeZone: TimeZone = TimeZone(identifier: "America/Chicago") ?? .gmt
  ) {
    self.init(forum, clock: clock, timeZone: timeZone, markup: .current)
  }

  /// An emulator of a forum of an older version.
  package init(_ forum: InMemoryForum, clock: Clock, timeZone: TimeZone, markup: Markup) {
    self.forum = forum
    printer = ForumPrinter(clock: clock, timeZone: timeZone, markup: markup)
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
        return .page(
          printer.list(try forum.threads(inForum: id, page: page, perPage: size), perPage: size))
      case (.get, "bookmarkthreads.php", _):
        return .page(printer.bookmarks(try forum.bookmarks(page: page, perPage: size), perPage: size))
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
