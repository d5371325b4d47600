import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ForumsClient {
  @ContractBuilder<Subject> static var forumThreads: [Self] {
    Clause("forum.threads.order", "The sticky threads come first, and of both kinds the newest post.") {
      trial in
      let (id, expected) = try await trial.forumWithThreads()
      let page = try await trial.subject.threads(inForum: id, page: 1)
      trial.expect(page.threads.map(\.id), equals: expected.threads.map(\.id), "the ids")
    }

    Clause("forum.threads.fields", "Every field of every thread is as the forum has it.") { trial in
      let (id, expected) = try await trial.forumWithThreads()
      let page = try await trial.subject.threads(inForum: id, page: 1)
      for (thread, expected) in zip(page.threads, expected.threads) {
        trial.expect(thread, equals: expected, "the thread \(expected.id)")
      }
      trial.expect(page.threads.count, equals: expected.threads.count, "the number of threads")
    }

    Clause("forum.threads.state", "What is sticky and what is closed are two things.") { trial in
      let (id, expected) = try await trial.forumWithThreads()
      let page = try await trial.subject.threads(inForum: id, page: 1)
      for (name, isSo) in [
        ("sticky", { (thread: ForumThread) in thread.isSticky }), ("closed", { $0.isClosed }),
      ] {
        let ids = expected.threads.filter(isSo).map(\.id)
        trial.expect(page.threads.filter(isSo).map(\.id), equals: ids, "the threads that are \(name)")
      }
    }

    Clause(
      "forum.threads.text",
      "Titles and names come scalar for scalar: quotes, spaces, signs of HTML, and what is in no code page."
    ) { trial in
      let (id, expected) = try await trial.forumWithThreads()
      let page = try await trial.subject.threads(inForum: id, page: 1)
      trial.expect(page.scalars, equals: expected.scalars, "the scalars of the titles and the names")
    }

    Clause("forum.threads.reading", "Never opened, read to the end, and read in part are told apart.") {
      trial in
      let (id, expected) = try await trial.forumWithThreads()
      let page = try await trial.subject.threads(inForum: id, page: 1)
      trial.expect(page.threads.map(\.reading), equals: expected.threads.map(\.reading), "what was seen")
      trial.expect(
        page.threads.map(\.hasUnreadPosts),
        equals: expected.threads.map { $0.reading != .seen(unreadCount: 0) },
        "which threads have unread posts")
    }

    Clause("forum.threads.dates", "Dates are the moments that they were, at midnight and at noon too.") {
      trial in
      let (id, expected) = try await trial.forumWithThreads()
      let page = try await trial.subject.threads(inForum: id, page: 1)
      trial.expect(
        page.threads.map(\.lastPostDate), equals: expected.threads.map(\.lastPostDate), "the dates")
    }
  }
}
