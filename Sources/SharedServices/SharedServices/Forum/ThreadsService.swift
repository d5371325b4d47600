public import Foundation

extension Notification.Name {
  /// A thread was marked as read or unread, or bookmarked; the object is the updated ``ForumThread`` (seed 002).
  public static let threadUpdated = Notification.Name("threadUpdated")
}

/// The threads for the screens: loaded from the forum, and stored on the device (seed 002, `ThreadsService`).
///
/// `Contract.threadsService` in `SharedServicesContracts` specifies the required behaviour. A service belongs to one
/// reader: another reader of the device has another service with another store.
///
/// Every call reaches the forum first and then the store, and ends once both are done. An error is a `DataError`: of the
/// forum, as ``ForumsClient`` throws it, and then nothing was stored; `.storeError`, and then the forum may have been
/// changed; `.cancelled`. Earlier stored threads stay. A page that was requested before a thread was changed does not
/// undo the change.
public protocol ThreadsService: Sendable {
  /// Loads a page of a forum: the first page replaces the stored threads of the forum, other pages are added to them.
  ///
  /// - Parameters:
  ///   - forumID: The forum's id.
  ///   - page: The number of the page, from 1; see ``ForumsClient/threads(inForum:page:)``.
  /// - Returns: The page from the forum.
  @discardableResult
  func loadThreads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage

  /// Loads a page of the bookmarked threads; stored threads keep their forums.
  ///
  /// - Parameter page: The number of the page, from 1; see ``ForumsClient/bookmarks(page:)``.
  /// - Returns: The page from the forum.
  @discardableResult
  func loadBookmarks(page: Int) async throws(DataError) -> ThreadListPage

  /// Marks the posts that a thread has here as seen: in the forum, and then on the device.
  ///
  /// Newer posts, which the stored thread may have, stay unread. Once the forum has accepted a mark, cancellation does
  /// not prevent it from being stored, and ``Foundation/NSNotification/Name/threadUpdated`` is posted.
  func markRead(_ thread: ForumThread) async throws(DataError)

  /// Marks a thread as never seen, as ``markRead(_:)`` marks it as seen.
  func markUnread(_ thread: ForumThread) async throws(DataError)

  /// Bookmarks a thread in a colour, as ``markRead(_:)`` marks it; `nil` removes the bookmark.
  func setBookmark(_ bookmark: ForumThread.Bookmark?, of thread: ForumThread) async throws(DataError)

  /// Returns the stored threads of a forum, in their sections: the sticky ones and the others.
  func sections(ofForum forumID: Int) async throws(DataError) -> [[ForumThread]]

  /// Returns the stored threads of a forum and every change; see ``ThreadsRepository/changes(inForum:)``.
  func changes(
    inForum forumID: Int
  ) async throws(DataError) -> AsyncThrowingStream<ThreadListChange, any Error>
}
