import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ThreadsRepository {
  @ContractBuilder<Subject> static var threadsCancellation: [Self] {
    Clause("threads.cancellation.before", "A call of a cancelled task throws and changes nothing.") { trial in
      try await trial.subject.save([.sample(1)])
      let observation = try await trial.observation()
      await trial.expectCancelled(
        beforehand: ServiceCall.writingThreads + ServiceCall.readingThreads, with: DataError.cancelled)
      trial.expect(try await trial.list(), equals: [.sample(1)], "the list after it")
      try await trial.subject.save([.sample(4)])
      trial.expect(
        try await observation.next()?.rows, equals: [.insert(.sample(4), at: .init(section: 1, row: 0))],
        "the rows of the first change")
    }

    Clause(
      "threads.cancellation.under-way", "A call that is cancelled under way throws and changes nothing."
    ) { trial in
      try await trial.subject.save([.sample(1)])
      try await trial.expectCancelled(
        underWay: ServiceCall.writingThreads + ServiceCall.readingThreads, with: DataError.cancelled)
      trial.expect(try await trial.list(), equals: [.sample(1)], "the list after it")
    }

    Clause("threads.cancellation.at-any-time", "A save that is cancelled at any time stores all or nothing.")
    {
      trial in
      for round in 1...10 {
        let threads = (1...200).map { ForumThread.sample($0, inForum: round) }
        let observation = try await trial.observation(ofForum: round)
        let task = Task { try await trial.subject.save(threads) }
        // The cancellation occurs at different times: at once, after other work, and after something was stored.
        switch round % 3 {
        case 0: break
        case 1: for _ in 0..<trial.integer(in: 0...round * 8) { _ = try await trial.list() }
        default: _ = try await observation.next()
        }
        task.cancel()
        switch await task.result {
        case .success:
          trial.expect(try await trial.list(round).count, equals: 200, "the threads of a save that returned")
        case .failure(let error):
          trial.expect((error as? DataError) == .cancelled, "Expected a cancellation, found \(error).")
          trial.expect(try await trial.list(round).count, equals: 0, "the threads of a cancelled save")
        }
      }
    }
  }

  @ContractBuilder<Subject> static var threadsConcurrency: [Self] {
    Clause("threads.concurrency.saves", "Of a hundred saves at once each is stored, and told.") { trial in
      let observation = try await trial.observation()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in 1...100 { group.addTask { try await trial.subject.save([.sample(id)]) } }
        try await group.waitForAll()
      }
      let stored = try await trial.ids()
      trial.expect(stored, equals: Array((1...100).reversed()), "the threads")
      var told: [Int] = []
      // Reads until the stored list is delivered, not a hundred changes: a lost change would never be delivered.
      while told != stored {
        let change = try trial.require(try await observation.next(), "Expected a change, found the end.")
        told = change.sections.last.map { $0.map(\.id) } ?? []
      }
    }

    Clause("threads.concurrency.whole", "Who reads while a list is replaced sees the old one or the new one.")
    {
      trial in
      func generation(_ number: Int) -> [ForumThread] {
        (1...50).map { .sample($0 + number % 2 * 25).titled("Generation \(number)") }
      }
      try await trial.subject.replaceThreads(inForum: 1, with: generation(0))
      try await withThrowingTaskGroup(of: [[ForumThread]].self) { group in
        for _ in 1...2 {
          group.addTask {
            var lists: [[ForumThread]] = []
            for _ in 1...20 { lists.append(try await trial.list()) }
            return lists
          }
        }
        group.addTask {
          for number in 1...20 {
            try await trial.subject.replaceThreads(inForum: 1, with: generation(number))
          }
          return []
        }
        for try await lists in group {
          for list in lists {
            let titles = Set(list.map(\.title))
            trial.expect(
              list.count == 50 && titles.count == 1,
              "Expected fifty threads of one generation, found \(list.count) of \(titles.sorted()).")
          }
        }
      }
      trial.expect(Set(try await trial.list()), equals: Set(generation(20)), "the list at the end")
    }

    Clause("threads.concurrency.deletions", "Who reads while threads are deleted sees all or none of them.") {
      trial in
      let ids = Array(1...40)
      for round in 1...5 {
        try await trial.subject.save(ids.map { .sample($0) })
        let isDeleted = Locked(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 1...2 {
            group.addTask {
              repeat {
                let count = try await trial.list().count
                trial.expect(
                  [0, 40].contains(count), "Expected 40 threads or none in round \(round), found \(count).")
                await Task.yield()
              } while !isDeleted.withLock({ $0 })
            }
          }
          group.addTask {
            defer { isDeleted.withLock { $0 = true } }
            try await trial.subject.delete(threadIDs: ids)
          }
          try await group.waitForAll()
        }
        trial.expect(try await trial.list().count, equals: 0, "the number of threads after round \(round)")
      }
    }
  }

  @ContractBuilder<Subject> static var threadsDurability: [Self] {
    Clause("threads.durability.reopened", "A reopened store has everything that was stored before.") {
      trial in
      let unlisted = ForumThread.sample(60, inForum: nil)
      try await trial.subject.save((1...50).map { .sample($0) } + [unlisted])
      try await trial.subject.replaceThreads(inForum: 2, with: [.sample(51), .sample(52, isSticky: true)])
      try await trial.subject.markRead(threadID: 1, upTo: .max)
      try await trial.subject.delete(threadIDs: [2])
      let (one, two) = (try await trial.list(1), try await trial.list(2))
      let reopened = try await trial.given(.storeIsReopened)
      trial.expect(
        try await reopened.threads(inForum: 1, offset: 0, limit: nil), equals: one, "the one forum's list")
      trial.expect(
        try await reopened.threads(inForum: 2, offset: 0, limit: nil), equals: two, "the other forum's list")
      trial.expect(one.count, equals: 49, "the number of threads")
      trial.expect(try await reopened.thread(id: 60), equals: unlisted, "the thread of no forum")
      trial.expect(try await reopened.thread(id: 2), equals: nil, "the deleted thread")
      trial.expect(one.last?.reading, equals: .seen(unreadCount: 0), "what was read")
    }

    Clause(
      "threads.durability.shared",
      "Changes by another repository are read at once, and reported with the next call at the latest."
    ) { trial in
      let other = try await trial.given(.storeIsShared)
      let observation = try await trial.observation()
      trial.expect(try await trial.list(), equals: [], "the list at first")
      try await other.save([.sample(1)])
      trial.expect(try await trial.list(), equals: [.sample(1)], "the list")
      trial.expect(
        try await observation.next()?.rows, equals: [.insert(.sample(1), at: .init(section: 1, row: 0))],
        "the rows that the other's thread brought")
      try await other.markRead(threadID: 1, upTo: nil)
      try await trial.subject.save([.sample(2, inForum: 2)])
      let change = try await observation.next()
      trial.expect(change?.sections.last?.map(\.reading), equals: [.never], "what the other marked")
      for call in ServiceCall.writingThreads {
        try await trial.subject.replaceThreads(inForum: 1, with: [.sample(1)])
        _ = try await trial.list()
        try await call.run(other)
        let list = try await trial.list()
        trial.expect(
          list, equals: try await other.threads(inForum: 1, offset: 0, limit: nil),
          "the list after \(call.name) by the other")
        trial.expect(
          try await trial.subject.thread(id: 1), equals: list.first { $0.id == 1 },
          "the thread after \(call.name) by the other")
      }
    }
  }

  @ContractBuilder<Subject> static var threadsFailures: [Self] {
    Clause("threads.failure.every-call", "When the store fails, every call says so, and nothing is changed.")
    {
      trial in
      try await trial.subject.save([.sample(1)])
      try await trial.during(.storeFails) {
        for call in ServiceCall.writingThreads + ServiceCall.readingThreads {
          await trial.expectStoreError(by: call.name) { try await call.run(trial.subject) }
        }
      }
      trial.expect(try await trial.list(), equals: [.sample(1)], "the list after it")
    }

    Clause(
      "threads.failure.observed", "A list that can no longer be read ends its observation, with the failure."
    ) { trial in
      try await trial.subject.save([.sample(1)])
      let observation = try await trial.observation()
      try await trial.given(.storeIsLost)
      await trial.expectStoreError(by: "threads") { _ = try await trial.list() }
      await trial.expectStoreError(by: "the observation") { _ = try await observation.next() }
      trial.expect(try await observation.next(), equals: nil, "what comes after the failure")
    }

    Clause(
      "threads.failure.write",
      "A store that cannot be written can be read, its observers wait, and it works again afterwards."
    ) { trial in
      try await trial.subject.save([.sample(1)])
      let observation = try await trial.observation()
      try await trial.during(.storeCannotBeWritten) {
        for call in ServiceCall.writingThreads {
          await trial.expectStoreError(by: call.name) { try await call.run(trial.subject) }
        }
        trial.expect(try await trial.list(), equals: [.sample(1)], "the list meanwhile")
      }
      try await trial.subject.save([.sample(3)])
      trial.expect(
        try await observation.next()?.rows, equals: [.insert(.sample(3), at: .init(section: 1, row: 0))],
        "the rows of what could be written")
    }
  }
}
