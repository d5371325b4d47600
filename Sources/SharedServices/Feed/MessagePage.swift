/// Some of the messages of a session, and where they stand among all.
public struct MessagePage: Sendable, Hashable {
  /// The messages, the oldest first.
  public var messages: [PaginatedMessage]
  /// Where they stand.
  public var pagination: Pagination

  /// A page.
  public init(messages: [PaginatedMessage], pagination: Pagination) {
    self.messages = messages
    self.pagination = pagination
  }

  /// Where a page stands among all messages.
  public struct Pagination: Sendable, Hashable {
    /// How many messages there are in all.
    public var total: Int
    /// How many messages were asked for.
    public var limit: Int
    /// How many messages come before the page.
    public var offset: Int
    /// Whether there are messages after the page.
    public var hasMore: Bool
    /// What the page after this one is asked for with, if there is one.
    public var nextCursor: String?
    /// What the page before this one is asked for with; `nil` if that is the first, which needs no cursor, or there is
    /// none.
    public var prevCursor: String?

    /// The place of a page.
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
