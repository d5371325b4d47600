import SharedServices
import Understudy

/// A forum whose answers a test writes.
final class ScriptedForum: ForumsClient {
  struct Script: Sendable {
    /// The threads of each page of every forum.
    var pages: [[ForumThread]] = [[]]
    /// What every call throws.
    var failure: DataError?
    /// What was marked as seen, and up to which post; `nil` is not at all.
    var marks: [Int: Int?] = [:]
    /// What happens once a mark is set, before its caller is told.
    var marked: @Sendable () -> Void = {}
    /// Holds a page between the moment it is made and its delivery.
    var delivery: @Sendable () async -> Void = {}
  }

  private let script: Locked<Script>

  init(_ pages: [ForumThread]...) {
    script = Locked(Script(pages: pages.isEmpty ? [[]] : pages))
  }

  func write(_ change: (inout Script) -> Void) { script.withLock { change(&$0) } }

  var marks: [Int: Int?] { script.withLock(\.marks) }

  func threads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage {
    let script = script.withLock { $0 }
    if let failure = script.failure { throw failure }
    await script.delivery()
    if Task.isCancelled { throw .cancelled }
    let threads = script.pages.indices.contains(page - 1) ? script.pages[page - 1] : []
    return ThreadListPage(forumID: forumID, number: page, pageCount: script.pages.count, threads: threads)
  }

  func bookmarks(page: Int) async throws(DataError) -> ThreadListPage {
    var page = try await threads(inForum: 0, page: page)
    page.forumID = nil
    for place in page.threads.indices { page.threads[place].forumID = nil }
    return page
  }

  func markSeen(threadID: Int, upTo index: Int) async throws(DataError) {
    try mark(threadID, index)
  }

  func markUnseen(threadID: Int) async throws(DataError) {
    try mark(threadID, nil)
  }

  private func mark(_ threadID: Int, _ index: Int?) throws(DataError) {
    let marked = try script.withLock { script throws(DataError) in
      if let failure = script.failure { throw failure }
      script.marks[threadID] = .some(index)
      return script.marked
    }
    marked()
  }
}

/// A door that opens once, and that one task waits before.
struct Door: Sendable {
  private let stream = AsyncStream.makeStream(of: Never.self)

  func open() { stream.continuation.finish() }

  func wait() async { for await _ in stream.stream {} }
}
