/// The threads that are known on this device: the single source of truth for what screens show (seed 002).
///
/// What every implementation must do is `Contract.threadsRepository` in `SharedServicesContracts`. A section of a list is
/// either the sticky threads or the others; inside of it the thread with the newest post comes first, and of two with the
/// same date the one with the greater id.
///
/// Every method throws `DataError` with `.storeError` or `.cancelled`.
public protocol ThreadsRepository: Sendable {
  /// Stores threads: those that are new are inserted, the others take the new values. All of them or, with an error,
  /// none.
  ///
  /// What a thread without `forumID` does not know, a stored one keeps. Of two with the same id the last one counts.
  func save(_ threads: [ForumThread]) async throws(DataError)

  /// Replaces what is stored of a forum by these threads: those that are not among them are removed.
  func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError)

  /// The threads of a forum, in sections and in order.
  ///
  /// - Parameters:
  ///   - offset: How many to leave out at the beginning of the whole list, sticky ones included.
  ///   - limit: At most how many; `nil` is all.
  func threads(inForum forumID: Int, offset: Int, limit: Int?) async throws(DataError) -> [ForumThread]

  /// A thread; `nil` where there is none of this id.
  func thread(id: Int) async throws(DataError) -> ForumThread?

  /// Marks a thread as read, or as never read. Nothing happens where there is none of this id.
  func markRead(threadID: Int, _ isRead: Bool) async throws(DataError)

  /// Removes threads. Those that are not there do not matter.
  func delete(threadIDs: [Int]) async throws(DataError)

  /// The list of a forum as it is now, and then every change to it, in order.
  ///
  /// Each observer gets every change that is stored after its first value, whoever stores it, one ``ThreadListChange``
  /// for each call that changed something it shows. A reader that is slow may get several in one, which lead to the same
  /// list. A consumer that leaves ends its own observation alone.
  func changes(inForum forumID: Int) async throws(DataError) -> AsyncThrowingStream<
    ThreadListChange, any Error
  >
}
