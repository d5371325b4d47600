/// A page of a session's messages and its position among all of them.
public struct MessagePage: Sendable, Hashable {
  /// The messages, oldest first.
  public var messages: [PaginatedMessage]
  /// The position of the page.
  public var pagination: Pagination

  /// Creates a page.
  public init(messages: [PaginatedMessage], pagination: Pagination) {
    self.messages = messages
    self.pagination = pagination
  }

  /// The position of a page among all messages.
  public struct Pagination: Sendable, Hashable {
    /// The number of messages in the session.
    public var total: Int
    /// The number of messages that were requested.
    public var limit: Int
    /// The number of messages before the page.
    public var offset: Int
    /// Whether there are messages after the page.
    public var hasMore: Bool
    /// The cursor of the next page, if there is one.
    public var nextCursor: String?
    /// The cursor of the previous page; `nil` if that is the first page, which needs no cursor, or does not exist.
    public var prevCursor: String?

    /// Creates the position of a page.
    public init(
      total: Int, limit: Int, offset: Int, hasMore: Bool, nextCursor: String? = nil, prevCursor: String? = nil
    ) {
      self.total = total
      self.limit = limit
      self.offset = offset
      self.hasMore = hasMore
      self.nextCursor = nextCursor
      self.prevCursor = prevCursor
    }
  }
}
