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

    Clause("forum.cancellation.before", "A call of a cancelled task throws and changes nothing.") { trial in
      let (id, page) = try await trial.forumWithThreads()
      let thread = try trial.thread(of: page, "never read") { $0.reading == .never }
      await trial.expectCancelled(
        beforehand: ServiceCall.all(forum: id, thread: thread.id), with: DataError.cancelled)
      trial.expect(try await trial.subject.threads(inForum: id, page: 1), equals: page, "the page after it")
    }

    Clause("forum.cancellation.under-way", "A call that is cancelled under way throws and changes nothing.") {
      trial in
      let (id, page) = try await trial.forumWithThreads()
      let thread = try trial.thread(of: page, "never read") { $0.reading == .never }
      try await trial.expectCancelled(
        underWay: ServiceCall.all(forum: id, thread: thread.id), with: DataError.cancelled)
      trial.expect(try await trial.subject.threads(inForum: id, page: 1), equals: page, "the page after it")
    }

    Clause("forum.cancellation.others", "Cancelling one call leaves another that is under way alone.") {
      trial in
      let (id, page) = try await trial.forumWithThreads()
      let unread = page.threads.filter { $0.reading == .never }
      let one = try trial.require(unread.first, "The condition gave no unread thread.")
      let other = try trial.require(unread.dropFirst().first, "The condition gave only one unread thread.")
      try await trial.during(.callsAreHeld) { held in
        let cancelled = Task { try await trial.subject.markSeen(threadID: one.id, upTo: 1) }
        await held.arrival(1)
        let kept = Task { try await trial.subject.markSeen(threadID: other.id, upTo: 1) }
        await held.arrival(2)
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
