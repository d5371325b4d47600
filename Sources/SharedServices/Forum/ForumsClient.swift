/// The forums, as a reader sees them who is signed in.
///
/// What every implementation must do is `Contract.forumsClient` in `SharedServicesContracts`. Every method throws
/// `DataError`: `.networkError` as the other services do, also for a status that is no success; `.refused` for a page on
/// which the forum says no; `.parsingError` for a page that is none that it knows, which is never taken for an empty
/// list; `.cancelled`.
public protocol ForumsClient: Sendable {
  /// A page of the threads of a forum.
  ///
  /// - Parameter page: From 1; beyond the last one is the last, which says so.
  func threads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage

  /// A page of the threads that the reader has bookmarked.
  ///
  /// - Parameter page: From 1; beyond the last one is the last, which says so.
  func bookmarks(page: Int) async throws(DataError) -> ThreadListPage

  /// Marks the posts of a thread as seen, up to and including one.
  ///
  /// What was seen after it is unread again.
  ///
  /// - Parameter index: The number of the post in the thread, from 1; beyond the last one is the last.
  func markSeen(threadID: Int, upTo index: Int) async throws(DataError)

  /// Marks a thread as never seen.
  func markUnseen(threadID: Int) async throws(DataError)
}
