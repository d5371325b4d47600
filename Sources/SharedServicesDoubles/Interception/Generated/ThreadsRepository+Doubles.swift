// Written by: understudy generate --module SharedServices --protocol ThreadsRepository --write intercepted --failure 'DataError.init(ofStore:)' --output Sources/SharedServicesDoubles/Interception/Generated/ThreadsRepository+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import SharedServices
public import Understudy

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

extension Intercepted: ThreadsRepository where Base: ThreadsRepository {
  /// ``ThreadsRepository/save(_:)``, through the interceptors.
  public func save(_ threads: [ForumThread]) async throws(DataError) {
    try await intercept(.save, threads, failure: { DataError(ofStore: $0) }) { base throws(DataError) in
      try await base.save(threads)
    }
  }

  /// ``ThreadsRepository/replaceThreads(inForum:with:)``, through the interceptors.
  public func replaceThreads(inForum forumID: Int, with threads: [ForumThread]) async throws(DataError) {
    try await intercept(
      .replaceThreads, forumID, threads, failure: { DataError(ofStore: $0) }
    ) { base throws(DataError) in
      try await base.replaceThreads(inForum: forumID, with: threads)
    }
  }

  /// ``ThreadsRepository/threads(inForum:offset:limit:)``, through the interceptors.
  public func threads(
    inForum forumID: Int, offset: Int, limit: Int?
  ) async throws(DataError) -> [ForumThread] {
    try await intercept(
      .threads, forumID, offset, limit, failure: { DataError(ofStore: $0) }
    ) { base throws(DataError) in
      try await base.threads(inForum: forumID, offset: offset, limit: limit)
    }
  }

  /// ``ThreadsRepository/thread(id:)``, through the interceptors.
  public func thread(id: Int) async throws(DataError) -> ForumThread? {
    try await intercept(.thread, id, failure: { DataError(ofStore: $0) }) { base throws(DataError) in
      try await base.thread(id: id)
    }
  }

  /// ``ThreadsRepository/markRead(threadID:upTo:)``, through the interceptors.
  public func markRead(threadID: Int, upTo index: Int?) async throws(DataError) {
    try await intercept(
      .markRead, threadID, index, failure: { DataError(ofStore: $0) }
    ) { base throws(DataError) in
      try await base.markRead(threadID: threadID, upTo: index)
    }
  }

  /// ``ThreadsRepository/delete(threadIDs:)``, through the interceptors.
  public func delete(threadIDs: [Int]) async throws(DataError) {
    try await intercept(.delete, threadIDs, failure: { DataError(ofStore: $0) }) { base throws(DataError) in
      try await base.delete(threadIDs: threadIDs)
    }
  }

  /// ``ThreadsRepository/changes(inForum:)``, through the interceptors, which see the call and each element.
  public func changes(
    inForum forumID: Int
  ) async throws(DataError) -> AsyncThrowingStream<ThreadListChange, any Error> {
    try await interceptStream(
      .changes, forumID, failure: { DataError(ofStore: $0) }
    ) { base throws(DataError) in
      try await base.changes(inForum: forumID)
    }
  }
}
