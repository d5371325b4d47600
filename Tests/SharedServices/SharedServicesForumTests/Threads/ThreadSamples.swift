import Foundation
import SharedServices
import TestSupport

extension TemporaryFolder {
  var file: URL { file("threads.sqlite") }
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
