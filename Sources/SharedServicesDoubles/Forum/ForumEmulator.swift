public import Foundation
import SharedServices
public import UnderstudyHTTP

/// The HTTP door of an ``InMemoryForum``: pages of HTML in windows-1252.
///
/// - `GET /forumdisplay.php?forumid=…&perpage=…&pagenumber=…`
/// - `GET /bookmarkthreads.php?action=view&perpage=…&pagenumber=…`
/// - `POST /showthread.php` with `action=setseen&threadid=…&index=…` or `action=resetseen&threadid=…`, which is answered
///   with the page of the thread.
///
/// Where the forum says no, it does so with status 200, as the real one does. Anything else is a 404.
public struct ForumEmulator: HTTPHandler {
  /// How a reader wants dates to be printed.
  public enum Clock: Sendable, Hashable, CaseIterable {
    /// `8:05 AM Jan 3, 2026`
    case twelveHours
    /// `08:05 Jan 3, 2026`
    case twentyFourHours
  }

  private let forum: InMemoryForum
  private let printer: ForumPrinter

  /// A door to a forum.
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
  public func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    let query = Form(request.url.query(percentEncoded: true) ?? "")
    let form = Form(String(decoding: request.body ?? Data(), as: UTF8.self))
    let page = query.number("pagenumber") ?? 1
    let size = query.number("perpage") ?? InMemoryForum.threadsPerPage
    do throws(ForumRefusal) {
      switch (request.method, request.url.lastPathComponent, form["action"]) {
      case (.get, "forumdisplay.php", _):
        let id = query.number("forumid") ?? 0
        return .page(printer.list(try forum.threads(inForum: id, page: page, perPage: size)))
      case (.get, "bookmarkthreads.php", _):
        return .page(printer.bookmarks(try forum.bookmarks(page: page, perPage: size)))
      case (.post, "showthread.php", "setseen"):
        let id = form.number("threadid") ?? 0
        return .page(printer.thread(try forum.markSeen(threadID: id, upTo: form.number("index") ?? 0)))
      case (.post, "showthread.php", "resetseen"):
        return .page(printer.thread(try forum.markUnseen(threadID: form.number("threadid") ?? 0)))
      case (.post, "showthread.php", _): throw .other("There is no such action.")
      default:
        return .page(
          "<html><head><title>404 Not Found</title></head><body>Not Found</body></html>", status: 404)
      }
    } catch {
      return .page(printer.refusal(error))
    }
  }

  /// Whether a request is for one of its pages, wherever the root of the forum is.
  package static func serves(_ request: HTTPRequest) -> Bool {
    ["forumdisplay.php", "bookmarkthreads.php", "showthread.php"].contains(request.url.lastPathComponent)
  }
}

extension HTTPResponse {
  fileprivate static func page(_ html: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, body: Data(windows1252: html), contentType: "text/html; charset=windows-1252")
  }
}

extension Data {
  /// A page in windows-1252; a character that it has no byte for is a numeric character reference.
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
      return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
    }
  }

  subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  func number(_ name: String) -> Int? { self[name].flatMap { Int($0) } }
}
