import SharedServices
import Understudy

extension Clause where Subject == any ThreadsService {
  @ContractBuilder<Subject> static var cancellingThreads: [Self] {
    Clause(
      "threads-service.cancellation.before",
      "A call of a cancelled task throws, and changes neither the store nor the forum."
    ) { trial in
      let forum = try await trial.loadedForum()
      try await trial.expectNothingStored(
        by: forum.loads + forum.edits + forum.reads, of: forum, "after cancelled calls"
      ) { calls in
        await trial.expectCancelled(beforehand: calls, with: DataError.cancelled)
      }
    }

    Clause(
      "threads-service.cancellation.under-way",
      "A call that is cancelled before it reaches the forum throws, and changes neither the store nor the forum."
    ) { trial in
      let forum = try await trial.loadedForum()
      try await trial.expectNothingStored(
        by: forum.loads + forum.edits, of: forum, "after cancelled calls"
      ) { calls in
        try await trial.expectCancelled(underWay: calls, with: DataError.cancelled)
      }
    }

    Clause(
      "threads-service.cancellation.loaded",
      "A load that is cancelled when the forum has answered throws, and stores nothing."
    ) { trial in
      let forum = try await trial.loadedForum()
      let device = try await trial.given(.readersOtherDevice)
      for call in forum.edits { try await call.run(device) }
      for call in forum.loads {
        try await trial.during(.storeIsSlow) { held in
          let load = Task { try await call.run(trial.subject) }
          await held.wait(forCalls: 1)
          load.cancel()
          await trial.expect(throws: DataError.cancelled) { try await load.value }
        }
        try await trial.expectStored(
          forum.lists.forum.threads, inForum: forum.id, "after \(call.name) was cancelled")
      }
    }

    Clause(
      "threads-service.cancellation.accepted",
      "A change that the forum has accepted is stored and posted, even if its task is cancelled then."
    ) { trial in
      let forum = try await trial.loadedForum()
      let updates = try await trial.given(.updatesAreReceived)
      for call in forum.edits {
        try await trial.during(.storeIsSlow) { held in
          let edit = Task { try await call.run(trial.subject) }
          await held.wait(forCalls: 1)
          edit.cancel()
          await held.release()
          _ = try await trial.require("\(call.name) to succeed") { try await edit.value }
        }
      }
      try await trial.expect(forum.edited, inForum: forum.id, "after the cancelled changes")
      trial.expect(updates.posted().count, equals: forum.edits.count, "the number of posted threads")
    }

    Clause("threads-service.cancellation.others", "Cancelling one call leaves another one alone.") { trial in
      let forum = try await trial.loadedForum()
      for (one, other) in [
        (forum.edits[0], forum.edits[1]), (forum.loads[0], forum.edits[2]), (forum.edits[2], forum.loads[0]),
        (forum.loads[1], forum.edits[3]),
      ] {
        try await trial.during(.callsAreHeld) { held in
          let cancelled = Task { try await one.run(trial.subject) }
          await held.wait(forCalls: 1)
          let kept = Task { try await other.run(trial.subject) }
          await held.wait(forCalls: 2)
          cancelled.cancel()
          await trial.expect(throws: DataError.cancelled) { try await cancelled.value }
          await held.release()
          _ = try await trial.require("\(other.name) to succeed") { try await kept.value }
        }
      }
      var expected = forum.lists
      expected.mark(.never, forum.read.id)
      expected.bookmark(.green, forum.unread.id)
      expected.bookmark(nil, forum.read.id)
      try await trial.expect(expected, inForum: forum.id, "after the kept calls")
    }
  }

  @ContractBuilder<Subject> static var racingThreads: [Self] {
    Clause(
      "threads-service.race.edit",
      "A change and a load at once leave in the store what the forum has, whichever is first."
    ) { trial in
      let forum = try await trial.loadedForum()
      for (place, edit) in forum.edits.enumerated() {
        let load = forum.loads[place % 2 == 0 ? 0 : 2]
        let calls = place < 2 ? [load, edit] : [edit, load]
        try await trial.during(.callsAreHeld) { held in
          var tasks: [Task<Void, any Error>] = []
          for call in calls {
            tasks.append(Task { try await call.run(trial.subject) })
            await held.wait(forCalls: tasks.count)
          }
          await held.release()
          for task in tasks { try await task.value }
        }
      }
      try await trial.expect(forum.edited, inForum: forum.id, "after all calls")
    }

    Clause(
      "threads-service.race.bookmarks", "Of two bookmarks of one thread at once, each succeeds and is posted."
    ) {
      trial in
      let forum = try await trial.loadedForum()
      let updates = try await trial.given(.updatesAreReceived)
      let tasks = try await trial.during(.callsAreHeld) { held in
        var tasks: [Task<Void, any Error>] = []
        for bookmark in [ForumThread.Bookmark.green, .red] {
          tasks.append(Task { try await trial.subject.setBookmark(bookmark, of: forum.unread) })
          await held.wait(forCalls: tasks.count)
        }
        await held.release()
        return tasks
      }
      for task in tasks { try await trial.require("beside another one to succeed") { try await task.value } }
      // Each is posted as it is stored then, which may be the later one.
      trial.expect(updates.posted().count, equals: 2, "the number of posted threads")
      let last = updates.posted().last?.bookmark
      trial.expect(
        last == .green || last == .red,
        "Expected the last bookmark to be one of the two, found \(last as Any).")
    }

    Clause(
      "threads-service.race.stored-late",
      "A page that the forum made before a change, and that is stored after it, does not undo the change."
    ) { trial in
      let forum = try await trial.loadedForum()
      for (place, edit) in forum.edits.enumerated() {
        let load = forum.loads[place % 2 == 0 ? 0 : 2]
        try await trial.during(.storeIsSlow) { held in
          let task = Task { try await load.run(trial.subject) }
          await held.wait(forCalls: 1)
          _ = try await trial.require("\(edit.name) to succeed") { try await edit.run(trial.subject) }
          await held.release()
          try await task.value
        }
      }
      try await trial.expect(forum.edited, inForum: forum.id, "after all calls")
    }

    Clause("threads-service.race.lists", "Each of several lists that are loaded at once has its own threads.")
    { trial in
      let (id, lists) = try await trial.forumLists()
      let (long, pages) = try await trial.longForum()
      try await trial.during(.callsAreHeld) { held in
        let first = Task { try await trial.subject.loadThreads(inForum: id, page: 1) }
        await held.wait(forCalls: 1)
        let second = Task { try await trial.subject.loadThreads(inForum: long, page: 1) }
        await held.wait(forCalls: 2)
        let third = Task { try await trial.subject.loadBookmarks(page: 1) }
        await held.wait(forCalls: 3)
        await held.release()
        trial.expect(try await first.value, equals: lists.forum, "the page of the forum")
        trial.expect(try await second.value, equals: pages[0], "the page of the long forum")
        trial.expect(try await third.value, equals: lists.bookmarks, "the bookmarks")
      }
      try await trial.expectStored(lists.forum.threads, inForum: id, "of the forum")
      try await trial.expectStored(pages[0].threads, inForum: long, "of the long forum")
    }
  }

  @ContractBuilder<Subject> static var observingService: [Self] {
    Clause(
      "threads-service.observe.changes",
      "An observer receives the stored list, and then the change of each call that changes it."
    ) { trial in
      let forum = try await trial.loadedForum()
      let (long, pages) = try await trial.longForum()
      let observation = try await trial.observation(ofForum: forum.id)
      trial.expect(
        observation.first, equals: ThreadListChange(sections: forum.lists.forum.threads.sections, rows: []),
        "the first value")
      var lists = forum.lists
      lists.mark(.seen(unreadCount: 0), forum.unread.id)
      try await trial.subject.markRead(forum.unread)
      trial.expect(
        try await observation.next(),
        equals: ThreadListChange(
          from: forum.lists.forum.threads.sections, to: lists.forum.threads.sections), "the change of a mark")
      // Its title is decomposed.
      let decomposed = try trial.thread(of: lists.forum, "decomposed") {
        $0.title.unicodeScalars.contains("\u{308}")
      }
      try await trial.subject.markUnread(decomposed)
      lists.mark(.never, decomposed.id)
      let change = try trial.require(try await observation.next(), "Expected a change, found the end.")
      trial.expect(
        Array(change.sections.joined()).scalars, equals: lists.forum.threads.scalars,
        "the scalars of the list")
      let updated = change.rows.compactMap { if case .update(let thread, _) = $0 { thread } else { nil } }
      trial.expect(updated.scalars, equals: [decomposed].scalars, "the scalars of the updated row")
      let marked = lists
      lists.bookmark(nil, forum.read.id)
      try await trial.subject.setBookmark(nil, of: forum.read)
      trial.expect(
        try await observation.next(),
        equals: ThreadListChange(from: marked.forum.threads.sections, to: lists.forum.threads.sections),
        "the change of a bookmark")
      let other = try await trial.observation(ofForum: long)
      trial.expect(other.first, equals: ThreadListChange(sections: [[], []], rows: []), "an empty list")
      var stored: [ForumThread] = []
      for page in pages.prefix(2) {
        try await trial.subject.loadThreads(inForum: long, page: page.number)
        trial.expect(
          try await other.next(),
          equals: ThreadListChange(from: stored.sections, to: (stored + page.threads).sections),
          "the change of page \(page.number)")
        stored += page.threads
      }
    }

    Clause(
      "threads-service.observe.nothing", "A call that fails, and one for another forum, is not observed."
    ) { trial in
      let forum = try await trial.loadedForum()
      let (long, _) = try await trial.longForum()
      let observation = try await trial.observation(ofForum: forum.id)
      try await trial.during(.offline) {
        for call in forum.loads + forum.edits {
          await trial.expect(call, throws: .networkError(.noConnection))
        }
      }
      try await trial.subject.loadThreads(inForum: long, page: 1)
      try await trial.subject.loadThreads(inForum: forum.id, page: 1)
      try await trial.subject.markUnread(forum.read)
      var lists = forum.lists
      lists.mark(.never, forum.read.id)
      trial.expect(
        try await observation.next(),
        equals: ThreadListChange(
          from: forum.lists.forum.threads.sections, to: lists.forum.threads.sections),
        "the first change")
    }
  }
}
