/// The threads that are known on this device: the single source of truth for what screens show (seed 002).
///
/// What every implementation must do is `Contract.threadsRepository` in `SharedServicesContracts`. A section of a list is
/// either the sticky threads or the others; inside of it the thread with the newest post comes first, and of two with the
/// same date the one with the greater id.
///
/// Every method throws `DataError` with `.storeError` or `.cancelled`, and has then changed nothing.
public protocol ThreadsRepository: Sendable {
  /// Stores threads: those that are new are inserted, the others take the new values. All of them or, with an error,
  /// none.
  ///
  /// A stored thread keeps its forum where the new one has no `forumID`. Of two with the same id the last one counts. A
  /// thread whose date or rating is no number (NaN) is refused.
  func save(_ threads: [ForumThread]) async throws(DataError)

  /// Replaces what is stored of a forum by these threads: those that are not among them are removed.
  ///
  /// They are of this forum then, whatever `forumID` they have. All of them or, with an error, none; as ``save(_:)``
  /// otherwise.
  func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError)

  /// The threads of a forum, in sections and in order.
  ///
  /// - Parameters:
  ///   - offset: How many to leave out at the beginning of the whole list, sticky ones included; below 0 is 0.
  ///   - limit: At most how many, below 0 is 0; `nil` is all.
  func threads(inForum forumID: Int, offset: Int, limit: Int?) async throws(DataError) -> [ForumThread]

  /// A thread; `nil` where there is none of this id.
  func thread(id: Int) async throws(DataError) -> ForumThread?

  /// Marks the posts of a stored thread as read, up to and including one: those after it, of which the stored thread may
  /// have more than the one on a screen, are unread. Nothing happens where there is none of this id.
  ///
  /// - Parameter index: The number of the post in the thread, from 1, and what is below it is 1; beyond the last one is the
  ///   last. `nil` marks the thread as never read.
  func markRead(threadID: Int, upTo index: Int?) async throws(DataError)

  /// Removes threads. Those that are not there do not matter.
  func delete(threadIDs: [Int]) async throws(DataError)

  /// The list of a forum as it is now, and then every change to it, in order.
  ///
  /// Each observer gets every change that this repository stores after its first value, one ``ThreadListChange`` for each
  /// call that changed something it shows. A reader that is slow may get several in one, which lead to the same list. What
  /// a second repository on the same store changes is told at the latest with the next call of this one. A consumer that
  /// leaves, or is cancelled, ends its own observation alone. The stream fails with `.storeError` when the list cannot be
  /// read any more, and is over then.
  func changes(inForum forumID: Int) async throws(DataError) -> AsyncThrowingStream<
    ThreadListChange, any Error
  >
}
