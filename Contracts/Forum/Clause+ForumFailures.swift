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
      let lists = try await trial.forumLists()
      try await trial.during(.tooManyRequests) { delay in
        for call in lists.calls {
          await trial.expect(call, throws: .networkError(.rateLimited(retryAfter: delay)))
        }
      }
      try await trial.expectUnchanged(lists)
    }

    Clause("forum.failure.unreadable", "An answer that is not a page is an error, never an empty list.") {
      try await $0.expectEveryCall(toFailToReadWhile: .answerIsUnreadable)
    }

    Clause("forum.failure.unrecognisable", "A page of another site is an error, never an empty list.") {
      try await $0.expectEveryCall(toFailToReadWhile: .pageIsUnrecognisable)
    }

    Clause("forum.failure.cut-off", "A list that ends in the middle is an error, never a shorter list.") {
      try await $0.expectEveryCall(toFailToReadWhile: .pageIsCutOff, of: \.lists)
    }

    Clause(
      "forum.failure.unconfirmed",
      "A mark or a bookmark that is answered with a list of threads is an error, never a success."
    ) {
      try await $0.expectEveryCall(toFailToReadWhile: .everyAnswerIsAList, of: \.marks)
    }

    Clause(
      "forum.failure.lost-answer",
      "A mark or a bookmark whose answer is lost after the forum set it is reported, and is set."
    ) { trial in
      let lists = try await trial.forumLists()
      try await trial.during(.answerIsLost) {
        for call in lists.marks { await trial.expect(call, throws: .networkError(.connectionLost)) }
      }
      try await trial.expect(lists.marked, after: "the lost answers")
    }

    Clause("forum.failure.once", "A call that fails is not repeated: it makes one request.") { trial in
      try await trial.expectOneRequest(
        of: try await trial.forumLists().calls,
        under: [
          .serverFails, .doesNotAnswer, .offline, .connectionBreaks, .answerIsLost, .answerIsUnreadable,
        ])
    }

    Clause("forum.failure.recovery", "After a failure the same calls work again.") { trial in
      let lists = try await trial.forumLists()
      for call in lists.calls {
        try await trial.during(.offline) { await trial.expect(call, throws: .networkError(.noConnection)) }
        try await trial.during(.databaseIsDown) { await trial.expect(call, throws: .refused(.databaseDown)) }
        try await call.run(trial.subject)
      }
      try await trial.expect(lists.marked, after: "it")
    }
  }
}

extension Trial where Subject == any ForumsClient {
  /// Expects every call to throw an error while a condition holds, and to change nothing.
  fileprivate func expectEveryCall(
    toFailWhile condition: Condition<Void>, with error: DataError, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let lists = try await forumLists()
    try await during(condition) {
      for call in lists.calls { await expect(call, throws: error, fileID: fileID, line: line) }
    }
    try await expectUnchanged(lists, fileID: fileID, line: line)
  }

  /// Expects every call to throw `.parsingError`, with any description, while a condition holds.
  fileprivate func expectEveryCall(
    toFailToReadWhile condition: Condition<Void>, fileID: String = #fileID, line: Int = #line,
    of calls: (ForumLists) -> [ServiceCall<Subject>] = \.calls
  ) async throws {
    let lists = try await forumLists()
    try await during(condition) {
      for call in calls(lists) {
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
