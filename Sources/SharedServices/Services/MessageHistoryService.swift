/// What was said in a session, page by page (seed 000).
///
/// What every implementation must do is `Contract.messageHistory` in `SharedServicesContracts`.
public protocol MessageHistoryService: Sendable {
  /// A page of the messages that are whole, the oldest first.
  ///
  /// The messages are as they are stored: a ``MessageNormalizing`` says what they are worth.
  ///
  /// - Parameters:
  ///   - sessionID: The session.
  ///   - cursor: A page's cursor, or the id of a message: the page begins behind it. `nil` is the beginning.
  ///   - limit: The most messages of the page, 1 to 100.
  /// - Throws: `.feed` for a cursor that is not known and for a limit outside its range; `.network(.notFound)` if there
  ///   is no such session; other `.network` failures; `.cancelled`.
  func page(of sessionID: String, after cursor: String?, limit: Int) async throws(AppError) -> MessagePage
}

extension MessageHistoryService {
  /// Every message behind a cursor, however many pages there are.
  ///
  /// - Throws: As ``page(of:after:limit:)``; `.network(.unreadableAnswer)` where pages lead in a circle.
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
