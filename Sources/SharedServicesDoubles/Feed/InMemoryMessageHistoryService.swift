public import SharedServices

/// What was said in the sessions of a ``MessageFeedServer``.
public struct InMemoryMessageHistoryService: MessageHistoryService {
  private let server: MessageFeedServer

  init(_ server: MessageFeedServer) {
    self.server = server
  }

  /// A page; see `MessageHistoryService`.
  ///
  /// - Throws: `.feed`, `.network(.notFound)`, `.cancelled`.
  public func page(
    of sessionID: String, after cursor: String?, limit: Int
  ) async throws(AppError) -> MessagePage {
    if Task.isCancelled { throw .cancelled }
    let page: MessagePage?
    do throws(FeedError) {
      page = try server.page(of: sessionID, after: cursor, limit: limit)
    } catch {
      throw .feed(error)
    }
    guard let page else { throw .network(.notFound) }
    return page
  }
}
