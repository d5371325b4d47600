public import SharedServices
public import Understudy

extension Contract where Subject == any ForumsClient {
  /// The contract of every ``ForumsClient`` implementation.
  public static var forumsClient: Self {
    Contract("forum") {
      Clause.forumThreads
      Clause.forumPages
      Clause.forumBookmarks
      Clause.forumMarks
      Clause.forumRefusals
      Clause.forumFailures
      Clause.forumConcurrency
    }
  }
}

extension ServiceCall where Service == any ForumsClient {
  /// One call of each kind, with a forum and a thread.
  static func all(forum: Int, thread: Int) -> [ServiceCall] {
    [
      ServiceCall(name: "threads") { _ = try await $0.threads(inForum: forum, page: 1) },
      ServiceCall(name: "bookmarks") { _ = try await $0.bookmarks(page: 1) },
      ServiceCall(name: "markSeen") { try await $0.markSeen(threadID: thread, upTo: 1) },
      ServiceCall(name: "markUnseen") { try await $0.markUnseen(threadID: thread) },
    ]
  }
}

extension Trial where Subject == any ForumsClient {
  /// Returns the id and the expected page of the forum with threads of all kinds.
  func forumWithThreads() async throws -> (id: Int, page: ThreadListPage) {
    let page = try await given(.forumHasThreads)
    return (try require(page.forumID, "Expected the page of a forum."), page)
  }

  /// Returns the first thread of a page that satisfies a predicate.
  func thread(of page: ThreadListPage, _ what: String, where matches: (ForumThread) -> Bool) throws
    -> ForumThread
  {
    try require(page.threads.first(where: matches), "The condition gave no thread that is \(what).")
  }

  /// Expects a thread to be in the list of a forum, with a certain reading state.
  func expect(
    reading: ForumThread.Reading?, of id: Int, inForum forum: Int, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let found = try await subject.threads(inForum: forum, page: 1).threads.first { $0.id == id }?.reading
    expect(
      found, equals: reading, "what the reader has seen of the thread \(id)", fileID: fileID, line: line)
  }
}
