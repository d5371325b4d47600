import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ThreadsRepository {
  @ContractBuilder<Subject> static var markingThreads: [Self] {
    Clause("threads.mark.read", "A thread that is marked as read has no unread posts, and is else as before.")
    { trial in
      var never = ForumThread.sample(2)
      never.reading = .never
      try await trial.subject.save([.sample(1), never])
      for var thread in [ForumThread.sample(1), never] {
        try await trial.subject.markRead(threadID: thread.id, upTo: .max)
        thread.reading = .seen(unreadCount: 0)
        trial.expect(try await trial.subject.thread(id: thread.id), equals: thread, "the thread")
      }
    }

    Clause("threads.mark.up-to", "What was answered after the post up to which a thread was read is unread.")
    {
      trial in
      for (index, unreadCount) in [(1, 5), (3, 3), (6, 0), (7, 0), (.max, 0), (0, 5), (.min, 5)] {
        var thread = ForumThread.sample(1)
        thread.replyCount = 5
        try await trial.subject.save([thread])
        try await trial.subject.markRead(threadID: 1, upTo: index)
        thread.reading = .seen(unreadCount: unreadCount)
        trial.expect(
          try await trial.subject.thread(id: 1), equals: thread,
          "the thread that was read up to post \(index)")
      }
    }

    Clause("threads.mark.extremes", "Any number of answers and any post can be marked, without an overflow.")
    {
      trial in
      for (replyCount, index, unreadCount) in [
        (Int.max, Int.min, Int.max), (.max, 1, .max), (.max, .max, 1), (.min, .max, 0), (.min, .min, 0),
        (0, .max, 0),
      ] {
        var thread = ForumThread.sample(1)
        thread.replyCount = replyCount
        try await trial.subject.save([thread])
        try await trial.subject.markRead(threadID: 1, upTo: index)
        thread.reading = .seen(unreadCount: unreadCount)
        trial.expect(
          try await trial.subject.thread(id: 1), equals: thread,
          "the thread of \(replyCount) answers that was read up to post \(index)")
      }
    }

    Clause("threads.mark.unread", "A thread that is marked as unread was never read.") { trial in
      try await trial.subject.save([.sample(1)])
      try await trial.subject.markRead(threadID: 1, upTo: nil)
      var thread = ForumThread.sample(1)
      thread.reading = .never
      trial.expect(try await trial.subject.thread(id: 1), equals: thread, "the thread")
    }

    Clause("threads.mark.others", "Marking a thread leaves the others alone.") { trial in
      try await trial.subject.save([.sample(1), .sample(2), .sample(3)])
      try await trial.subject.markRead(threadID: 2, upTo: .max)
      trial.expect(try await trial.subject.thread(id: 1), equals: .sample(1), "the thread before")
      trial.expect(try await trial.subject.thread(id: 3), equals: .sample(3), "the thread after")
    }

    Clause(
      "threads.mark.absent", "Marking a missing thread does nothing, also when it is stored later."
    ) { trial in
      try await trial.subject.save([.sample(1)])
      try await trial.subject.markRead(threadID: 2, upTo: .max)
      trial.expect(try await trial.subject.thread(id: 2), equals: nil, "the missing thread")
      trial.expect(try await trial.list(), equals: [.sample(1)], "the list")
      try await trial.subject.save([.sample(2)])
      trial.expect(try await trial.subject.thread(id: 2), equals: .sample(2), "the thread, stored later")
    }
  }

  @ContractBuilder<Subject> static var bookmarkingThreads: [Self] {
    Clause(
      "threads.bookmark.set", "A bookmark is set, changed and removed, and the thread is else as before."
    ) { trial in
      var thread = ForumThread.sample(1)
      thread.bookmark = nil
      try await trial.subject.save([thread])
      for bookmark in ForumThread.Bookmark.allCases.map(Optional.some) + [nil, .red] {
        try await trial.subject.setBookmark(bookmark, threadID: 1)
        thread.bookmark = bookmark
        trial.expect(
          try await trial.subject.thread(id: 1), equals: thread,
          "the thread with the bookmark \(bookmark.map { "\($0)" } ?? "removed")")
      }
    }

    Clause("threads.bookmark.others", "Bookmarking a thread leaves the others alone.") { trial in
      try await trial.subject.save([.sample(1), .sample(2), .sample(3)])
      try await trial.subject.setBookmark(.red, threadID: 2)
      trial.expect(try await trial.subject.thread(id: 1), equals: .sample(1), "the thread before")
      trial.expect(try await trial.subject.thread(id: 3), equals: .sample(3), "the thread after")
    }

    Clause(
      "threads.bookmark.absent", "Bookmarking a missing thread does nothing, also when it is stored later."
    ) { trial in
      try await trial.subject.save([.sample(1)])
      try await trial.subject.setBookmark(.red, threadID: 2)
      trial.expect(try await trial.subject.thread(id: 2), equals: nil, "the missing thread")
      trial.expect(try await trial.list(), equals: [.sample(1)], "the list")
      try await trial.subject.save([.sample(2)])
      trial.expect(try await trial.subject.thread(id: 2), equals: .sample(2), "the thread, stored later")
    }
  }

  @ContractBuilder<Subject> static var deletingThreads: [Self] {
    Clause("threads.delete.gone", "Threads that were deleted are gone, and the others are there.") { trial in
      try await trial.subject.save((1...5).map { .sample($0) } + [.sample(6, inForum: 2)])
      try await trial.subject.delete(threadIDs: [1, 3, 6])
      trial.expect(try await trial.ids(), equals: [5, 4, 2], "the threads")
      trial.expect(try await trial.subject.thread(id: 6), equals: nil, "the deleted thread")
      try await trial.subject.delete(threadIDs: [4])
      trial.expect(try await trial.ids(), equals: [5, 2], "the threads after another deletion")
    }

    Clause("threads.delete.absent", "Missing threads and repeated ids are ignored.") {
      trial in
      try await trial.subject.save([.sample(1), .sample(2)])
      try await trial.subject.delete(threadIDs: [9, 1, 1, .min])
      try await trial.subject.delete(threadIDs: [])
      trial.expect(try await trial.ids(), equals: [2], "the threads")
    }

    Clause("threads.delete.again", "A thread that was deleted can be saved again, and is new.") { trial in
      try await trial.subject.save([.sample(1)])
      try await trial.subject.delete(threadIDs: [1])
      let unknown = ForumThread.sample(1, inForum: nil)
      try await trial.subject.save([unknown])
      trial.expect(try await trial.subject.thread(id: 1), equals: unknown, "the thread")
    }
  }

  @ContractBuilder<Subject> static var replacingThreads: [Self] {
    Clause("threads.replace.all", "The new threads are there as they are given, and no others of the forum.")
    {
      trial in
      try await trial.subject.save([.sample(1), .sample(2), .sample(3, isSticky: true)])
      try await trial.subject.replaceThreads(
        inForum: 1, with: [.sample(4, at: 1), .sample(2, at: 2).titled("Other")])
      trial.expect(
        try await trial.list(), equals: [.sample(2, at: 2).titled("Other"), .sample(4, at: 1)], "the list")
      trial.expect(try await trial.subject.thread(id: 3), equals: nil, "a thread that is not among them")
    }

    Clause("threads.replace.others", "Threads of other forums, and of none, stay.") { trial in
      let others = [ForumThread.sample(2, inForum: 2), .sample(3, inForum: nil)]
      try await trial.subject.save([.sample(1)] + others)
      try await trial.subject.replaceThreads(inForum: 1, with: [])
      trial.expect(try await trial.ids(1), equals: [], "the forum's threads")
      trial.expect(try await trial.subject.thread(id: 2), equals: others[0], "the other forum's thread")
      trial.expect(try await trial.subject.thread(id: 3), equals: others[1], "the thread of no forum")
    }

    Clause("threads.replace.forum", "The new threads are of this forum, whatever they say and were.") {
      trial in
      try await trial.subject.save([.sample(1, inForum: 2), .sample(4, inForum: 2)])
      try await trial.subject.replaceThreads(
        inForum: 1, with: [.sample(1, inForum: nil), .sample(2, inForum: nil), .sample(3, inForum: 2)])
      trial.expect(
        try await trial.list(1), equals: [.sample(3), .sample(2), .sample(1)], "the forum's threads")
      trial.expect(try await trial.ids(2), equals: [4], "the other forum's threads")
    }

    Clause("threads.replace.twice", "Of two threads with one id the last one counts.") { trial in
      try await trial.subject.replaceThreads(
        inForum: 1, with: [.sample(1).titled("One"), .sample(1).titled("Two")])
      trial.expect(try await trial.list(), equals: [.sample(1).titled("Two")], "the list")
      try await trial.subject.replaceThreads(
        inForum: 1, with: ["One", "Two", "One"].map { .sample(1).titled($0) })
      trial.expect(try await trial.list(), equals: [.sample(1).titled("One")], "the list with one twice")
    }
  }
}
