import Foundation
import SharedServices

/// A page of a list of threads as a recording keeps it.
struct ArchivedThreadListPage: Codable, Sendable {
  private struct Announcement: Codable {
    let title: String
    let author: String
  }

  private struct Row: Codable {
    let id: Int
    let forumID: Int?
    let title: String
    let isSticky: Bool
    let isClosed: Bool
    let icons: [String]
    let bookmark: ForumThread.Bookmark?
    let author: ForumUser
    let replyCount: Int
    let rating: ForumThread.Rating?
    /// `nil` for a thread that was never read.
    let unreadCount: Int?
    let lastPostDate: Date
    let lastPostAuthor: String
  }

  private let forumID: Int?
  private let number: Int
  private let pageCount: Int
  private let breadcrumbs: [String]
  private let acceptsNewThreads: Bool
  private let announcements: [Announcement]
  private let threads: [Row]

  init(_ page: ThreadListPage) {
    (forumID, number, pageCount) = (page.forumID, page.number, page.pageCount)
    (breadcrumbs, acceptsNewThreads) = (page.breadcrumbs, page.acceptsNewThreads)
    announcements = page.announcements.map { Announcement(title: $0.title, author: $0.author) }
    threads = page.threads.map { thread in
      let unreadCount: Int? = if case .seen(let count) = thread.reading { count } else { nil }
      return Row(
        id: thread.id, forumID: thread.forumID, title: thread.title, isSticky: thread.isSticky,
        isClosed: thread.isClosed, icons: thread.icons, bookmark: thread.bookmark, author: thread.author,
        replyCount: thread.replyCount, rating: thread.rating, unreadCount: unreadCount,
        lastPostDate: thread.lastPostDate, lastPostAuthor: thread.lastPostAuthor)
    }
  }

  var page: ThreadListPage {
    ThreadListPage(
      forumID: forumID, number: number, pageCount: pageCount, breadcrumbs: breadcrumbs,
      acceptsNewThreads: acceptsNewThreads,
      announcements: announcements.map { ForumAnnouncement(title: $0.title, author: $0.author) },
      threads: threads.map { row in
        ForumThread(
          id: row.id, forumID: row.forumID, title: row.title, isSticky: row.isSticky, isClosed: row.isClosed,
          icons: row.icons, bookmark: row.bookmark, author: row.author, replyCount: row.replyCount,
          rating: row.rating, reading: row.unreadCount.map { .seen(unreadCount: $0) } ?? .never,
          lastPostDate: row.lastPostDate, lastPostAuthor: row.lastPostAuthor)
      })
  }
}
