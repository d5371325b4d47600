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

    Clause(
      "forum.pages.whole", "Every page has every field of its threads, and no announcements but its own."
    ) { trial in
      for expected in try await trial.given(.forumIsLong) {
        let page = try await trial.subject.threads(inForum: expected.forumID ?? 0, page: expected.number)
        trial.expect(page, equals: expected, "page \(expected.number)")
      }
    }

    Clause("forum.pages.forums", "Two forums that are read in turn keep their pages apart.") { trial in
      let (id, page) = try await trial.forumWithThreads()
      let pages = try await trial.given(.forumIsLong)
      for expected in [page] + pages + [page] + pages {
        let found = try await trial.subject.threads(inForum: expected.forumID ?? id, page: expected.number)
        trial.expect(
          found, equals: expected, "page \(expected.number) of the forum \(expected.forumID ?? id)")
      }
    }

    Clause("forum.pages.beyond", "A page beyond the last one is the last one, and says so.") { trial in
      let expected = try await trial.given(.forumIsLong)
      let last = try trial.require(expected.last, "Expected the pages of a forum.")
      let page = try await trial.subject.threads(inForum: last.forumID ?? 0, page: 999)
      trial.expect(page.number, equals: last.number, "the number of the page")
      trial.expect(page.threads.map(\.id), equals: last.threads.map(\.id), "the ids")
    }

    Clause("forum.pages.before", "A page before the first one is the first, in forums and in the bookmarks.")
    {
      trial in
      let pages = try await trial.given(.forumIsLong)
      for number in [0, -1, -999] {
        let page = try await trial.subject.threads(inForum: pages[0].forumID ?? 0, page: number)
        trial.expect(page, equals: pages[0], "page \(number)")
      }
      // Sets bookmarks in the long forum too.
      let bookmarks = try await trial.given(.bookmarksAreMany)
      for number in [0, -1, -999] {
        trial.expect(
          try await trial.subject.bookmarks(page: number), equals: bookmarks[0],
          "page \(number) of the bookmarks")
      }
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
      trial.expect(page.scalars, equals: expected.scalars, "the scalars of the titles and the names")
    }

    Clause("forum.bookmarks.colours", "Each bookmark has its colour, of which there are six.") { trial in
      let (id, expected) = try await trial.forumWithThreads()
      let page = try await trial.subject.threads(inForum: id, page: 1)
      trial.expect(page.threads.map(\.bookmark), equals: expected.threads.map(\.bookmark), "the colours")
      trial.expect(
        Set(page.threads.compactMap(\.bookmark)).count, equals: 6, "the number of colours in the forum")
    }

    Clause(
      "forum.bookmarks.pages", "The pages of many bookmarks have each once; beyond the last is the last."
    ) {
      trial in
      let pages = try await trial.given(.bookmarksAreMany)
      for (number, expected) in zip(
        [1, 2, 3, 999], pages + [pages[pages.count - 1], pages[pages.count - 1]])
      {
        trial.expect(
          try await trial.subject.bookmarks(page: number), equals: expected, "page \(number) of the bookmarks"
        )
      }
    }

    Clause("forum.bookmarks.marks", "What was marked as seen in a forum is seen in the bookmarks too.") {
      trial in
      let expected = try await trial.given(.bookmarksAreSet)
      let thread = try trial.thread(of: expected, "unread") { $0.hasUnreadPosts }
      try await trial.subject.markSeen(threadID: thread.id, upTo: thread.replyCount + 1)
      let found = try await trial.subject.bookmarks(page: 1).threads.first { $0.id == thread.id }
      trial.expect(found?.reading, equals: .seen(unreadCount: 0), "what the reader has seen")
    }

    Clause(
      "forum.bookmarks.set",
      "A thread is bookmarked in each of the colours, in its forum and in the bookmarks, and keeps all else."
    ) { trial in
      var lists = try await trial.forumReaderLists()
      let thread = try trial.thread(of: lists.forum, "not bookmarked") { $0.bookmark == nil }
      for bookmark in ForumThread.Bookmark.allCases {
        try await trial.subject.setBookmark(bookmark, threadID: thread.id)
        lists.bookmark(bookmark, thread.id)
        try await trial.expect(lists, after: "the bookmark \(bookmark)")
      }
    }

    Clause("forum.bookmarks.removed", "A removed bookmark is in no list, and its thread has all else.") {
      trial in
      var lists = try await trial.forumReaderLists()
      for thread in lists.forum.threads where thread.bookmark != nil {
        try await trial.subject.setBookmark(nil, threadID: thread.id)
        lists.bookmark(nil, thread.id)
        try await trial.expect(lists, after: "the removal of the bookmark of the thread \(thread.id)")
      }
    }

    Clause(
      "forum.bookmarks.again",
      "A bookmark that is set already, and a missing one that is removed, is a success and stays so."
    ) { trial in
      var lists = try await trial.forumReaderLists()
      let thread = try trial.thread(of: lists.forum, "bookmarked") { $0.bookmark != nil }
      for bookmark in [thread.bookmark, nil, nil, .yellow, .yellow] {
        try await trial.subject.setBookmark(bookmark, threadID: thread.id)
        lists.bookmark(bookmark, thread.id)
        try await trial.expect(lists, after: "the bookmark \(bookmark.map { "\($0)" } ?? "none")")
      }
    }

    Clause(
      "forum.bookmarks.anywhere",
      "A thread on any page and of any forum is bookmarked, also one of a hidden forum."
    ) { trial in
      let bookmarks = try await trial.given(.bookmarksAreSet)
      let (_, page) = try await trial.forumWithThreads()
      var last = try trial.require(try await trial.given(.forumIsLong).last, "Expected the pages of a forum.")
      let deep = try trial.require(last.threads.last, "Expected threads on the last page.")
      let shown = page.threads.map(\.id)
      let hidden = try trial.thread(of: bookmarks, "of a hidden forum") { !shown.contains($0.id) }
      try await trial.subject.setBookmark(.purple, threadID: deep.id)
      try await trial.subject.setBookmark(.green, threadID: hidden.id)
      last.threads[last.threads.count - 1].bookmark = .purple
      trial.expect(
        try await trial.subject.threads(inForum: last.forumID ?? 0, page: last.number), equals: last,
        "the last page")
      let found = try await trial.subject.bookmarks(page: 1).threads
      trial.expect(
        found.first { $0.id == deep.id }?.bookmark, equals: .purple, "the bookmark of the last page")
      trial.expect(
        found.first { $0.id == hidden.id }?.bookmark, equals: .green, "the bookmark of a hidden forum")
      trial.expect(found.count, equals: bookmarks.threads.count + 1, "the number of bookmarks")
    }
  }

  @ContractBuilder<Subject> static var forumReaders: [Self] {
    Clause("forum.readers.lists", "Each of two readers who sign in in turn has lists of their own.") {
      trial in
      let readers = try await trial.given(.severalReaders)
      for reader in [0, 1, 0, 1] {
        readers.signIn(reader)
        try await trial.expect(readers.lists[reader], after: "reader \(reader) has signed in")
      }
    }

    Clause("forum.readers.marks", "What one reader marks or bookmarks is so for no other reader.") { trial in
      let readers = try await trial.given(.severalReaders)
      var lists = readers.lists
      for reader in [0, 1] {
        readers.signIn(reader)
        let threads = lists[reader].bookmarks.threads.filter { $0.reading != .seen(unreadCount: 0) }
        let thread = try trial.require(threads.first, "The condition gave no bookmark with unread posts.")
        try await trial.subject.markSeen(threadID: thread.id, upTo: thread.replyCount + 1)
        lists[reader].forum = lists[reader].forum.with(.seen(unreadCount: 0), of: thread.id)
        lists[reader].bookmarks = lists[reader].bookmarks.with(.seen(unreadCount: 0), of: thread.id)
        try await trial.subject.setBookmark(reader == 0 ? nil : .yellow, threadID: thread.id)
        lists[reader].bookmark(reader == 0 ? nil : .yellow, thread.id)
        for other in [1 - reader, reader] {
          readers.signIn(other)
          try await trial.expect(lists[other], after: "a mark of reader \(reader), for reader \(other)")
        }
      }
    }
  }
}
