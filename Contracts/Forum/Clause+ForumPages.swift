import SharedServices
import Understudy

extension Clause where Subject == any ForumsClient {
  @ContractBuilder<Subject> static var forumPages: [Self] {
    Clause("forum.pages.frame", "A page has its forum, its breadcrumbs, and whether it accepts threads.") {
      trial in
      var (id, expected) = try await trial.forumWithThreads()
      var page = try await trial.subject.threads(inForum: id, page: 1)
      page.threads = []
      expected.threads = []
      trial.expect(page, equals: expected, "the page without its threads")
    }

    Clause("forum.pages.all", "The pages of a long forum have each thread once, and each page its number.") {
      trial in
      let expected = try await trial.given(.forumIsLong)
      let id = try trial.require(expected.first?.forumID, "Expected the pages of a forum.")
      for (index, expected) in expected.enumerated() {
        let page = try await trial.subject.threads(inForum: id, page: index + 1)
        trial.expect(page.number, equals: index + 1, "the number of the page")
        trial.expect(page.pageCount, equals: expected.pageCount, "the number of pages")
        trial.expect(
          page.threads.map(\.id), equals: expected.threads.map(\.id), "the ids on page \(index + 1)")
      }
    }

    Clause("forum.pages.beyond", "A page beyond the last one is the last one, and says so.") { trial in
      let expected = try await trial.given(.forumIsLong)
      let last = try trial.require(expected.last, "Expected the pages of a forum.")
      let page = try await trial.subject.threads(inForum: last.forumID ?? 0, page: 999)
      trial.expect(page.number, equals: last.number, "the number of the page")
      trial.expect(page.threads.map(\.id), equals: last.threads.map(\.id), "the ids")
    }

    Clause("forum.pages.empty", "A forum without threads is an empty list, and one that takes none says so.")
    {
      trial in
      let expected = try await trial.given(.forumIsEmpty)
      let page = try await trial.subject.threads(inForum: expected.forumID ?? 0, page: 1)
      trial.expect(page, equals: expected, "the page")
    }
  }

  @ContractBuilder<Subject> static var forumBookmarks: [Self] {
    Clause(
      "forum.bookmarks.own", "The bookmarks of all forums are listed, the newest post first, and no others."
    ) {
      trial in
      let expected = try await trial.given(.bookmarksAreSet)
      let page = try await trial.subject.bookmarks(page: 1)
      trial.expect(page, equals: expected, "the page")
    }

    Clause("forum.bookmarks.colours", "Each bookmark has its colour, of which there are six.") { trial in
      let (id, expected) = try await trial.forumWithThreads()
      let page = try await trial.subject.threads(inForum: id, page: 1)
      trial.expect(page.threads.map(\.bookmark), equals: expected.threads.map(\.bookmark), "the colours")
      trial.expect(
        Set(page.threads.compactMap(\.bookmark)).count, equals: 6, "the number of colours in the forum")
    }

    Clause("forum.bookmarks.marks", "What was marked as seen in a forum is seen in the bookmarks too.") {
      trial in
      let expected = try await trial.given(.bookmarksAreSet)
      let thread = try trial.thread(of: expected, "unread") { $0.hasUnreadPosts }
      try await trial.subject.markSeen(threadID: thread.id, upTo: thread.replyCount + 1)
      let found = try await trial.subject.bookmarks(page: 1).threads.first { $0.id == thread.id }
      trial.expect(found?.reading, equals: .seen(unreadCount: 0), "what the reader has seen")
    }
  }
}
