import SharedServices
import Understudy

extension Clause where Subject == any ForumsClient {
  @ContractBuilder<Subject> static var forumRefusals: [Self] {
    Clause("forum.refuse.banned", "A ban of the reader is reported by every call, and nothing changes.") {
      try await $0.expectEveryCall(toBeRefusedWhile: .readerIsBanned) { .banned }
    }

    Clause("forum.refuse.database", "A database that is down is reported by every call, and nothing changes.")
    {
      try await $0.expectEveryCall(toBeRefusedWhile: .databaseIsDown) { .databaseDown }
    }

    Clause("forum.refuse.closed", "A closed thread is reported as such by every call.") {
      try await $0.expectEveryCall(toBeRefusedWhile: .threadIsClosed) { .threadClosed }
    }

    Clause("forum.refuse.words", "Any other refusal is reported in the forum's own words.") {
      try await $0.expectEveryCall(toBeRefusedWhile: .forumObjects) { .other($0) }
    }

    Clause(
      "forum.refuse.guest",
      "A reader who is not signed in is refused as such by every call, in the forum's own words."
    ) {
      try await $0.expectEveryCall(toBeRefusedWhile: .readerIsSignedOut) { .notSignedIn($0) }
    }

    Clause(
      "forum.refuse.probation",
      "A mark or a bookmark that is answered with a probation is refused in the forum's own words."
    ) {
      try await $0.expectEveryCall(toBeRefusedWhile: .readerIsOnProbation, of: \.marks) { .other($0) }
    }

    Clause(
      "forum.refuse.absent-forum",
      "A missing forum is refused with a message, not answered with an empty list."
    ) {
      trial in
      let id = try await trial.given(.idIsFree)
      let calls = ServiceCall<Subject>.lists(ofForum: id).filter { $0.name.hasPrefix("threads") }
      for call in calls { await trial.expectWords(of: call) }
    }

    Clause("forum.refuse.absent-thread", "A missing thread cannot be marked or bookmarked.") { trial in
      let id = try await trial.given(.idIsFree)
      let lists = try await trial.forumLists()
      for call in ServiceCall<Subject>.marks(seen: id, unseen: id) { await trial.expectWords(of: call) }
      try await trial.expectUnchanged(lists)
    }
  }
}

extension Trial where Subject == any ForumsClient {
  /// Expects a call to be refused in the forum's own words.
  fileprivate func expectWords(
    of call: ServiceCall<Subject>, fileID: String = #fileID, line: Int = #line
  ) async {
    await expect(
      "\(call.name) to be refused with words", fileID: fileID, line: line,
      from: { try await call.run(subject) }
    ) {
      if case .refused(.other(let words)) = $0 as? DataError { !words.isEmpty } else { false }
    }
  }

  /// Expects the calls to be refused while a condition holds, and to change nothing.
  fileprivate func expectEveryCall<Fixture: Sendable>(
    toBeRefusedWhile condition: Condition<Fixture>,
    of calls: (ForumLists) -> [ServiceCall<Subject>] = \.calls,
    with refusal: (Fixture) -> ForumRefusal, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let lists = try await forumLists()
    try await during(condition) { fixture in
      for call in calls(lists) {
        await expect(call, throws: .refused(refusal(fixture)), fileID: fileID, line: line)
      }
    }
    try await expectUnchanged(lists, fileID: fileID, line: line)
  }
}
