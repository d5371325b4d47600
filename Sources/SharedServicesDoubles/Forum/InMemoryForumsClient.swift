public import SharedServices

/// The forum of an ``InMemoryForum``, without HTML.
///
/// Nothing waits, so a call either finds its task cancelled and changes nothing, or runs to its end.
public struct InMemoryForumsClient: ForumsClient {
  private let forum: InMemoryForum

  /// A client of a forum, for its reader.
  public init(_ forum: InMemoryForum) {
    self.forum = forum
  }

  /// A page of the threads of a forum; see `ForumsClient`.
  public func threads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage {
    try answer { () throws(ForumRefusal) in try forum.threads(inForum: forumID, page: page) }
  }

  /// A page of the bookmarks; see `ForumsClient`.
  public func bookmarks(page: Int) async throws(DataError) -> ThreadListPage {
    try answer { () throws(ForumRefusal) in try forum.bookmarks(page: page) }
  }

  /// Marks posts as seen; see `ForumsClient`.
  public func markSeen(threadID: Int, upTo index: Int) async throws(DataError) {
    _ = try answer { () throws(ForumRefusal) in try forum.markSeen(threadID: threadID, upTo: index) }
  }

  /// Marks a thread as never seen; see `ForumsClient`.
  public func markUnseen(threadID: Int) async throws(DataError) {
    _ = try answer { () throws(ForumRefusal) in try forum.markUnseen(threadID: threadID) }
  }

  private func answer<Answer>(_ ask: () throws(ForumRefusal) -> Answer) throws(DataError) -> Answer {
    if Task.isCancelled { throw .cancelled }
    do throws(ForumRefusal) {
      return try ask()
    } catch {
      throw .refused(error)
    }
  }
}
