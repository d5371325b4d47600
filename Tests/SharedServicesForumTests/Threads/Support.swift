import Foundation
import SharedServices

/// A folder of a test's own, which is removed with it.
final class TemporaryFolder: Sendable {
  let url: URL

  init(named name: String = "threads") throws {
    url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).appending(path: name)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  var file: URL { url.appending(path: "threads.sqlite") }

  deinit {
    try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }
}

func thread(_ id: Int, inForum forumID: Int = 1, titled title: String = "Thread") -> ForumThread {
  ForumThread(
    id: id, forumID: forumID, title: title, icons: ["question"], author: ForumUser(id: 7, name: "Robin"),
    lastPostDate: Date(timeIntervalSinceReferenceDate: 790_000_000), lastPostAuthor: "Kim")
}

extension ThreadsRepository {
  func all(_ forumID: Int = 1) async throws(DataError) -> [ForumThread] {
    try await threads(inForum: forumID, offset: 0, limit: nil)
  }
}
