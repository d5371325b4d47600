public import Foundation
public import SharedServices
import SharedServicesLive
public import UnderstudyTransport

/// A client that reads the forum's HTML pages, which are encoded as windows-1252 (seed 002).
///
/// The transport's cookies identify the reader. No request is retried; the caller decides.
///
/// ```swift
/// let client = HTMLForumsClient(at: url, over: URLSessionTransport())
/// let page = try await client.threads(inForum: 26, page: 1)
/// ```
///
/// A page is parsed completely or not at all: if a row lacks a required value, the call throws `.parsingError` with the
/// row and the missing value, and uses no default.
public struct HTMLForumsClient: ForumsClient {
  // Not the constant of seed 002: each test and preview has a forum of its own.
  private let url: URL
  private let transport: any HTTPTransport
  private let timeZone: TimeZone
  private let timeout: Duration
  private let now: @Sendable () -> Date

  /// The maximum size of a page, in bytes: far more than forty threads need.
  private static let pageLimit = 4 << 20
  private static let threadsPerPage = 40

  /// Creates a client of a forum.
  ///
  /// - Parameters:
  ///   - url: The root of the forum, to which the names of its pages are appended.
  ///   - transport: The transport that sends the requests.
  ///   - timeZone: The time zone of the dates on the pages: a setting of the reader (default: the forum's own, of
  ///     Chicago).
  ///   - timeout: The maximum time without any data in an exchange.
  ///   - now: The date from which a `Retry-After` date counts.
  public init(
    at url: URL, over transport: any HTTPTransport,
    timeZone: TimeZone = TimeZone(identifier: "America/Chicago") ?? .gmt,
    timeout: Duration = .seconds(30), now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.url = url
    self.transport = transport
    self.timeZone = timeZone
    self.timeout = timeout
    self.now = now
  }

  /// Reads `forumdisplay.php`.
  public func threads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage {
    let answer = try await get("forumdisplay.php", [URLQueryItem(name: "forumid", value: "\(forumID)")], page)
    return try ThreadListPage(answer, ofForum: forumID, datesIn: timeZone).checked(for: page)
  }

  /// Reads `bookmarkthreads.php`.
  public func bookmarks(page: Int) async throws(DataError) -> ThreadListPage {
    let answer = try await get("bookmarkthreads.php", [URLQueryItem(name: "action", value: "view")], page)
    return try ThreadListPage(bookmarks: answer, datesIn: timeZone).checked(for: page)
  }

  /// Posts `action=setseen` to `showthread.php`.
  public func markSeen(threadID: Int, upTo index: Int) async throws(DataError) {
    try await post("showthread.php", "action=setseen&threadid=\(threadID)&index=\(index)", on: threadID)
  }

  /// Posts `action=resetseen` to `showthread.php`.
  public func markUnseen(threadID: Int) async throws(DataError) {
    try await post("showthread.php", "action=resetseen&threadid=\(threadID)", on: threadID)
  }

  /// Posts `action=add`, with the number of the color, or `action=remove` to `bookmarkthreads.php`.
  public func setBookmark(_ bookmark: ForumThread.Bookmark?, threadID: Int) async throws(DataError) {
    let action = bookmark.map { "add&category_id=\($0.rawValue)" } ?? "remove"
    try await post("bookmarkthreads.php", "action=\(action)&threadid=\(threadID)", on: threadID)
  }

  // MARK: - Requests

  private func get(_ name: String, _ query: [URLQueryItem], _ page: Int) async throws(DataError) -> ForumPage
  {
    let paging = [
      URLQueryItem(name: "perpage", value: "\(Self.threadsPerPage)"),
      URLQueryItem(name: "pagenumber", value: "\(page)"),
    ]
    return try await answer(
      to: HTTP.Request(
        .get, url.appending(path: name).appending(queryItems: query + paging), timeout: timeout)
    )
  }

  /// Posts a form of numbers and ASCII words, which windows-1252 encodes unchanged.
  private func post(_ name: String, _ form: String, on threadID: Int) async throws(DataError) {
    let page = try await answer(
      to: HTTP.Request(
        .post, url.appending(path: name),
        fields: ["Content-Type": "application/x-www-form-urlencoded"], body: Data(form.utf8),
        timeout: timeout))
    try page.checkThatItConfirms(anActionOn: threadID, isBookmark: name == "bookmarkthreads.php")
  }

  private func answer(to request: HTTP.Request) async throws(DataError) -> ForumPage {
    if Task.isCancelled { throw .cancelled }
    let answer: Answer
    do throws(TransportError) {
      let (body, response) = try await transport.data(for: request, upTo: Self.pageLimit)
      answer = Answer(status: response.status, fields: response.fields, body: body)
    } catch {
      throw DataError(AppError(error))
    }
    // Not read as a page: one of a failure may look like an empty list.
    if let refusal = answer.errorResponse(now: now()) {
      throw try Self.refusal(onPage: answer.body) ?? DataError(AppError(refusal))
    }
    return try ForumPage(answer.body)
  }

  /// The refusal that a page with an unsuccessful status contains; `nil` for any other body.
  ///
  /// The forum's message says more than the status, which a server or a proxy chooses.
  private static func refusal(onPage body: Data) throws(DataError) -> DataError? {
    do throws(DataError) {
      _ = try ForumPage(body)
      return nil
    } catch .refused(let refusal) {
      return .refused(refusal)
    } catch .cancelled {
      throw .cancelled
    } catch {
      return nil
    }
  }
}

extension ThreadListPage {
  /// The page itself, if it is the requested one, or the last one of fewer pages.
  ///
  /// Otherwise a cache that ignores the query could hide a page between two others.
  fileprivate func checked(for page: Int) throws(DataError) -> ThreadListPage {
    guard number == min(max(1, page), pageCount) else {
      throw .parsingError("Page \(page) was asked for, and page \(number) of \(pageCount) came.")
    }
    return self
  }
}
