import Foundation
import SharedServices
import Understudy

/// A forum whose answers a test writes.
final class ScriptedForum: ForumsClient {
  struct Script: Sendable {
    /// The threads of each page.
    var pages: [[ForumThread]]
    /// What every call throws.
    var failure: DataError?
    /// How often a page was asked for, by its number.
    var asked: [Int] = []
    /// The threads that were marked as seen.
    var seen: [Int] = []
    /// Holds every call.
    var delivery: @Sendable () async -> Void = {}
  }

  private let script: Locked<Script>

  init(_ pages: [ForumThread]...) {
    script = Locked(Script(pages: pages))
  }

  var asked: [Int] { script.withLock(\.asked) }
  var seen: [Int] { script.withLock(\.seen) }

  func write(_ change: (inout Script) -> Void) { script.withLock { change(&$0) } }

  func threads(inForum forumID: Int, page: Int) async throws(DataError) -> ThreadListPage {
    let script = try await answer { $0.asked.append(page) }
    let threads = script.pages.indices.contains(page - 1) ? script.pages[page - 1] : []
    return ThreadListPage(forumID: forumID, number: page, pageCount: script.pages.count, threads: threads)
  }

  func bookmarks(page: Int) async throws(DataError) -> ThreadListPage {
    try await threads(inForum: 1, page: page)
  }

  func markSeen(threadID: Int, upTo index: Int) async throws(DataError) {
    _ = try await answer { $0.seen.append(threadID) }
  }

  func markUnseen(threadID: Int) async throws(DataError) {
    _ = try await answer { _ in }
  }

  private func answer(_ note: (inout Script) -> Void) async throws(DataError) -> Script {
    let script = script.withLock { script in
      note(&script)
      return script
    }
    await script.delivery()
    if Task.isCancelled { throw .cancelled }
    if let failure = script.failure { throw failure }
    return script
  }
}

/// A door that opens once, and that one task waits before.
struct Door: Sendable {
  private let stream = AsyncStream.makeStream(of: Never.self)

  func open() { stream.continuation.finish() }

  func wait() async { for await _ in stream.stream {} }
}

extension ForumThread {
  /// A thread that was never read, whose last post has its own date.
  static func sample(_ id: Int, titled title: String? = nil, isSticky: Bool = false) -> ForumThread {
    ForumThread(
      id: id, forumID: 1, title: title ?? "Thread \(id)", isSticky: isSticky,
      author: ForumUser(id: 7, name: "Robin"), replyCount: 2,
      lastPostDate: Date(timeIntervalSinceReferenceDate: Double(id)), lastPostAuthor: "Kim")
  }
}
