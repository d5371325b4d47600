import Foundation
import SharedServices

/// A page that the forum returned with a success status.
struct ForumPage: Sendable {
  private let document: HTMLDocument
  /// Whether the page ends with `</html>`.
  private let isWhole: Bool

  /// Parses a page.
  ///
  /// - Throws: `.refused` for a page with a refusal; `.parsingError` for an invalid page; `.cancelled`.
  init(_ bytes: Data) throws(DataError) {
    // A parser closes the open elements of a truncated page by itself.
    isWhole = String(decoding: bytes.suffix(4_096), as: UTF8.self).lowercased().contains("</html>")
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

  /// Checks that the forum performed an action: it answers with a page of a forum or of a thread, with the bookmarks, or
  /// with a page that leads back to one of these.
  func checkThatItConfirms() throws(DataError) {
    let classes = body?.classes ?? []
    guard !classes.contains("standardredirect"), !classes.contains("bookmark_threads") else { return }
    _ = try forumID
  }

  /// Checks that the page is not truncated, because a truncated list would be taken for a shorter one.
  func checkThatItIsWhole() throws(DataError) {
    guard isWhole else { throw .parsingError("The page was cut off: there is no </html> at its end.") }
  }

  /// The refusal that the page contains; the forum sends it with status 200.
  private var refusal: ForumRefusal? {
    guard let body else { return nil }
    let classes = body.classes
    if classes.contains("database_error") { return .databaseDown }
    if classes.contains("banned") { return .banned }
    // In a list or on a thread's own page, a title may contain the same text.
    let isOrdinary =
      !classes.contains("standarderror")
      && (body["data-forum"] != nil || body.all("table").contains { $0["id"] == "forum" })
    if !isOrdinary, body.text.contains("This thread is closed!") { return .threadClosed }
    if classes.contains("standarderror") { return .other(Self.words(of: body)) }
    return nil
  }

  /// The message of a `body.standarderror`: its `div.inner` if there is one, because the rest is the page's frame.
  private static func words(of body: HTMLElement) -> String {
    (body.first("div", class: "inner") ?? body).text
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
