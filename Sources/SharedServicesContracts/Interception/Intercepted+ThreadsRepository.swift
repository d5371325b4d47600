public import SharedServices
public import UnderstudyDoubles

extension Intercepted.Operation where Base: ThreadsRepository {
  /// ``ThreadsRepository/save(_:)``.
  public static var save: Self { Self("save") }
  /// ``ThreadsRepository/replaceThreads(inForum:with:)``.
  public static var replaceThreads: Self { Self("replaceThreads") }
  /// ``ThreadsRepository/threads(inForum:offset:limit:)``.
  public static var threads: Self { Self("threads") }
  /// ``ThreadsRepository/thread(id:)``.
  public static var thread: Self { Self("thread") }
  /// ``ThreadsRepository/markRead(threadID:upTo:)``.
  public static var markRead: Self { Self("markRead") }
  /// ``ThreadsRepository/delete(threadIDs:)``.
  public static var delete: Self { Self("delete") }
  /// ``ThreadsRepository/changes(inForum:)``.
  public static var changes: Self { Self("changes") }
}

extension DataError {
  /// What a fault means to the app when the double of a repository throws it: the store failed, whatever it is.
  public init(ofStore fault: Fault) {
    self = fault == .cancelled ? .cancelled : .storeError("The store met a fault: \(fault).")
  }
}

extension Intercepted: ThreadsRepository where Base: ThreadsRepository {
  /// Stores threads through the interceptors.
  public func save(_ threads: [ForumThread]) async throws(DataError) {
    try await intercept(.save, threads, failure: DataError.init(ofStore:)) { base throws(DataError) in
      try await base.save(threads)
    }
  }

  /// Replaces the threads of a forum through the interceptors.
  public func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError) {
    try await intercept(.replaceThreads, forumID, threads, failure: DataError.init(ofStore:)) {
      base throws(DataError) in
      try await base.replaceThreads(inForum: forumID, with: threads)
    }
  }

  /// Reads threads through the interceptors.
  public func threads(
    inForum forumID: Int, offset: Int, limit: Int?
  ) async throws(DataError) -> [ForumThread] {
    try await intercept(.threads, forumID, offset, limit, failure: DataError.init(ofStore:)) {
      base throws(DataError) in
      try await base.threads(inForum: forumID, offset: offset, limit: limit)
    }
  }

  /// Reads a thread through the interceptors.
  public func thread(id: Int) async throws(DataError) -> ForumThread? {
    try await intercept(.thread, id, failure: DataError.init(ofStore:)) { base throws(DataError) in
      try await base.thread(id: id)
    }
  }

  /// Marks a thread through the interceptors.
  public func markRead(threadID: Int, upTo index: Int?) async throws(DataError) {
    try await intercept(.markRead, threadID, index, failure: DataError.init(ofStore:)) {
      base throws(DataError) in
      try await base.markRead(threadID: threadID, upTo: index)
    }
  }

  /// Removes threads through the interceptors.
  public func delete(threadIDs: [Int]) async throws(DataError) {
    try await intercept(.delete, threadIDs, failure: DataError.init(ofStore:)) { base throws(DataError) in
      try await base.delete(threadIDs: threadIDs)
    }
  }

  /// Observes a list through the interceptors, which see the call, and each change of the stream that it returns.
  public func changes(
    inForum forumID: Int
  ) async throws(DataError) -> AsyncThrowingStream<ThreadListChange, any Error> {
    try await interceptStream(.changes, forumID, failure: { DataError(ofStore: $0) }) {
      base throws(DataError) in
      try await base.changes(inForum: forumID)
    }
  }
}
