import Foundation
import SharedServices

extension ForumThread {
  /// A thread that was never read, whose last post has its own date.
  static func sample(_ id: Int, titled title: String? = nil, isSticky: Bool = false) -> ForumThread {
    ForumThread(
      id: id, forumID: 1, title: title ?? "Thread \(id)", isSticky: isSticky,
      author: ForumUser(id: 7, name: "Robin"), replyCount: 2,
      lastPostDate: Date(timeIntervalSinceReferenceDate: Double(id)), lastPostAuthor: "Kim")
  }
}
