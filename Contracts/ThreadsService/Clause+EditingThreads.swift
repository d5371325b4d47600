import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ThreadsService {
  @ContractBuilder<Subject> static var editingThreads: [Self] {
    Clause(
      "threads-service.mark.read", "A thread that is marked as read is read in the forum and in the store."
    ) { trial in
      var forum = try await trial.loadedForum()
      for thread in [forum.unread, forum.read] {
        try await trial.subject.markRead(thread)
        forum.lists.mark(.seen(unreadCount: 0), thread.id)
        try await trial.expect(forum.lists, inForum: forum.id, "after the mark of thread \(thread.id)")
      }
    }

    Clause(
      "threads-service.mark.up-to", "What was answered after the thread was shown stays unread in both."
    ) { trial in
      var forum = try await trial.loadedForum()
      for (newer, name) in [(2, "answered twice"), (3, "answered three times")] {
        var shown = try trial.thread(of: forum.lists.forum, name) { $0.replyCount >= newer }
        shown.replyCount -= newer
        try await trial.subject.markRead(shown)
        forum.lists.mark(.seen(unreadCount: newer), shown.id)
        try await trial.expect(forum.lists, inForum: forum.id, "after \(newer) newer answers")
      }
    }

    Clause(
      "threads-service.mark.unread",
      "A thread that is marked as unread was never read, in the forum and in the store."
    ) { trial in
      var forum = try await trial.loadedForum()
      let seen = try trial.thread(of: forum.lists.forum, "read to its end") {
        $0.reading == .seen(unreadCount: 0)
      }
      for thread in [forum.read, seen] {
        try await trial.subject.markUnread(thread)
        forum.lists.mark(.never, thread.id)
        try await trial.expect(forum.lists, inForum: forum.id, "after the mark of thread \(thread.id)")
      }
    }

    Clause(
      "threads-service.bookmark.set",
      "A bookmark is set, changed and removed, in the forum and in the store, with all else unchanged."
    ) { trial in
      var forum = try await trial.loadedForum()
      let bare = try trial.thread(of: forum.lists.forum, "not bookmarked") { $0.bookmark == nil }
      for (thread, bookmark) in [
        (bare, ForumThread.Bookmark.red), (forum.read, .purple), (bare, nil), (forum.read, .cyan),
        (bare, .orange), (forum.read, nil), (bare, .green), (bare, .yellow),
      ] as [(ForumThread, ForumThread.Bookmark?)] {
        try await trial.subject.setBookmark(bookmark, of: thread)
        forum.lists.bookmark(bookmark, thread.id)
        try await trial.expect(
          forum.lists, inForum: forum.id,
          "after the bookmark \(bookmark.map { "\($0)" } ?? "none") of thread \(thread.id)")
      }
    }

    Clause(
      "threads-service.edit.posted",
      "Each change is posted once, with the thread as it is stored, and nothing is posted for a load."
    ) { trial in
      let forum = try await trial.loadedForum()
      let updates = try await trial.given(.updatesAreReceived)
      try await trial.subject.loadThreads(inForum: forum.id, page: 1)
      try await trial.subject.loadBookmarks(page: 1)
      trial.expect(updates.posted(), equals: [], "what is posted after a load")
      var expected: [ForumThread] = []
      for (place, call) in forum.edits.enumerated() {
        try await call.run(trial.subject)
        let id = place.isMultiple(of: 2) ? forum.unread.id : forum.read.id
        let stored = try await trial.subject.sections(ofForum: forum.id).joined().first { $0.id == id }
        expected.append(try trial.require(stored, "Expected thread \(id) to be stored."))
        trial.expect(updates.posted(), equals: expected, "what is posted after \(call.name)")
      }
      // The stored thread is posted, not the one on the screen, which may be older.
      for (place, id) in [forum.unread.id, forum.read.id].enumerated() {
        var shown = try trial.require(expected.last { $0.id == id }, "Expected a posted thread.")
        (shown.title, shown.forumID) = ("An older title", nil)
        if place == 0 {
          try await trial.subject.markUnread(shown)
        } else {
          try await trial.subject.setBookmark(.red, of: shown)
        }
        let stored = try await trial.subject.sections(ofForum: forum.id).joined().first { $0.id == id }
        trial.expect(updates.posted().last, equals: stored, "what is posted of an older thread")
      }
    }

    Clause(
      "threads-service.edit.not-stored",
      "A thread that is not stored is changed in the forum, posted as it was shown, and not stored."
    ) { trial in
      var (id, lists) = try await trial.forumLists()
      let updates = try await trial.given(.updatesAreReceived)
      var expected: [ForumThread] = []
      func edit(
        _ thread: ForumThread, _ run: (ForumThread) async throws -> Void,
        _ change: (inout ForumThread) -> Void
      ) async throws {
        var thread = thread
        try await run(thread)
        change(&thread)
        expected.append(thread)
      }
      // What was shown is posted, whatever of it the forum does not know.
      for place in 0..<3 {
        var thread = lists.forum.threads[place]
        thread.title = "Zoe\u{308} of \(place)"
        thread.icons = ["First", "Second"]
        thread.forumID = place == 0 ? nil : 70 + place
        thread.author.name = "Kim"
        thread.lastPostAuthor = "Alex"
        thread.rating = .init(voteCount: 3, average: 2.5)
        thread.lastPostDate += 0.25
        thread.bookmark = [nil, .cyan, .green][place]
        try await edit(thread) {
          try await trial.subject.markRead($0)
        } _: {
          $0.reading = .seen(unreadCount: 0)
        }
        try await edit(thread) {
          try await trial.subject.markUnread($0)
        } _: {
          $0.reading = .never
        }
        try await edit(thread) {
          try await trial.subject.setBookmark(.purple, of: $0)
        } _: {
          $0.bookmark = .purple
        }
        lists.mark(.never, thread.id)
        lists.bookmark(.purple, thread.id)
      }
      let last = lists.forum.threads[3]
      try await edit(last) {
        try await trial.subject.markRead($0)
      } _: {
        $0.reading = .seen(unreadCount: 0)
      }
      lists.mark(.seen(unreadCount: 0), last.id)
      trial.expect(updates.posted().scalars, equals: expected.scalars, "the scalars of what is posted")
      trial.expect(updates.posted(), equals: expected, "what is posted")
      try await trial.expectStored([], inForum: id, "after it")
      try await trial.expectInForum(lists, "after it")
    }

    Clause(
      "threads-service.edit.anywhere", "A thread on any page, and one of a hidden forum, can be changed."
    ) { trial in
      let (long, pages) = try await trial.longForum()
      var last = try trial.require(pages.last, "Expected the pages of a forum.")
      let (_, lists) = try await trial.forumLists()
      let shown = lists.forum.threads.map(\.id)
      let hidden = try trial.thread(of: lists.bookmarks, "of a hidden forum") { !shown.contains($0.id) }
      try await trial.subject.loadThreads(inForum: long, page: last.number)
      try await trial.subject.loadBookmarks(page: 1)
      for thread in [last.threads[1], hidden] {
        try await trial.subject.markRead(thread)
        try await trial.subject.setBookmark(.purple, of: thread)
      }
      last.threads[1].reading = .seen(unreadCount: 0)
      last.threads[1].bookmark = .purple
      try await trial.expectStored(last.threads, inForum: long, "of the long forum")
      let device = try await trial.given(.readersOtherDevice)
      trial.expect(
        try await device.loadThreads(inForum: long, page: last.number), equals: last, "the forum's last page")
      let found = try await device.loadBookmarks(page: 1).threads.first { $0.id == hidden.id }
      trial.expect(found?.reading, equals: .seen(unreadCount: 0), "what was seen of the hidden thread")
      trial.expect(found?.bookmark, equals: .purple, "the bookmark of the hidden thread")
    }
  }

  @ContractBuilder<Subject> static var servingOtherReaders: [Self] {
    Clause(
      "threads-service.readers.apart",
      "What one reader loads, marks and bookmarks is neither stored nor changed for another one of the device."
    ) { trial in
      let forum = try await trial.loadedForum()
      let other = try await trial.given(.anotherReader)
      trial.expect(
        try await other.service.sections(ofForum: forum.id), equals: [[], []],
        "what is stored for the other reader")
      trial.expect(
        try await other.service.loadThreads(inForum: forum.id, page: 1), equals: other.lists.forum,
        "the other reader's page")
      try await trial.expectStored(
        forum.lists.forum.threads, inForum: forum.id, "once another reader has loaded the forum")
      for call in forum.edits { try await call.run(trial.subject) }
      trial.expect(
        try await other.service.sections(ofForum: forum.id), equals: other.lists.forum.threads.sections,
        "what is stored for the other reader after the changes")
      trial.expect(
        try await other.service.loadThreads(inForum: forum.id, page: 1), equals: other.lists.forum,
        "the other reader's page after the changes")
      trial.expect(
        try await other.service.loadBookmarks(page: 1), equals: other.lists.bookmarks,
        "the other reader's bookmarks after the changes")
      try await trial.expectStored(forum.edited.forum.threads, inForum: forum.id, "for the first reader")
    }
  }
}
