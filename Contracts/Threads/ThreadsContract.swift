import Foundation
public import SharedServices
public import Understudy

extension Contract where Subject == any ThreadsRepository {
  /// The contract of every ``/SharedServices/ThreadsRepository`` implementation.
  public static var threadsRepository: Self {
    Contract("threads") {
      Clause.savingThreads
      Clause.orderingThreads
      Clause.pagingThreads
      Clause.markingThreads
      Clause.bookmarkingThreads
      Clause.deletingThreads
      Clause.replacingThreads
      Clause.observingThreads
      Clause.mergingChanges
      Clause.severalObservers
      Clause.threadsCancellation
      Clause.threadsConcurrency
      Clause.threadsDurability
      Clause.threadsFailures
    }
  }
}

extension ForumThread {
  /// A thread of the first forum with every field set.
  ///
  /// - Parameters:
  ///   - id: The id, which is part of the title.
  ///   - forumID: The forum.
  ///   - minute: The minute at which its last post was written.
  package static func sample(
    _ id: Int, inForum forumID: Int? = 1, at minute: Int = 0, isSticky: Bool = false
  ) -> ForumThread {
    ForumThread(
      id: id, forumID: forumID, title: "Thread \(id)", isSticky: isSticky, isClosed: true,
      icons: ["question", "icon-2"], bookmark: .cyan, author: ForumUser(id: 7, name: "Robin"),
      replyCount: 41, rating: Rating(voteCount: 12, average: 4.25), reading: .seen(unreadCount: 3),
      lastPostDate: Date(timeIntervalSinceReferenceDate: 790_000_000.125 + Double(minute) * 60),
      lastPostAuthor: "Kim")
  }

  /// Returns the thread with another title.
  package func titled(_ title: String) -> ForumThread {
    var thread = self
    thread.title = title
    return thread
  }
}

extension Trial where Subject == any ThreadsRepository {
  /// Returns all threads of a forum.
  package func list(_ forumID: Int = 1) async throws -> [ForumThread] {
    try await subject.threads(inForum: forumID, offset: 0, limit: nil)
  }

  /// Returns the ids of all threads of a forum.
  package func ids(_ forumID: Int = 1) async throws -> [Int] {
    try await list(forumID).map(\.id)
  }

  /// Observes a forum and reads the first value.
  package func observation(ofForum forumID: Int = 1) async throws -> ThreadsObservation {
    let changes = try await subject.changes(inForum: forumID)
    var iterator = changes.makeAsyncIterator()
    let first = try require(try await iterator.next(), "Expected the list at first, found the end.")
    return ThreadsObservation(changes: changes, first: first)
  }

  /// Expects an operation to fail with a store error.
  package func expectStoreError(
    by name: String, fileID: String = #fileID, line: Int = #line, from operation: () async throws -> Void
  ) async {
    await expect("\(name) to throw a storeError", fileID: fileID, line: line, from: operation) {
      if case .storeError? = $0 as? DataError { true } else { false }
    }
  }
}

/// A stream of changes and its first value.
package struct ThreadsObservation: Sendable {
  package let changes: AsyncThrowingStream<ThreadListChange, any Error>
  package let first: ThreadListChange

  /// Returns the next change; `nil` at the end.
  package func next() async throws -> ThreadListChange? {
    var iterator = changes.makeAsyncIterator()
    return try await iterator.next()
  }
}

extension ServiceCall where Service == any ThreadsRepository {
  /// One call of each kind that changes the store, in which thread 1 is stored.
  static var writingThreads: [ServiceCall] {
    [
      ServiceCall(name: "save") { try await $0.save([.sample(1).titled("Other"), .sample(2)]) },
      ServiceCall(name: "replaceThreads") { try await $0.replaceThreads(inForum: 1, with: [.sample(2)]) },
      ServiceCall(name: "markRead") { try await $0.markRead(threadID: 1, upTo: .max) },
      ServiceCall(name: "setBookmark") { try await $0.setBookmark(nil, threadID: 1) },
      ServiceCall(name: "delete") { try await $0.delete(threadIDs: [1]) },
    ]
  }

  /// One call of each kind that reads.
  static var readingThreads: [ServiceCall] {
    [
      ServiceCall(name: "threads") { _ = try await $0.threads(inForum: 1, offset: 0, limit: nil) },
      ServiceCall(name: "thread") { _ = try await $0.thread(id: 1) },
      ServiceCall(name: "changes") { _ = try await $0.changes(inForum: 1) },
    ]
  }
}
