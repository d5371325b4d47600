import SharedServices
import Understudy

extension Clause where Subject == any ForumsClient {
  @ContractBuilder<Subject> static var forumConcurrency: [Self] {
    Clause("forum.concurrency.marks", "Marks that are set on many threads at once are all set.") { trial in
      let (id, page) = try await trial.forumWithThreads()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for thread in page.threads {
          group.addTask { try await trial.subject.markSeen(threadID: thread.id, upTo: thread.replyCount + 1) }
        }
        try await group.waitForAll()
      }
      let after = try await trial.subject.threads(inForum: id, page: 1)
      trial.expect(after.threads.count { $0.hasUnreadPosts }, equals: 0, "the number of unread threads")
    }

    Clause("forum.concurrency.lists", "Each of several lists that are loaded at once has its own threads.") {
      trial in
      let (id, page) = try await trial.forumWithThreads()
      let bookmarks = try await trial.given(.bookmarksAreSet)
      let last = try trial.require(try await trial.given(.forumIsLong).last, "Expected the pages of a forum.")
      let tasks = try await trial.during(.callsAreHeld) { held in
        let first = Task { try await trial.subject.threads(inForum: id, page: 1) }
        await held.wait(forCalls: 1)
        let second = Task { try await trial.subject.threads(inForum: last.forumID ?? 0, page: last.number) }
        await held.wait(forCalls: 2)
        let third = Task { try await trial.subject.bookmarks(page: 1) }
        await held.wait(forCalls: 3)
        await held.release()
        return [first, second, third]
      }
      for (task, expected) in zip(tasks, [page, last, bookmarks]) {
        let name = expected.forumID.map { "of the forum \($0)" } ?? "of the bookmarks"
        trial.expect(try await task.value, equals: expected, "the page \(name)")
      }
    }

    Clause(
      "forum.concurrency.pages", "Each of several pages of one forum that are loaded at once is its own."
    ) {
      trial in
      let pages = try await trial.given(.forumIsLong)
      let tasks = try await trial.during(.callsAreHeld) { held in
        var tasks: [Task<ThreadListPage, any Error>] = []
        for page in pages {
          tasks.append(
            Task { try await trial.subject.threads(inForum: page.forumID ?? 0, page: page.number) })
          await held.wait(forCalls: tasks.count)
        }
        await held.release()
        return tasks
      }
      for (task, page) in zip(tasks, pages) {
        trial.expect(try await task.value, equals: page, "page \(page.number)")
      }
    }

    Clause(
      "forum.cancellation.before", "A call of a cancelled task throws, makes no request and changes nothing."
    ) { trial in
      let lists = try await trial.forumLists()
      let requests = try await trial.given(.requestsAreCounted)
      await trial.expectCancelled(beforehand: lists.calls, with: DataError.cancelled)
      trial.expectNoRequest(by: requests)
      try await trial.expectUnchanged(lists)
    }

    Clause("forum.cancellation.under-way", "A call that is cancelled under way throws and changes nothing.") {
      trial in
      let lists = try await trial.forumLists()
      try await trial.expectCancelled(underWay: lists.calls, with: DataError.cancelled)
      try await trial.expectUnchanged(lists)
    }

    Clause("forum.cancellation.others", "Cancelling one call leaves another that is under way alone.") {
      trial in
      let (id, page) = try await trial.forumWithThreads()
      let unread = page.threads.filter { $0.reading == .never }
      let one = try trial.require(unread.first, "The condition gave no unread thread.")
      let other = try trial.require(unread.dropFirst().first, "The condition gave only one unread thread.")
      try await trial.during(.callsAreHeld) { held in
        let cancelled = Task { try await trial.subject.markSeen(threadID: one.id, upTo: 1) }
        await held.wait(forCalls: 1)
        let kept = Task { try await trial.subject.markSeen(threadID: other.id, upTo: 1) }
        await held.wait(forCalls: 2)
        cancelled.cancel()
        await trial.expect(throws: DataError.cancelled) { try await cancelled.value }
        await held.release()
        switch await kept.result {
        case .success: break
        case .failure(let error):
          trial.expect(false, "Expected the call that was not cancelled to succeed, but it threw \(error).")
        }
        try await trial.expect(reading: .never, of: one.id, inForum: id)
        try await trial.expect(
          reading: .seen(unreadCount: other.replyCount), of: other.id, inForum: id)
      }
    }
  }
}
