/// The threads that are stored on this device: the single source of truth for the screens (seed 002).
///
/// `Contract.threadsRepository` in `SharedServicesContracts` specifies the required behaviour. A section of a list holds
/// either the sticky threads or the others. A section is sorted by the date of the last post, newest first, and then by
/// id, greatest first.
///
/// Every method throws `DataError` with `.storeError` or `.cancelled`, and then has changed nothing. Seed 002 prints a
/// failed save, of which the user would read nothing.
public protocol ThreadsRepository: Sendable {
  /// Stores threads: new ones are inserted, existing ones are updated.
  ///
  /// With an error, none is stored.
  ///
  /// A stored thread keeps its forum if the new value has no `forumID`. Of two threads with the same id the last one
  /// wins. A thread with a date or a rating of NaN is refused.
  func save(_ threads: [ForumThread]) async throws(DataError)

  /// Replaces the stored threads of a forum: those that are not in the argument are removed.
  ///
  /// The threads are assigned to this forum, regardless of their `forumID`. With an error, nothing changes; see
  /// ``save(_:)`` for the other rules.
  func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError)

  /// Returns the threads of a forum, sorted and in sections.
  ///
  /// - Parameters:
  ///   - forumID: The forum's id.
  ///   - offset: The number of threads to skip from the beginning of the list, including sticky ones; a negative number
  ///     is 0.
  ///   - limit: The maximum number of threads; a negative number is 0, `nil` is all.
  func threads(inForum forumID: Int, offset: Int, limit: Int?) async throws(DataError) -> [ForumThread]

  /// Returns a thread; `nil` if no thread has this id.
  func thread(id: Int) async throws(DataError) -> ForumThread?

  /// Marks the posts of a stored thread as read, up to and including an index.
  ///
  /// Later posts are unread; the stored thread may have more of them than the one on a screen. An unknown id has no
  /// effect.
  ///
  /// - Parameters:
  ///   - threadID: The thread's id.
  ///   - index: The number of the post in the thread, from 1; a smaller number is 1, and a number beyond the last post
  ///     is the last post. `nil` marks the thread as never read.
  func markRead(threadID: Int, upTo index: Int?) async throws(DataError)

  /// Sets or removes the bookmark of a stored thread.
  ///
  /// An unknown id has no effect.
  ///
  /// - Parameters:
  ///   - bookmark: The colour; `nil` removes the bookmark.
  ///   - threadID: The thread's id.
  func setBookmark(_ bookmark: ForumThread.Bookmark?, threadID: Int) async throws(DataError)

  /// Removes threads.
  ///
  /// Unknown ids are ignored.
  func delete(threadIDs: [Int]) async throws(DataError)

  /// Returns a stream of the current list of a forum and then of every change to it, in order.
  ///
  /// Each observer receives every change that this repository stores after its first value: one ``ThreadListChange``
  /// for each call that changes the list. A slow reader may receive several changes as one, which leads to the same
  /// list. A change that another repository makes to the same store is delivered with the next call of this repository
  /// at the latest. A consumer that stops reading, or is cancelled, ends only its own observation. The stream fails
  /// with `.storeError`, and ends, when the list can no longer be read.
  func changes(inForum forumID: Int) async throws(DataError) -> AsyncThrowingStream<
    ThreadListChange, any Error
  >
}
