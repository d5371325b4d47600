// Written by: understudy generate --module SharedServices --protocol ForumsClient --write intercepted --output Sources/SharedServicesDoubles/Interception/Generated/ForumsClient+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import SharedServices
public import Understudy

extension Intercepted.Operation where Base: ForumsClient {
  /// ``ForumsClient/threads(inForum:page:)``.
  public static var threads: Self { Self("threads") }
  /// ``ForumsClient/bookmarks(page:)``.
  public static var bookmarks: Self { Self("bookmarks") }
  /// ``ForumsClient/markSeen(threadID:upTo:)``.
  public static var markSeen: Self { Self("markSeen") }
  /// ``ForumsClient/markUnseen(threadID:)``.
  public static var markUnseen: Self { Self("markUnseen") }
}

extension Intercepted: ForumsClient where Base: ForumsClient {
  /// ``ForumsClient/threads(inForum:page:)``, through the interceptors.
  public func threads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage {
    try await intercept(.threads, forumID, page, failure: { DataError($0) }) { base throws(DataError) in
      try await base.threads(inForum: forumID, page: page)
    }
  }

  /// ``ForumsClient/bookmarks(page:)``, through the interceptors.
  public func bookmarks(page: Int) async throws(DataError) -> ThreadListPage {
    try await intercept(.bookmarks, page, failure: { DataError($0) }) { base throws(DataError) in
      try await base.bookmarks(page: page)
    }
  }

  /// ``ForumsClient/markSeen(threadID:upTo:)``, through the interceptors.
  public func markSeen(threadID: Int, upTo index: Int) async throws(DataError) {
    try await intercept(.markSeen, threadID, index, failure: { DataError($0) }) { base throws(DataError) in
      try await base.markSeen(threadID: threadID, upTo: index)
    }
  }

  /// ``ForumsClient/markUnseen(threadID:)``, through the interceptors.
  public func markUnseen(threadID: Int) async throws(DataError) {
    try await intercept(.markUnseen, threadID, failure: { DataError($0) }) { base throws(DataError) in
      try await base.markUnseen(threadID: threadID)
    }
  }
}
