package import SharedServices
import Understudy

/// A forum with answers from a test.
package final class ScriptedForum: ForumsClient {
  package struct Script: Sendable {
    /// The threads of each page of every forum.
    package var pages: [[ForumThread]]
    /// The error that every call throws.
    package var failure: DataError?
    /// The pages that were requested.
    package fileprivate(set) var asked: [Int] = []
    /// The marked threads, and the last post that was seen; `nil` for a thread marked as unseen.
    package fileprivate(set) var marks: [Int: Int?] = [:]
    /// The bookmarks that were set; `nil` for a removed one.
    package fileprivate(set) var bookmarks: [Int: ForumThread.Bookmark?] = [:]
    /// The threads that were marked as seen, in order.
    package fileprivate(set) var seen: [Int] = []
    /// Holds a page between the moment it is made and its delivery.
    package var delivery: @Sendable () async -> Void = {}
    /// Called when a mark or a bookmark is set, before the call returns.
    package var marked: @Sendable () async -> Void = {}
  }

  private let script: Locked<Script>

  package init(_ pages: [ForumThread]...) {
    script = Locked(Script(pages: pages.isEmpty ? [[]] : pages))
  }

  package var asked: [Int] { script.withLock(\.asked) }
  package var marks: [Int: Int?] { script.withLock(\.marks) }
  package var bookmarked: [Int: ForumThread.Bookmark?] { script.withLock(\.bookmarks) }
  package var seen: [Int] { script.withLock(\.seen) }

  package func write(_ change: (inout Script) -> Void) { script.withLock { change(&$0) } }

  package func threads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage {
    let script = script.withLock { script in
      script.asked.append(page)
      return script
    }
    await script.delivery()
    if Task.isCancelled { throw .cancelled }
    if let failure = script.failure { throw failure }
    let threads = script.pages.indices.contains(page - 1) ? script.pages[page - 1] : []
    return ThreadListPage(forumID: forumID, number: page, pageCount: script.pages.count, threads: threads)
  }

  package func bookmarks(page: Int) async throws(DataError) -> ThreadListPage {
    var page = try await threads(inForum: 0, page: page)
    page.forumID = nil
    for place in page.threads.indices { page.threads[place].forumID = nil }
    return page
  }

  package func markSeen(threadID: Int, upTo index: Int) async throws(DataError) {
    try await mark(threadID, index)
  }

  package func markUnseen(threadID: Int) async throws(DataError) {
    try await mark(threadID, nil)
  }

  package func setBookmark(_ bookmark: ForumThread.Bookmark?, threadID: Int) async throws(DataError) {
    try await change { $0.bookmarks[threadID] = .some(bookmark) }
  }

  private func mark(_ threadID: Int, _ index: Int?) async throws(DataError) {
    try await change { script in
      script.marks[threadID] = .some(index)
      if index != nil { script.seen.append(threadID) }
    }
  }

  private func change(_ change: (inout Script) -> Void) async throws(DataError) {
    let marked = try script.withLock { script throws(DataError) in
      if let failure = script.failure { throw failure }
      change(&script)
      return script.marked
    }
    await marked()
  }
}
