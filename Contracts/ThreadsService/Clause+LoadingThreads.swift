import SharedServices
import Understudy

extension Clause where Subject == any ThreadsService {
  @ContractBuilder<Subject> static var loadingThreads: [Self] {
    Clause(
      "threads-service.load.stored",
      "A page that is loaded is returned, and stored when the call returns, as the forum has it."
    ) { trial in
      for page in [try await trial.given(.forumHasThreads), try await trial.given(.forumIsEmpty)] {
        let id = try trial.require(page.forumID, "Expected the page of a forum.")
        let loaded = try await trial.subject.loadThreads(inForum: id, page: 1)
        trial.expect(loaded, equals: page, "the page of forum \(id)")
        trial.expect(loaded.scalars, equals: page.scalars, "the scalars of the page of forum \(id)")
        try await trial.expectStored(page.threads, inForum: id, "of forum \(id)")
      }
    }

    Clause(
      "threads-service.load.pages", "Later pages are added, and the first page replaces all of its forum."
    ) { trial in
      let (id, pages) = try await trial.longForum()
      let rows: [(number: Int, page: Int, stored: [Int])] = [
        (1, 0, [0]), (2, 1, [0, 1]), (1, 0, [0]), (3, 2, [0, 2]), (2, 1, [0, 1, 2]), (2, 1, [0, 1, 2]),
        (0, 0, [0]),
      ]
      for (step, row) in rows.enumerated() {
        trial.expect(
          try await trial.subject.loadThreads(inForum: id, page: row.number), equals: pages[row.page],
          "page \(row.number) in step \(step)")
        try await trial.expectStored(
          row.stored.flatMap { pages[$0].threads }, inForum: id, "after page \(row.number) in step \(step)")
      }
    }

    Clause(
      "threads-service.load.beyond", "A number beyond the last page adds the last page, with its own number."
    ) { trial in
      let (id, pages) = try await trial.longForum()
      let last = try trial.require(pages.last, "Expected the pages of a forum.")
      try await trial.subject.loadThreads(inForum: id, page: 1)
      trial.expect(
        try await trial.subject.loadThreads(inForum: id, page: 999), equals: last, "the page")
      try await trial.expectStored(pages[0].threads + last.threads, inForum: id, "after it")
    }

    Clause("threads-service.load.forums", "Loading one forum leaves the stored threads of another alone.") {
      trial in
      let (long, pages) = try await trial.longForum()
      let forum = try await trial.loadedForum()
      for _ in 1...2 {
        try await trial.subject.loadThreads(inForum: long, page: 1)
        try await trial.expectStored(
          forum.lists.forum.threads, inForum: forum.id, "of the forum that was not loaded")
        try await trial.subject.loadThreads(inForum: forum.id, page: 1)
        try await trial.expectStored(pages[0].threads, inForum: long, "of the long forum")
      }
      let free = try await trial.given(.idIsFree)
      try await trial.expectStored([], inForum: free, "of a forum that was never loaded")
    }

    Clause(
      "threads-service.load.again", "What another device changed is stored with the next load, not before."
    ) { trial in
      var forum = try await trial.loadedForum()
      let before = forum.lists.forum.threads
      let device = try await trial.given(.readersOtherDevice)
      for call in forum.edits { try await call.run(device) }
      forum.lists = forum.edited
      try await trial.expectStored(before, inForum: forum.id, "before the load")
      trial.expect(
        try await trial.subject.loadThreads(inForum: forum.id, page: 1), equals: forum.lists.forum, "the page"
      )
      try await trial.expectStored(forum.lists.forum.threads, inForum: forum.id, "after the load")
    }
  }

  @ContractBuilder<Subject> static var loadingBookmarks: [Self] {
    Clause(
      "threads-service.bookmarks.stored",
      "The bookmarks are stored: threads that are listed keep their forums, and others are in no forum's list."
    ) { trial in
      var forum = try await trial.loadedForum()
      let device = try await trial.given(.readersOtherDevice)
      try await device.markRead(forum.read)
      forum.lists.mark(.seen(unreadCount: 0), forum.read.id)
      let bookmarks = try await trial.subject.loadBookmarks(page: 1)
      trial.expect(bookmarks, equals: forum.lists.bookmarks, "the bookmarks")
      trial.expect(bookmarks.scalars, equals: forum.lists.bookmarks.scalars, "the scalars of the bookmarks")
      try await trial.expectStored(forum.lists.forum.threads, inForum: forum.id, "after the bookmarks")
      try await device.setBookmark(.purple, of: forum.unread)
      forum.lists.bookmark(.purple, forum.unread.id)
      trial.expect(
        try await trial.subject.loadBookmarks(page: 1), equals: forum.lists.bookmarks,
        "the bookmarks after another one on another device")
    }

    Clause(
      "threads-service.bookmarks.pages",
      "Each page of the bookmarks is returned; a page beyond the last is the last, and one before the first the first."
    ) { trial in
      let pages = try await trial.given(.bookmarksAreMany)
      let (long, _) = try await trial.longForum()
      for (number, place) in [(1, 0), (2, 1), (999, 1), (0, 0)] {
        trial.expect(
          try await trial.subject.loadBookmarks(page: number), equals: pages[place],
          "page \(number) of the bookmarks")
      }
      try await trial.expectStored([], inForum: long, "of a forum that was not loaded")
      let page = try await trial.subject.loadThreads(inForum: long, page: 1)
      try await trial.expectStored(page.threads, inForum: long, "of the forum once it is loaded")
    }
  }
}
