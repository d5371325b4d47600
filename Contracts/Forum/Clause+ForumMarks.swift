import SharedServices
import Understudy

extension Clause where Subject == any ForumsClient {
  @ContractBuilder<Subject> static var forumMarks: [Self] {
    Clause(
      "forum.marks.up-to",
      "Posts are seen up to and including the one that was named, however many there are."
    ) { trial in
      let (id, page) = try await trial.forumWithThreads()
      for count in [3, 1_000] {
        let thread = try trial.thread(of: page, "answered \(count) times") { $0.replyCount >= count }
        let index = thread.replyCount / 2 + 1
        try await trial.subject.markSeen(threadID: thread.id, upTo: index)
        // The first post of a thread is not counted as a reply.
        let unread = ForumThread.Reading.seen(unreadCount: thread.replyCount + 1 - index)
        try await trial.expect(reading: unread, of: thread.id, inForum: id)
      }
    }

    Clause("forum.marks.all", "A thread that was seen to its last post, or beyond, has nothing unread.") {
      trial in
      let (id, page) = try await trial.forumWithThreads()
      let thread = try trial.thread(of: page, "unread") { $0.hasUnreadPosts }
      for index in [thread.replyCount + 1, thread.replyCount + 100, Int(Int32.max)] {
        try await trial.subject.markUnseen(threadID: thread.id)
        try await trial.subject.markSeen(threadID: thread.id, upTo: index)
        try await trial.expect(reading: .seen(unreadCount: 0), of: thread.id, inForum: id)
      }
    }

    Clause("forum.marks.back", "A mark can be moved back, and set twice.") { trial in
      let (id, page) = try await trial.forumWithThreads()
      let thread = try trial.thread(of: page, "answered three times") { $0.replyCount >= 3 }
      for index in [3, 1, 1] {
        try await trial.subject.markSeen(threadID: thread.id, upTo: index)
        let unread = ForumThread.Reading.seen(unreadCount: thread.replyCount + 1 - index)
        try await trial.expect(reading: unread, of: thread.id, inForum: id)
      }
    }

    Clause("forum.marks.unseen", "A thread that is marked as unseen was never read; twice is a success.") {
      trial in
      let (id, page) = try await trial.forumWithThreads()
      let thread = try trial.thread(of: page, "read") { $0.reading != .never }
      for _ in 1...2 {
        try await trial.subject.markUnseen(threadID: thread.id)
        try await trial.expect(reading: .never, of: thread.id, inForum: id)
      }
    }

    Clause(
      "forum.marks.anywhere", "A thread on any page and of any forum is marked, also one of a hidden forum."
    ) { trial in
      let (id, page) = try await trial.forumWithThreads()
      let bookmarks = try await trial.given(.bookmarksAreSet)
      let last = try trial.require(try await trial.given(.forumIsLong).last, "Expected the pages of a forum.")
      let deep = try trial.thread(of: last, "never read") { $0.reading == .never }
      let shown = page.threads.map(\.id)
      let hidden = try trial.thread(of: bookmarks, "of a hidden forum") { !shown.contains($0.id) }
      for thread in [deep, hidden] {
        try await trial.subject.markSeen(threadID: thread.id, upTo: thread.replyCount + 1)
      }
      let seen = ForumThread.Reading.seen(unreadCount: 0)
      trial.expect(
        try await trial.subject.threads(inForum: last.forumID ?? 0, page: last.number),
        equals: last.with(seen, of: deep.id), "the last page")
      trial.expect(
        try await trial.subject.bookmarks(page: 1), equals: bookmarks.with(seen, of: hidden.id),
        "the bookmarks")
      trial.expect(try await trial.subject.threads(inForum: id, page: 1), equals: page, "the other forum")
    }

    Clause("forum.marks.others", "A mark changes nothing but what was seen of its thread.") { trial in
      var (id, page) = try await trial.forumWithThreads()
      let thread = try trial.thread(of: page, "unread") { $0.hasUnreadPosts }
      try await trial.subject.markSeen(threadID: thread.id, upTo: thread.replyCount + 1)
      for index in page.threads.indices where page.threads[index].id == thread.id {
        page.threads[index].reading = .seen(unreadCount: 0)
      }
      trial.expect(try await trial.subject.threads(inForum: id, page: 1), equals: page, "the page after it")
    }
  }
}
