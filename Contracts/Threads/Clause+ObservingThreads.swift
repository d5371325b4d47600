import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ThreadsRepository {
  @ContractBuilder<Subject> static var observingThreads: [Self] {
    Clause("threads.observe.first", "The first value is the list as it is, in its sections, without rows.") {
      trial in
      let empty = try await trial.observation(ofForum: 2)
      trial.expect(empty.first, equals: ThreadListChange(sections: [[], []], rows: []), "an empty list")
      try await trial.subject.save([.sample(1), .sample(2, isSticky: true), .sample(3)])
      let observation = try await trial.observation()
      trial.expect(
        observation.first,
        equals: ThreadListChange(
          sections: [[.sample(2, isSticky: true)], [.sample(3), .sample(1)]], rows: []), "the list")
    }

    Clause("threads.observe.inserted", "An inserted thread is reported with its place in the new list.") {
      trial in
      try await trial.subject.save([.sample(1), .sample(3)])
      let observation = try await trial.observation()
      try await trial.subject.save([.sample(2)])
      trial.expect(
        try await observation.next()?.rows, equals: [.insert(.sample(2), at: .init(section: 1, row: 1))],
        "the rows")
    }

    Clause("threads.observe.updated", "An updated thread is reported with its place in the old list.") {
      trial in
      try await trial.subject.save([.sample(1), .sample(2), .sample(3)])
      let observation = try await trial.observation()
      var thread = ForumThread.sample(2)
      try await trial.subject.markRead(threadID: 2, upTo: .max)
      thread.reading = .seen(unreadCount: 0)
      try await expectUpdate("the change of a mark")
      for bookmark in [ForumThread.Bookmark.green, nil, .red] {
        try await trial.subject.setBookmark(bookmark, threadID: 2)
        thread.bookmark = bookmark
        try await expectUpdate("the change of a bookmark")
      }

      func expectUpdate(_ subject: String) async throws {
        trial.expect(
          try await observation.next(),
          equals: ThreadListChange(
            sections: [[], [.sample(3), thread, .sample(1)]],
            rows: [.update(thread, at: .init(section: 1, row: 1))]), subject)
      }
    }

    Clause("threads.observe.deleted", "A deleted thread is reported with its place in the old list.") {
      trial in
      try await trial.subject.save([.sample(1), .sample(2), .sample(3)])
      let observation = try await trial.observation()
      try await trial.subject.delete(threadIDs: [3, 1])
      trial.expect(
        try await observation.next()?.rows,
        equals: [
          .delete(.sample(3), at: .init(section: 1, row: 0)),
          .delete(.sample(1), at: .init(section: 1, row: 2)),
        ], "the rows")
    }

    Clause("threads.observe.moved", "A moved thread is reported with its places in the old and the new list.")
    {
      trial in
      try await trial.subject.save([.sample(1), .sample(2), .sample(3)])
      let observation = try await trial.observation()
      try await trial.subject.save([.sample(1, at: 5)])
      trial.expect(
        try await observation.next()?.rows,
        equals: [.move(.sample(1, at: 5), from: .init(section: 1, row: 2), to: .init(section: 1, row: 0))],
        "the rows of a new post")
      try await trial.subject.save([.sample(2, isSticky: true)])
      trial.expect(
        try await observation.next()?.rows,
        equals: [
          .move(.sample(2, isSticky: true), from: .init(section: 1, row: 2), to: .init(section: 0, row: 0))
        ], "the rows of a thread that becomes sticky")
      try await trial.subject.save([.sample(1, inForum: 2)])
      trial.expect(
        try await observation.next()?.rows,
        equals: [.delete(.sample(1, at: 5), at: .init(section: 1, row: 0))],
        "the rows of a thread that moves to another forum")
    }

    Clause(
      "threads.observe.law",
      "The rows, applied to the old list, give the new one, whatever is stored, and one change for each call."
    ) { trial in
      let observation = try await trial.observation()
      var sections = observation.first.sections
      for step in 1...60 {
        // The mark always changes the list, whatever else the step does.
        let mark = ForumThread.sample(1_000 + step, at: trial.integer(in: 0...20))
        let others = (0..<trial.integer(in: 0...8)).map { _ in
          ForumThread.sample(
            trial.integer(in: 1...20), at: trial.integer(in: 0...20), isSticky: trial.integer(in: 0...3) == 0)
        }
        if trial.integer(in: 0...4) == 0 {
          try await trial.subject.replaceThreads(inForum: 1, with: others + [mark])
        } else {
          try await trial.subject.save(others + [mark])
        }
        let change = try trial.require(try await observation.next(), "Expected a change, found the end.")
        trial.expect(
          change.rowsApplied(to: sections) == change.sections,
          "Expected the rows of step \(step) to lead from \(Self.show(sections)) to \(Self.show(change.sections)), "
            + "found \(change.rowsApplied(to: sections).map(Self.show) ?? "that they do not fit").")
        trial.expect(
          change.sections == (try await trial.list()).sections,
          "Expected the change of step \(step) to have the list as it is stored.")
        sections = change.sections
      }
    }

    Clause("threads.observe.every-call", "Each call that changes a list is reported once, with that list.") {
      trial in
      for (number, call) in ServiceCall.writingThreads.enumerated() {
        try await trial.subject.replaceThreads(inForum: 1, with: [.sample(1)])
        let observation = try await trial.observation()
        try await call.run(trial.subject)
        let list = try await trial.list()
        trial.expect(
          try await observation.next()?.sections, equals: list.sections, "the list after \(call.name)")
        let next = ForumThread.sample(10 + number, at: 9)
        try await trial.subject.save([next])
        trial.expect(
          try await observation.next()?.rows, equals: [.insert(next, at: .init(section: 1, row: 0))],
          "the rows of the change after \(call.name)")
      }
    }

    Clause(
      "threads.observe.forums",
      "Threads that move between forums are reported to the observers of each forum."
    ) { trial in
      let observations = [try await trial.observation(), try await trial.observation(ofForum: 2)]
      var sections = observations.map(\.first.sections)
      for step in 1...40 {
        // The marks always change both lists, whatever else the step does.
        let marks = [1, 2].map { ForumThread.sample(1_000 * $0 + step, inForum: $0, at: 50) }
        let others = (0..<trial.integer(in: 0...6)).map { _ in
          ForumThread.sample(
            trial.integer(in: 1...9), inForum: trial.integer(in: 1...2), at: trial.integer(in: 0...9),
            isSticky: trial.integer(in: 0...3) == 0)
        }
        try await trial.subject.save(others + marks)
        for place in [0, 1] {
          let change = try trial.require(
            try await observations[place].next(), "Expected a change of forum \(place + 1), found the end.")
          trial.expect(
            change.rowsApplied(to: sections[place]) == change.sections,
            "Expected rows that lead to the change's list of forum \(place + 1) in step \(step).")
          trial.expect(
            change.sections == (try await trial.list(place + 1)).sections,
            "Expected the change of step \(step) to have the list of forum \(place + 1).")
          sections[place] = change.sections
        }
      }
    }

    Clause("threads.observe.nothing", "A call that changes nothing in the list is not told.") { trial in
      try await trial.subject.save([.sample(1), .sample(2, inForum: 2)])
      let observation = try await trial.observation()
      try await trial.subject.save([.sample(1)])
      try await trial.subject.markRead(threadID: 2, upTo: .max)
      try await trial.subject.delete(threadIDs: [9])
      try await trial.subject.replaceThreads(inForum: 2, with: [.sample(3)])
      try await trial.subject.save([.sample(4, at: 1)])
      trial.expect(
        try await observation.next()?.rows,
        equals: [.insert(.sample(4, at: 1), at: .init(section: 1, row: 0))], "the rows of the first change")
    }

    Clause("threads.observe.refused", "What is refused is not told.") { trial in
      let observation = try await trial.observation()
      var nonsense = ForumThread.sample(2)
      nonsense.lastPostDate = Date(timeIntervalSinceReferenceDate: .nan)
      await trial.expectStoreError(by: "save") { try await trial.subject.save([.sample(1), nonsense]) }
      await trial.expectStoreError(by: "replaceThreads") {
        try await trial.subject.replaceThreads(inForum: 1, with: [.sample(1), nonsense])
      }
      try await trial.subject.save([.sample(4)])
      // Compares ids, because describing a NaN date traps.
      let sections = try await observation.next()?.sections
      trial.expect(
        sections?.map { $0.map(\.id) }, equals: [[], [4]], "the threads of the first change")
    }
  }

  @ContractBuilder<Subject> static var mergingChanges: [Self] {
    Clause("threads.merge.slow", "A reader that is slow gets fewer changes, which lead to the same list.") {
      trial in
      try await trial.subject.save((1...20).map { .sample($0) })
      let observation = try await trial.observation()
      var sections = observation.first.sections
      for step in 1...100 {
        let id = trial.integer(in: 1...30)
        if step.isMultiple(of: 3) {
          try await trial.subject.delete(threadIDs: [id])
        } else {
          try await trial.subject.save([.sample(id, at: step)])
        }
      }
      let last = (try await trial.list()).sections
      var count = 0
      while sections != last {
        let change = try trial.require(try await observation.next(), "Expected a change, found the end.")
        trial.expect(
          change.rowsApplied(to: sections) == change.sections, "Expected rows that lead to the change's list."
        )
        sections = change.sections
        count += 1
      }
      trial.expect(count < 100, "Expected fewer changes than the hundred calls, found \(count).")
    }

    Clause("threads.merge.cancelled-out", "What came and went between two readings is not told.") { trial in
      try await trial.subject.save([.sample(1)])
      let observation = try await trial.observation()
      try await trial.subject.save([.sample(2)])
      try await trial.subject.delete(threadIDs: [2])
      try await trial.subject.save([.sample(3)])
      trial.expect(
        try await observation.next()?.rows, equals: [.insert(.sample(3), at: .init(section: 1, row: 0))],
        "the rows")
    }

    Clause(
      "threads.merge.waits-for-nobody", "A reader that never reads holds up no call and no other reader."
    ) { trial in
      let idle = try await trial.subject.changes(inForum: 1)
      let observation = try await trial.observation()
      for id in 1...50 { try await trial.subject.save([.sample(id)]) }
      trial.expect(
        try await observation.next()?.sections, equals: (try await trial.list()).sections, "the other's list")
      var iterator = idle.makeAsyncIterator()
      trial.expect(
        try await iterator.next()?.sections, equals: [[], []], "the first value of the one that never read")
      trial.expect(
        try await iterator.next()?.sections, equals: (try await trial.list()).sections, "its second value")
    }
  }

  @ContractBuilder<Subject> static var severalObservers: [Self] {
    Clause("threads.observers.all", "Each of several observers gets every change to its forum.") { trial in
      let one = try await trial.observation()
      let two = try await trial.observation()
      let other = try await trial.observation(ofForum: 2)
      try await trial.subject.save([.sample(1), .sample(2, inForum: 2)])
      let rows: [ThreadListChange.Row] = [.insert(.sample(1), at: .init(section: 1, row: 0))]
      trial.expect(try await one.next()?.rows, equals: rows, "the one's rows")
      trial.expect(try await two.next()?.rows, equals: rows, "the other's rows")
      trial.expect(
        try await other.next()?.sections, equals: [[], [.sample(2, inForum: 2)]], "the other forum's list")
    }

    Clause("threads.observers.left", "An observer that leaves ends its own observation, and no other.") {
      trial in
      let counted = try await trial.given(.observersAreCounted)
      let kept = try await trial.observation()
      for try await _ in try await trial.subject.changes(inForum: 1) { break }
      trial.expect(await counted.count(), equals: 1, "the number of observers")
      try await trial.subject.save([.sample(1)])
      trial.expect(try await kept.next()?.sections, equals: [[], [.sample(1)]], "the other's list")
    }

    Clause("threads.observers.unread", "An observation without a reader ends with its last reference.") {
      trial in
      let counted = try await trial.given(.observersAreCounted)
      do { _ = try await trial.subject.changes(inForum: 1) }
      trial.expect(await counted.count(), equals: 0, "the number of observers")
    }

    Clause("threads.observers.cancelled", "Cancelling one that waits ends its observation, and no other.") {
      trial in
      let counted = try await trial.given(.observersAreCounted)
      let kept = try await trial.observation()
      let observation = try await trial.observation()
      let task = Task { try await observation.next() }
      task.cancel()
      // An observer that was cancelled before it waited may receive an error; one that waited receives the end.
      switch await task.result {
      case .success(let change): trial.expect(change, equals: nil, "the change after the cancellation")
      case .failure(let error):
        trial.expect(
          (error as? DataError) == .cancelled || error is CancellationError,
          "Expected a cancellation, found \(error).")
      }
      trial.expect(try await observation.next(), equals: nil, "what comes after the end")
      trial.expect(await counted.count(), equals: 1, "the number of observers")
      try await trial.subject.save([.sample(1)])
      trial.expect(try await kept.next()?.sections, equals: [[], [.sample(1)]], "the other's list")
    }
  }

  private static func show(_ sections: [[ForumThread]]) -> String {
    "\(sections.map { $0.map(\.id) })"
  }
}
