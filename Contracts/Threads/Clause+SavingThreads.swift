import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ThreadsRepository {
  @ContractBuilder<Subject> static var savingThreads: [Self] {
    Clause("threads.save.stored", "A thread that was saved is read as it was given, whatever it has.") {
      trial in
      let whole = ForumThread.sample(1)
      let bare = ForumThread(
        id: 2, forumID: 1, title: "", author: ForumUser(id: 0, name: ""), lastPostDate: .distantPast,
        lastPostAuthor: "")
      try await trial.subject.save([whole, bare])
      trial.expect(try await trial.subject.thread(id: 1), equals: whole, "the thread with everything")
      trial.expect(try await trial.subject.thread(id: 2), equals: bare, "the thread with nothing")
      trial.expect(try await trial.list(), equals: [whole, bare], "the list")
    }

    Clause("threads.save.bookmarks", "Each colour of a bookmark is kept.") { trial in
      for bookmark in ForumThread.Bookmark.allCases {
        var thread = ForumThread.sample(1)
        thread.bookmark = bookmark
        try await trial.subject.save([thread])
        trial.expect(try await trial.subject.thread(id: 1)?.bookmark, equals: bookmark, "the bookmark")
      }
    }

    Clause("threads.save.updated", "A thread that is saved again takes all new values, and is there once.") {
      trial in
      try await trial.subject.save([.sample(1), .sample(2, at: 1)])
      let other = ForumThread(
        id: 1, forumID: 1, title: "Other", isSticky: true, author: ForumUser(id: 8, name: "Alex"),
        lastPostDate: ForumThread.sample(1, at: 5).lastPostDate, lastPostAuthor: "Alex")
      try await trial.subject.save([other])
      trial.expect(try await trial.list(), equals: [other, .sample(2, at: 1)], "the list")
    }

    Clause("threads.save.moved", "A thread that is saved in another forum is in the old one no more.") {
      trial in
      try await trial.subject.save([.sample(1), .sample(2)])
      try await trial.subject.save([.sample(1, inForum: 2)])
      trial.expect(try await trial.ids(1), equals: [2], "the old forum's threads")
      trial.expect(try await trial.ids(2), equals: [1], "the new forum's threads")
    }

    Clause(
      "threads.save.forum-unknown",
      "A thread without a forum keeps its stored forum; without a stored forum it is in no list."
    ) { trial in
      try await trial.subject.save([.sample(1)])
      let unknown = [ForumThread.sample(1, inForum: nil).titled("Other"), .sample(2, inForum: nil)]
      try await trial.subject.save(unknown)
      trial.expect(try await trial.list(), equals: [.sample(1).titled("Other")], "the list")
      trial.expect(try await trial.subject.thread(id: 2), equals: unknown[1], "the thread without a forum")
    }

    Clause("threads.save.twice", "Of two threads with one id in one call the last one counts.") { trial in
      try await trial.subject.save([.sample(1).titled("One"), .sample(2), .sample(1).titled("Two")])
      trial.expect(try await trial.subject.thread(id: 1)?.title, equals: "Two", "the title")
      trial.expect(try await trial.ids(), equals: [2, 1], "the list")
      try await trial.subject.save(["One", "Two", "One"].map { .sample(1).titled($0) })
      trial.expect(try await trial.subject.thread(id: 1)?.title, equals: "One", "the title that came twice")
    }

    Clause(
      "threads.save.unicode",
      "Texts that are saved, or replace others, come back scalar for scalar, whatever they are made of."
    ) { trial in
      for (place, text) in Self.texts.enumerated() {
        for (name, id) in [("save", place), ("replaceThreads", 100 + place)] {
          var thread = ForumThread.sample(id)
          (thread.title, thread.author.name, thread.lastPostAuthor) = (text, text, text)
          thread.icons = [text, "", text]
          if name == "save" {
            try await trial.subject.save([thread])
          } else {
            try await trial.subject.replaceThreads(inForum: 1, with: [thread])
          }
          let stored = try await trial.subject.thread(id: id)
          let texts = [stored?.title, stored?.author.name, stored?.lastPostAuthor] + (stored?.icons ?? [])
          // String equality ignores the normalization form, so this compares Unicode scalars.
          trial.expect(
            texts.map { $0.map { Array($0.unicodeScalars) } },
            equals: [text, text, text, text, "", text].map { Array($0.unicodeScalars) },
            "the scalars of \(text.debugDescription) after \(name)")
        }
      }
    }

    Clause("threads.save.extremes", "The greatest and the least numbers are kept as they are.") { trial in
      for (number, date) in [
        (Int.max, Date.distantFuture), (.min, .distantPast), (0, Date(timeIntervalSince1970: 0.1)),
      ] {
        var thread = ForumThread.sample(number, inForum: number)
        (thread.author.id, thread.replyCount, thread.lastPostDate) = (number, number, date)
        (thread.rating, thread.reading) = (.init(voteCount: number, average: 0.1), .seen(unreadCount: number))
        try await trial.subject.save([thread])
        trial.expect(try await trial.list(number), equals: [thread], "the list")
      }
    }

    Clause("threads.save.dates", "A date is kept to the microsecond, and sorted by it.") { trial in
      // Not in the order of their ids, by which threads of one date are sorted.
      let seconds = [790_000_000.123_457, 790_000_000.123_456, 790_000_000.123_458, -790_000_000.654_321]
      let threads = seconds.enumerated().map { id, seconds in
        var thread = ForumThread.sample(id)
        thread.lastPostDate = Date(timeIntervalSinceReferenceDate: seconds)
        return thread
      }
      try await trial.subject.save(threads)
      for thread in threads {
        let stored = try await trial.subject.thread(id: thread.id)
        trial.expect(
          stored?.lastPostDate.timeIntervalSinceReferenceDate,
          equals: thread.lastPostDate.timeIntervalSinceReferenceDate, "the date of thread \(thread.id)")
      }
      trial.expect(try await trial.ids(), equals: [2, 0, 1, 3], "the threads")
    }

    Clause("threads.save.many", "A call stores, replaces or deletes thirty-three thousand threads as one.") {
      trial in
      let threads = (1...33_000).map { ForumThread.sample($0) }
      try await trial.subject.save(threads)
      trial.expect(
        try await trial.subject.threads(inForum: 1, offset: 32_998, limit: 5).map(\.id), equals: [2, 1],
        "the last page")
      try await trial.subject.replaceThreads(inForum: 1, with: Array(threads.dropFirst()))
      trial.expect(
        try await trial.subject.threads(inForum: 1, offset: 32_997, limit: 5).map(\.id), equals: [3, 2],
        "the last page after a replacement")
      try await trial.subject.delete(threadIDs: threads.dropFirst(3).map(\.id))
      trial.expect(try await trial.ids(), equals: [3, 2], "the threads after a deletion")
    }

    Clause(
      "threads.save.nonsense", "A thread whose date is not a number is refused, with all threads of the call."
    ) { trial in
      let others = [ForumThread.sample(5, inForum: 2), .sample(6, inForum: nil)]
      try await trial.subject.save([.sample(1)] + others)
      for id in [1, 3, 5] {
        var (undated, unrated) = (ForumThread.sample(id), ForumThread.sample(id))
        undated.lastPostDate = Date(timeIntervalSinceReferenceDate: .nan)
        unrated.rating?.average = .nan
        for (value, nonsense) in [("date", undated), ("rating", unrated)] {
          for (place, threads) in [
            ("alone", [nonsense]), ("first", [nonsense, .sample(2)]), ("last", [.sample(2), nonsense]),
            ("last of many", (10...130).map { .sample($0) } + [nonsense]),
          ] {
            let what = "of thread \(id) without a \(value), \(place)"
            await trial.expectStoreError(by: "save \(what)") { try await trial.subject.save(threads) }
            for forumID in [1, 2] {
              await trial.expectStoreError(by: "replaceThreads in forum \(forumID) \(what)") {
                try await trial.subject.replaceThreads(inForum: forumID, with: threads)
              }
            }
          }
        }
      }
      // Compares ids, because describing a NaN date traps.
      trial.expect(try await trial.ids(), equals: [1], "the threads after it")
      trial.expect(try await trial.ids(2), equals: [5], "the other forum's threads after it")
      trial.expect(try await trial.subject.thread(id: 1), equals: .sample(1), "the thread that was there")
      for other in others {
        trial.expect(try await trial.subject.thread(id: other.id), equals: other, "thread \(other.id)")
      }
      for id in [2, 3] { trial.expect(try await trial.subject.thread(id: id), equals: nil, "thread \(id)") }
    }
  }

  /// Texts that often break quoting, escaping, trimming, length limits or normalization.
  private static var texts: [String] {
    [
      "Zoë", "Zoe\u{308}", "王小明", "👩‍👧‍👦", "O'Neil", #"a "b" \c"#, "tab\tline\r\nend", "null", "100 %", "%2F",
      "a/b",
      "/", " \tbetween spaces\u{3000}\n", "%25/%", "\u{301}begins with a mark", "before\0after",
      "\u{FEFF}mark", "; DROP TABLE threads; --",
      String(repeating: "ł", count: 70_000),
    ]
  }
}
