import Foundation
import SharedServices

/// A page that the forum answered with a success.
struct ForumPage: Sendable {
  private let document: HTMLDocument
  /// Whether it comes to its end, `</html>`.
  private let isWhole: Bool

  /// Reads a page.
  ///
  /// - Throws: `.refused` for a page on which the forum says no; `.parsingError` for one that is none; `.cancelled`.
  init(_ bytes: Data) throws(DataError) {
    // A parser closes by itself what a page that was cut leaves open.
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

  /// The forum whose page it is.
  ///
  /// - Throws: `.parsingError` if the page is of none.
  var forumID: Int {
    get throws(DataError) {
      guard let body, let text = body["data-forum"] else {
        throw .parsingError("The page has no body[data-forum], so it is none of the forum's.")
      }
      guard let id = Int(digits: text) else {
        throw .parsingError("body[data-forum] is \(text.debugDescription), which is no number.")
      }
      return id
    }
  }

  /// Makes sure that nothing is missing at the end, as of a list that would else be taken for shorter than it is.
  func checkThatItIsWhole() throws(DataError) {
    guard isWhole else { throw .parsingError("The page was cut off: there is no </html> at its end.") }
  }

  /// What the forum says no with; it does so with status 200.
  private var refusal: ForumRefusal? {
    guard let body else { return nil }
    let classes = body.classes
    if classes.contains("database_error") { return .databaseDown }
    if classes.contains("banned") { return .banned }
    // A title may say the same, in a list or above a thread's own page.
    let isOrdinary =
      !classes.contains("standarderror")
      && (body["data-forum"] != nil || body.all("table").contains { $0["id"] == "forum" })
    if !isOrdinary, body.text.contains("This thread is closed!") { return .threadClosed }
    if classes.contains("standarderror") { return .other(Self.words(of: body)) }
    return nil
  }

  /// What a `body.standarderror` says: its `div.inner` where there is one, since the rest is the forum's own frame.
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
