/// A client of the forums for a signed-in reader.
///
/// `Contract.forumsClient` in `SharedServicesContracts` specifies the required behaviour. Every method throws
/// `DataError`: `.networkError` as the other services do, also for an unsuccessful status; `.refused` for a page with a
/// refusal; `.parsingError` for an unrecognized page, which is never treated as an empty list; `.cancelled`. No call
/// makes a second request after a failure; the caller decides.
public protocol ForumsClient: Sendable {
  /// Returns a page of a forum's threads.
  ///
  /// - Parameters:
  ///   - forumID: The forum's id.
  ///   - page: The number of the page, from 1. A number beyond the last page returns the last page, with its number,
  ///     and one before the first page returns the first.
  func threads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage

  /// Returns a page of the threads that the reader has bookmarked.
  ///
  /// - Parameter page: The number of the page, from 1. A number beyond the last page returns the last page, with its
  ///   number, and one before the first page returns the first.
  func bookmarks(page: Int) async throws(DataError) -> ThreadListPage

  /// Marks the posts of a thread as seen, up to and including an index.
  ///
  /// Later posts become unread.
  ///
  /// - Parameters:
  ///   - threadID: The thread's id.
  ///   - index: The number of the post in the thread, from 1. A number beyond the last post means the last post.
  func markSeen(threadID: Int, upTo index: Int) async throws(DataError)

  /// Marks a thread as never seen.
  func markUnseen(threadID: Int) async throws(DataError)

  /// Bookmarks a thread in a colour, or removes its bookmark.
  ///
  /// A bookmark that is set already, and a missing one that is removed, is a success. The reading state stays.
  ///
  /// - Parameters:
  ///   - bookmark: The colour; `nil` removes the bookmark.
  ///   - threadID: The thread's id.
  func setBookmark(_ bookmark: ForumThread.Bookmark?, threadID: Int) async throws(DataError)
}
