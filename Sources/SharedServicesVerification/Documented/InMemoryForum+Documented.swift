import Foundation
import SharedServices
import SharedServicesDoubles

extension InMemoryForum {
  /// The forum of the exchange documents: one board, with a thread that was never read and one that was read in part.
  static var documented: InMemoryForum {
    InMemoryForum(
      boards: [
        Board(
          id: 26, name: "Games", announcements: [ForumAnnouncement(title: "Be kind", author: "Moderator")])
      ],
      threads: [
        ForumThread(
          id: 123, forumID: 26, title: "Rules & advice", isSticky: true, isClosed: true,
          icons: ["icon-52-rules"],
          author: ForumUser(id: 1, name: "Moderator"), replyCount: 4,
          rating: .init(voteCount: 12, average: 4.5),
          lastPostDate: Date(timeIntervalSince1970: 1_767_427_500), lastPostAuthor: "Robin"),
        ForumThread(
          id: 124, forumID: 26, title: "Which game <today>?", bookmark: .red,
          author: ForumUser(id: 42, name: "Kim"),
          replyCount: 9, reading: .seen(unreadCount: 3),
          lastPostDate: Date(timeIntervalSince1970: 1_767_398_400), lastPostAuthor: "Alex"),
      ])
  }
}
