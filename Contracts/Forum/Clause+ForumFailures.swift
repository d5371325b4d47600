import SharedServices
import Understudy

extension Clause where Subject == any ForumsClient {
  @ContractBuilder<Subject> static var forumFailures: [Self] {
    Clause(
      "forum.failure.server",
      "A failure of the server is reported by every call, also where its page looks like an empty list."
    ) {
      try await $0.expectEveryCall(toFailWhile: .serverFails, with: .networkError(.serverError))
    }

    Clause("forum.failure.no-answer", "A call that is not answered ends in a time-out and changes nothing.") {
      try await $0.expectEveryCall(toFailWhile: .doesNotAnswer, with: .networkError(.timeout))
    }

    Clause("forum.failure.offline", "Without a network every call says so and changes nothing.") {
      try await $0.expectEveryCall(toFailWhile: .offline, with: .networkError(.noConnection))
    }

    Clause("forum.failure.connection", "A connection that breaks is reported, and nothing was changed.") {
      try await $0.expectEveryCall(toFailWhile: .connectionBreaks, with: .networkError(.connectionLost))
    }

    Clause("forum.failure.rate", "Too many requests are reported with the delay that the server names.") {
      trial in
      let (id, page) = try await trial.forumWithThreads()
      let thread = try trial.thread(of: page, "never read") { $0.reading == .never }
      try await trial.during(.tooManyRequests) { delay in
        for call in ServiceCall.all(forum: id, thread: thread.id) {
          await trial.expect(call, throws: .networkError(.rateLimited(retryAfter: delay)))
        }
      }
      trial.expect(try await trial.subject.threads(inForum: id, page: 1), equals: page, "the page after it")
    }

    Clause("forum.failure.unreadable", "An answer that is not a page is an error, never an empty list.") {
      try await $0.expectEveryCall(toFailToReadWhile: .answerIsUnreadable)
    }

    Clause("forum.failure.unrecognisable", "A page of another site is an error, never an empty list.") {
      try await $0.expectEveryCall(toFailToReadWhile: .pageIsUnrecognisable)
    }

    Clause("forum.failure.cut-off", "A list that ends in the middle is an error, never a shorter list.") {
      try await $0.expectEveryCall(toFailToReadWhile: .pageIsCutOff) {
        $0.name == "threads" || $0.name == "bookmarks"
      }
    }

    Clause(
      "forum.failure.lost-answer",
      "A mark whose answer is lost after the forum set it is reported, and is set."
    ) { trial in
      let (id, page) = try await trial.forumWithThreads()
      let thread = try trial.thread(of: page, "never read") { $0.reading == .never }
      await trial.expect(throws: DataError.networkError(.connectionLost)) {
        try await trial.during(.answerIsLost) {
          try await trial.subject.markSeen(threadID: thread.id, upTo: thread.replyCount + 1)
        }
      }
      try await trial.expect(reading: .seen(unreadCount: 0), of: thread.id, inForum: id)
    }

    Clause("forum.failure.recovery", "After a failure the same calls work again.") { trial in
      let (id, page) = try await trial.forumWithThreads()
      let thread = try trial.thread(of: page, "never read") { $0.reading == .never }
      let calls = ServiceCall.all(forum: id, thread: thread.id)
      for call in calls {
        try await trial.during(.offline) { await trial.expect(call, throws: .networkError(.noConnection)) }
        try await trial.during(.databaseIsDown) { await trial.expect(call, throws: .refused(.databaseDown)) }
        try await call.run(trial.subject)
      }
      trial.expect(try await trial.subject.threads(inForum: id, page: 1), equals: page, "the page after it")
    }
  }
}

extension Trial where Subject == any ForumsClient {
  /// Expects every call to throw an error while a condition holds, and to change nothing.
  fileprivate func expectEveryCall(
    toFailWhile condition: Condition<Void>, with error: DataError, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let (id, page) = try await forumWithThreads()
    let thread = try thread(of: page, "never read") { $0.reading == .never }
    try await during(condition) {
      for call in ServiceCall.all(forum: id, thread: thread.id) {
        await expect(call, throws: error, fileID: fileID, line: line)
      }
    }
    expect(
      try await subject.threads(inForum: id, page: 1), equals: page, "the page after it", fileID: fileID,
      line: line)
  }

  /// Expects every call to throw `.parsingError`, with any description, while a condition holds.
  fileprivate func expectEveryCall(
    toFailToReadWhile condition: Condition<Void>, fileID: String = #fileID, line: Int = #line,
    where isMeant: (ServiceCall<Subject>) -> Bool = { _ in true }
  ) async throws {
    let (id, page) = try await forumWithThreads()
    let thread = try thread(of: page, "never read") { $0.reading == .never }
    try await during(condition) {
      for call in ServiceCall.all(forum: id, thread: thread.id) where isMeant(call) {
        await expect(
          "\(call.name) to throw a parsing error", fileID: fileID, line: line,
          from: { try await call.run(subject) }
        ) {
          if case .parsingError = $0 as? DataError { true } else { false }
        }
      }
    }
  }
}
