import SharedServices
import Understudy

extension Clause where Subject == any ThreadsService {
  @ContractBuilder<Subject> static var failingForum: [Self] {
    Clause(
      "threads-service.failure.forum",
      "A failure of the network or of the server is reported as what it is, and nothing is stored or posted."
    ) { trial in
      let forum = try await trial.loadedForum()
      let failures: [(Condition<Void>, NetworkError)] = [
        (.serverFails, .serverError), (.doesNotAnswer, .timeout), (.offline, .noConnection),
        (.connectionBreaks, .connectionLost),
      ]
      for (condition, error) in failures {
        try await trial.expectNothingStored(by: forum.loads + forum.edits, of: forum, "while \(condition)") {
          calls in
          try await trial.during(condition) {
            for call in calls { await trial.expect(call, throws: .networkError(error)) }
          }
        }
      }
      let calls = forum.loads + forum.edits
      try await trial.expectNothingStored(by: calls, of: forum, "after too many requests") { calls in
        try await trial.during(.tooManyRequests) { delay in
          for call in calls {
            await trial.expect(call, throws: .networkError(.rateLimited(retryAfter: delay)))
          }
        }
      }
    }

    Clause(
      "threads-service.failure.refused",
      "A refusal of the forum is reported with its reason, and nothing is stored or posted."
    ) { trial in
      let forum = try await trial.loadedForum()
      let calls = forum.loads + forum.edits
      for (condition, refusal) in [
        (Condition.readerIsBanned, ForumRefusal.banned), (.databaseIsDown, .databaseDown),
        (.threadIsClosed, .threadClosed),
      ] {
        try await trial.expectNothingStored(by: calls, of: forum, "while \(condition)") { calls in
          try await trial.during(condition) {
            for call in calls { await trial.expect(call, throws: .refused(refusal)) }
          }
        }
      }
      try await trial.expectNothingStored(by: calls, of: forum, "while the reader is signed out") { calls in
        try await trial.during(.readerIsGuest) { words in
          for call in calls { await trial.expect(call, throws: .refused(.notSignedIn(words))) }
        }
      }
      try await trial.expectNothingStored(by: calls, of: forum, "while the forum refuses with words") {
        calls in
        try await trial.during(.forumObjects) { words in
          for call in calls { await trial.expect(call, throws: .refused(.other(words))) }
        }
      }
    }

    Clause(
      "threads-service.failure.unreadable",
      "A page that cannot be read is a parsing error, never an empty list, and nothing is stored."
    ) { trial in
      let forum = try await trial.loadedForum()
      try await trial.expectNothingStored(by: forum.loads, of: forum, "after an unreadable answer") { calls in
        try await trial.during(.answerIsUnreadable) {
          for call in calls {
            await trial.expect(
              "\(call.name) to throw a parsing error", from: { try await call.run(trial.subject) }
            ) {
              if case .parsingError = $0 as? DataError { true } else { false }
            }
          }
        }
      }
    }

    Clause("threads-service.failure.absent", "A missing forum, and a missing thread, are refused with words.")
    { trial in
      let forum = try await trial.loadedForum()
      let free = try await trial.given(.idIsFree)
      let absent = ForumThread.sample(free, inForum: forum.id)
      try await trial.expectNothingStored(
        by: [
          .init(name: "loadThreads") { try await $0.loadThreads(inForum: free, page: 1) },
          .init(name: "markRead") { try await $0.markRead(absent) },
          .init(name: "markUnread") { try await $0.markUnread(absent) },
          .init(name: "setBookmark") { try await $0.setBookmark(.red, of: absent) },
        ], of: forum, "after a call for what is missing"
      ) { calls in
        for call in calls {
          await trial.expect(
            "\(call.name) to be refused with words", from: { try await call.run(trial.subject) }
          ) {
            if case .refused(.other(let words)) = $0 as? DataError { !words.isEmpty } else { false }
          }
        }
      }
    }

    Clause("threads-service.failure.offline-reading", "Without a network the stored threads can be read.") {
      trial in
      let forum = try await trial.loadedForum()
      try await trial.during(.offline) {
        await trial.expect(forum.loads[0], throws: .networkError(.noConnection))
        let stored = try await trial.require("to read what is stored") {
          try await trial.subject.sections(ofForum: forum.id)
        }
        trial.expect(stored, equals: forum.lists.forum.threads.sections, "what is stored")
        let observation = try await trial.observation(ofForum: forum.id)
        trial.expect(observation.first.sections, equals: stored, "the observed list")
      }
    }

    Clause(
      "threads-service.failure.lost-answer",
      "A change whose answer is lost is reported and not stored; it is in the forum, and succeeds when repeated."
    ) { trial in
      let forum = try await trial.loadedForum()
      let calls = forum.loads + forum.edits
      try await trial.expectNothingStored(
        by: calls, of: forum, inForum: forum.edited, "after an answer is lost"
      ) { calls in
        try await trial.during(.answerIsLost) {
          for call in calls { await trial.expect(call, throws: .networkError(.connectionLost)) }
        }
      }
      for call in forum.edits { try await call.run(trial.subject) }
      try await trial.expect(forum.edited, inForum: forum.id, "after the same calls again")
    }
  }

  @ContractBuilder<Subject> static var failingStore: [Self] {
    Clause(
      "threads-service.failure.store",
      "A failure of the store is reported as one; a change has reached the forum by then, and is not posted."
    ) { trial in
      let forum = try await trial.loadedForum()
      try await trial.expectNothingStored(
        by: forum.loads + forum.edits + forum.reads, of: forum, inForum: forum.edited,
        "after the store has failed"
      ) { calls in
        try await trial.during(.storeFails) {
          for call in calls {
            await trial.expect(
              "\(call.name) to throw a storeError", from: { try await call.run(trial.subject) }
            ) {
              if case .storeError = $0 as? DataError { true } else { false }
            }
          }
        }
      }
      let page = try await trial.subject.loadThreads(inForum: forum.id, page: 1)
      trial.expect(page, equals: forum.edited.forum, "the page afterwards")
      try await trial.expectStored(page.threads, inForum: forum.id, "after the next load")
    }

    Clause(
      "threads-service.failure.first",
      "The forum is asked before the store: if both fail, the failure of the forum is reported."
    ) { trial in
      let forum = try await trial.loadedForum()
      try await trial.during(.storeFails) {
        try await trial.during(.offline) {
          for call in forum.loads + forum.edits {
            await trial.expect(call, throws: .networkError(.noConnection))
          }
        }
        // The condition must have an effect, and does once the forum answers.
        await trial.expect(
          "to throw a storeError", from: { try await trial.subject.loadThreads(inForum: forum.id, page: 1) }
        ) {
          if case .storeError = $0 as? DataError { true } else { false }
        }
      }
      try await trial.expect(forum.lists, inForum: forum.id, "afterwards")
    }

    Clause(
      "threads-service.failure.again", "After a failure of the forum or the store the same call succeeds."
    ) { trial in
      let forum = try await trial.loadedForum()
      for call in forum.loads.prefix(1) + forum.edits {
        for condition in [Condition.offline, .storeFails, .serverFails] {
          try await trial.during(condition) {
            await trial.expect("\(call.name) to fail", from: { try await call.run(trial.subject) }) { _ in
              true
            }
          }
          _ = try await trial.require("\(call.name) to succeed afterwards") {
            try await call.run(trial.subject)
          }
        }
      }
      try await trial.expect(forum.edited, inForum: forum.id, "after all calls")
    }
  }
}
