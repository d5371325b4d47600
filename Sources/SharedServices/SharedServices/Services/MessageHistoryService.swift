/// A service that returns the messages of a session in pages (seed 000).
///
/// `Contract.messageHistory` in `SharedServicesContracts` specifies the required behaviour.
public protocol MessageHistoryService: Sendable {
  /// Returns a page of the whole messages, oldest first.
  ///
  /// The messages are returned as stored; a ``MessageNormalizing`` validates them. A call makes no second request after
  /// a failure; the caller decides.
  ///
  /// - Parameters:
  ///   - sessionID: The session's id.
  ///   - cursor: The cursor of a page, or the id of a message after which the page begins. `nil` is the beginning.
  ///   - limit: The maximum number of messages in the page, from 1 to 100.
  /// - Throws: `.feed` for an unknown cursor and for a limit outside its range; `.network(.notFound)` if the session
  ///   does not exist; other `.network` errors; `.cancelled`.
  func page(of sessionID: String, after cursor: String?, limit: Int) async throws(AppError) -> MessagePage
}

extension MessageHistoryService {
  /// Returns all messages after a cursor, from as many pages as necessary.
  ///
  /// - Throws: The errors of ``page(of:after:limit:)``; `.network(.unreadableAnswer)` if the cursors form a cycle.
  package func messages(of sessionID: String, after start: String?) async throws(AppError)
    -> [PaginatedMessage]
  {
    var messages: [PaginatedMessage] = []
    var cursor = start
    var asked: Set<String> = start.map { [$0] } ?? []
    while true {
      let page = try await page(of: sessionID, after: cursor, limit: 100)
      messages += page.messages
      guard page.pagination.hasMore else { return messages }
      guard let next = page.pagination.nextCursor, asked.insert(next).inserted else {
        throw .network(.unreadableAnswer)
      }
      cursor = next
    }
  }
}
