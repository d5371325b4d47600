import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ThreadsRepository {
  @ContractBuilder<Subject> static var orderingThreads: [Self] {
    Clause("threads.order.newest", "The thread with the newest post comes first.") { trial in
      try await trial.subject.save([.sample(1, at: 2), .sample(2, at: 3), .sample(3, at: 1)])
      trial.expect(try await trial.ids(), equals: [2, 1, 3], "the threads")
      try await trial.subject.save([.sample(3, at: 4)])
      trial.expect(try await trial.ids(), equals: [3, 2, 1], "the threads after a post")
    }

    Clause("threads.order.sticky", "Sticky threads come before all others, the newest of them first.") {
      trial in
      try await trial.subject.save([
        .sample(1, at: 1, isSticky: true), .sample(2, at: 9), .sample(3, at: 2, isSticky: true),
      ])
      trial.expect(try await trial.ids(), equals: [3, 1, 2], "the threads")
    }

    Clause("threads.order.same-date", "Of two threads with one date the one with the greater id is first.") {
      trial in
      try await trial.subject.save([.sample(10), .sample(9), .sample(100), .sample(-1)])
      trial.expect(try await trial.ids(), equals: [100, 10, 9, -1], "the threads")
    }

    Clause("threads.order.many", "A thousand threads in any order are listed in the order of the list.") {
      trial in
      var threads: [ForumThread] = []
      for id in 1...1_000 {
        let isSticky = trial.integer(in: 0...9) == 0
        threads.append(.sample(id, at: trial.integer(in: 0...200), isSticky: isSticky))
      }
      // A reference implementation: sorts the threads, least important first, with a stable sort.
      let sorted = threads.reversed().sorted { $0.lastPostDate > $1.lastPostDate }
      let expected = sorted.filter(\.isSticky) + sorted.filter { !$0.isSticky }
      for start in stride(from: 0, to: 1_000, by: 250) {
        try await trial.subject.save(Array(threads[start..<start + 250]))
      }
      trial.expect(try await trial.ids(), equals: expected.map(\.id), "the threads")
    }
  }

  @ContractBuilder<Subject> static var pagingThreads: [Self] {
    Clause("threads.page.together", "Pages of any size, put together, are the whole list.") { trial in
      try await trial.subject.save((1...23).map { .sample($0, at: $0 % 7, isSticky: $0 < 5) })
      let whole = try await trial.list()
      for size in [1, 4, 10, 23, 40] {
        var pages: [ForumThread] = []
        for offset in stride(from: 0, to: 23, by: size) {
          let page = try await trial.subject.threads(inForum: 1, offset: offset, limit: size)
          trial.expect(page.count, equals: min(size, 23 - offset), "the number of threads on a page")
          pages += page
        }
        trial.expect(pages, equals: whole, "the pages of \(size)")
      }
    }

    Clause("threads.page.limits", "Before the beginning and after the end there is nothing, and no error.") {
      trial in
      try await trial.subject.save([.sample(1), .sample(2)])
      for (offset, limit, expected) in [
        (2, nil, []), (Int.max, 1, []), (1, Int.max, [1]), (0, 0, []), (0, -1, []), (0, .min, []),
        (-1, 1, [2]), (Int.min, nil, [2, 1]),
      ] as [(Int, Int?, [Int])] {
        let page = try await trial.subject.threads(inForum: 1, offset: offset, limit: limit)
        trial.expect(
          page.map(\.id), equals: expected, "the page from \(offset) of \(limit.map(String.init) ?? "all")")
      }
    }

    Clause("threads.page.forum", "A list has the threads of its forum, and one without threads is empty.") {
      trial in
      try await trial.subject.save([.sample(1), .sample(2, inForum: 2), .sample(3, inForum: nil)])
      trial.expect(try await trial.ids(1), equals: [1], "the first forum's threads")
      trial.expect(try await trial.ids(2), equals: [2], "the second forum's threads")
      trial.expect(try await trial.ids(3), equals: [], "the third forum's threads")
      trial.expect(try await trial.subject.thread(id: 4), equals: nil, "a missing thread")
    }
  }
}
