import SharedServices

/// The threads of a store in memory; a value that its owner guards with its lock.
struct StoredThreads: Sendable {
  private var threads: [Int: ForumThread] = [:]
  /// The lists that were requested since the last change, by forum.
  private var lists: [Int: [ForumThread]] = [:]

  mutating func save(_ saved: [ForumThread]) throws(DataError) {
    for thread in saved { try thread.checkIsStorable() }
    change { threads in
      for var thread in saved {
        if thread.forumID == nil { thread.forumID = threads[thread.id]?.forumID }
        threads[thread.id] = thread
      }
    }
  }

  mutating func replace(inForum forumID: Int, with new: [ForumThread]) throws(DataError) {
    for thread in new { try thread.checkIsStorable() }
    change { threads in
      threads = threads.filter { $0.value.forumID != forumID }
      for var thread in new {
        thread.forumID = forumID
        threads[thread.id] = thread
      }
    }
  }

  /// Changes a thread, if it is stored.
  mutating func update(_ id: Int, _ body: (inout ForumThread) -> Void) {
    change { threads in
      guard var thread = threads[id] else { return }
      body(&thread)
      threads[id] = thread
    }
  }

  mutating func delete(_ ids: [Int]) {
    change { threads in
      for id in ids { threads[id] = nil }
    }
  }

  func thread(id: Int) -> ForumThread? { threads[id] }

  /// The threads of a forum, in their order.
  mutating func list(ofForum forumID: Int) -> [ForumThread] {
    if let list = lists[forumID] { return list }
    let list = threads.values.filter { $0.forumID == forumID }.sorted { $0.isListed(before: $1) }
    lists[forumID] = list
    return list
  }

  private mutating func change(_ body: (inout [Int: ForumThread]) -> Void) {
    body(&threads)
    lists = [:]
  }
}
