import Foundation
import SharedServices

/// A page that the forum returned.
struct ForumPage: Sendable {
  private let document: HTMLDocument

  /// Parses a page.
  ///
  /// - Throws: `.refused` for a page with a refusal; `.parsingError` for an invalid page; `.cancelled`.
  init(_ bytes: Data) throws(DataError) {
    do throws(HTMLParsingError) {
      document = try HTMLDocument(windows1252: bytes)
    } catch {
      throw DataError(error)
    }
    if let refusal { throw .refused(refusal) }
  }

  /// The page's body.
  var body: HTMLElement? { document.elements.first { $0.isElement("body") } }

  /// The forum that the page belongs to.
  ///
  /// - Throws: `.parsingError` if the page belongs to no forum.
  var forumID: Int {
    get throws(DataError) {
      guard let body, let text = body["data-forum"] else {
        throw .parsingError("The page has no body[data-forum], so it is not a page of the forum.")
      }
      guard let id = Int(digits: text) else {
        throw .parsingError("body[data-forum] is \(text.debugDescription), which is not a number.")
      }
      return id
    }
  }

  /// Whether the page is a list of the reader's bookmarks.
  var isOfBookmarks: Bool {
    guard let body else { return false }
    return body.classes.contains("bookmark_threads")
      || body.all("form").contains { $0["name"] == "bookmarks" }
  }

  /// Checks that the forum performed an action on a thread: it answers with the thread's page, or with one that leads
  /// back to it.
  ///
  /// Any other page, such as a list of threads, says nothing about the action.
  ///
  /// - Parameter isBookmark: Whether the list of the bookmarks is an answer, too.
  func checkThatItConfirms(anActionOn threadID: Int, isBookmark: Bool) throws(DataError) {
    if isOf(threadID: threadID) { return }
    // The list of a forum can have the same form.
    if isBookmark, isOfBookmarks, body?["data-forum"] == nil { return }
    let isRedirection = body?.classes.contains("standardredirect") == true
    if isRedirection, body?.all("a").contains(where: { $0.leads(toThread: threadID) }) == true { return }
    if let warning = document.elements.first(where: { $0["id"] == "probation_warn" }) {
      throw .refused(.other(warning.firstParagraph))
    }
    throw .parsingError("Expected the page of the thread \(threadID), or one that leads back to it.")
  }

  private func isOf(threadID: Int) -> Bool {
    guard let body else { return false }
    return body["data-thread"].flatMap { Int(digits: $0) } == threadID
      || body.all("div", class: "thread:\(threadID)").contains { $0["id"] == "thread" }
  }

  /// Checks that the page is not truncated, because a truncated list would be taken for a shorter one.
  func checkThatItIsWhole() throws(DataError) {
    // A parser closes the open elements of a truncated page by itself.
    guard document.isWhole else {
      throw .parsingError("The page was cut off: there is no </html> at its end.")
    }
  }

  /// The refusal that the page contains; the forum sends it with status 200.
  private var refusal: ForumRefusal? {
    guard let body else { return nil }
    let classes = body.classes
    if classes.contains("database_error") { return .databaseDown }
    if classes.contains("banned") { return .banned }
    // In a list or on a thread's own page, a title may contain the same text.
    let isError = classes.contains("standarderror")
    let isOrdinary =
      !isError
      && (body["data-forum"] != nil || body["data-thread"] != nil
        || body.all("table").contains { $0["id"] == "forum" })
    if !isOrdinary {
      let message = Self.message(of: body)
      if message.text.contains("This thread is closed!") { return .threadClosed }
      if isError, message.isForGuests { return .notSignedIn(message.firstParagraph) }
      // The page can be one that leads back to the thread.
      if isError || message.text.contains("on probation") { return .other(message.firstParagraph) }
    }
    // All of the forum is closed, or the reader is not signed in.
    for id in ["closemsg", "notregistered"] {
      guard let message = document.elements.first(where: { $0["id"] == id }) else { continue }
      let reason = message.all("p", class: "reason") + message.all("div", class: "reason")
      let words = (reason.first { !$0.text.isEmpty } ?? Self.message(of: message)).firstParagraph
      return id == "notregistered" ? .notSignedIn(words) : .other(words)
    }
    return nil
  }

  /// The element with the message of a page: `div.inner` if there is one, because the rest is the page's frame.
  ///
  /// It begins with the message; what follows a line break are explanations and links.
  private static func message(of element: HTMLElement) -> HTMLElement {
    let standard = element.first("div", class: "standard") ?? element
    return standard.first("div", class: "inner") ?? element.first("div", class: "inner") ?? standard
  }
}

extension HTMLElement {
  /// Whether the element is a message to a reader who is not signed in: it offers to sign in, or says who may read.
  fileprivate var isForGuests: Bool {
    text.lowercased().contains("must be a registered")
      || all("a").contains { $0["href"]?.contains("action=loginform") == true }
  }

  /// Whether the element is a link to a thread.
  fileprivate func leads(toThread id: Int) -> Bool {
    guard let href = self["href"], let address = URLComponents(string: href) else { return false }
    return address.path.split(separator: "/").last == "showthread.php"
      && address.queryItems?.contains { $0.name == "threadid" && $0.value == "\(id)" } == true
  }
}

extension DataError {
  fileprivate init(_ error: HTMLParsingError) {
    switch error {
    case .unreadable(let message): self = .parsingError(message)
    case .cancelled: self = .cancelled
    }
  }
}
