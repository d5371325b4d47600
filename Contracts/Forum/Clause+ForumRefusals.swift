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
      "forum.refuse.absent-forum",
      "A missing forum is refused with a message, not answered with an empty list."
    ) {
      trial in
      let id = try await trial.given(.idIsFree)
      await trial.expect(
        "to be refused with words", from: { try await trial.subject.threads(inForum: id, page: 1) }
      ) {
        if case .refused(.other(let words)) = $0 as? DataError { !words.isEmpty } else { false }
      }
    }

    Clause("forum.refuse.absent-thread", "A missing thread cannot be marked.") { trial in
      let id = try await trial.given(.idIsFree)
      let calls = ServiceCall.all(forum: id, thread: id).filter { $0.name.hasPrefix("mark") }
      for call in calls {
        await trial.expect(
          "\(call.name) to be refused with words", from: { try await call.run(trial.subject) }
        ) {
          if case .refused(.other(let words)) = $0 as? DataError { !words.isEmpty } else { false }
        }
      }
    }
  }
}

extension Trial where Subject == any ForumsClient {
  /// Expects every call to be refused while a condition holds, and to change nothing.
  fileprivate func expectEveryCall<Fixture: Sendable>(
    toBeRefusedWhile condition: Condition<Fixture>, with refusal: (Fixture) -> ForumRefusal,
    fileID: String = #fileID, line: Int = #line
  ) async throws {
    let (id, page) = try await forumWithThreads()
    let thread = try thread(of: page, "never read") { $0.reading == .never }
    try await during(condition) { fixture in
      for call in ServiceCall.all(forum: id, thread: thread.id) {
        await expect(call, throws: .refused(refusal(fixture)), fileID: fileID, line: line)
      }
    }
    expect(
      try await subject.threads(inForum: id, page: 1), equals: page, "the page after it", fileID: fileID,
      line: line)
  }
}
