import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ConversationService {
  @ContractBuilder<Subject> static var conversationFailures: [Self] {
    Clause(
      "conversations.failure.server", "A failure of the server is thrown by every call, before a stream."
    ) {
      try await $0.expectEveryCall(toFailWhile: .serverFails, with: .network(.serverError))
    }

    Clause("conversations.failure.no-answer", "A call that is not answered ends in a time-out.") {
      try await $0.expectEveryCall(toFailWhile: .doesNotAnswer, with: .network(.timeout))
    }

    Clause("conversations.failure.offline", "Without a network every call says so.") {
      try await $0.expectEveryCall(toFailWhile: .offline, with: .network(.noConnection))
    }

    Clause("conversations.failure.connection", "A connection that breaks before an answer is reported.") {
      try await $0.expectEveryCall(toFailWhile: .connectionBreaks, with: .network(.connectionLost))
    }

    Clause("conversations.failure.rate", "Too many requests are reported with the delay that is named.") {
      trial in
      let talk = try await trial.started()
      try await trial.during(.tooManyRequests) { delay in
        for call in ServiceCall.all(in: talk) {
          await trial.expect(call, throws: .network(.rateLimited(retryAfter: delay)))
        }
      }
      trial.expect(try await trial.history(of: talk), equals: [], "what is stored")
    }

    Clause("conversations.failure.unreadable", "An answer that makes no sense is an error of every call.") {
      trial in
      let talk = try await trial.started()
      try await trial.during(.answerIsUnreadable) {
        for call in ServiceCall.all(in: talk) {
          await trial.expect(call, throws: .network(.unreadableAnswer))
        }
      }
    }

    Clause(
      "conversations.failure.lost-answer",
      "A message whose answer is lost is reported, and stored at most once."
    ) { trial in
      let talk = try await trial.started()
      try await trial.during(.answerIsLost) {
        await trial.expect(throws: AppError.network(.connectionLost)) {
          try await trial.send("Hello", in: talk)
        }
      }
      // If the message was stored, the backend may also have answered it.
      let said = try await trial.history(of: talk).filter { $0.role == .user }.map(\.content)
      trial.expect(said.isEmpty || said == ["Hello"], "Expected \"Hello\" once or not at all, found \(said).")
    }
  }

  @ContractBuilder<Subject> static var conversationCancellation: [Self] {
    Clause("conversations.cancellation.before", "A call of a cancelled task throws and changes nothing.") {
      trial in
      let talk = try await trial.started()
      await trial.expectCancelled(beforehand: ServiceCall.all(in: talk))
      trial.expect(try await trial.history(of: talk), equals: [], "what is stored")
    }

    Clause("conversations.cancellation.under-way", "A call that is cancelled under way changes nothing.") {
      trial in
      let talk = try await trial.started()
      try await trial.expectCancelled(underWay: ServiceCall.all(in: talk))
      trial.expect(try await trial.history(of: talk), equals: [], "what is stored")
    }

    Clause(
      "conversations.cancellation.stream", "Cancelling a reader that waits ends its stream as cancelled."
    ) {
      trial in
      let talk = try await trial.started()
      let held = try await trial.given(.streamIsHeld)
      let stream = try await trial.send("Hello", in: talk)
      let task = Task { await Reading(of: stream) }
      await held.isReached()
      task.cancel()
      trial.expect(await task.value, brokenAfter: held.chunks, with: .cancelled)
      trial.expect(
        try await trial.history(of: talk).map(\.role), equals: [.user], "the roles of what is stored")
    }

    Clause(
      "conversations.cancellation.reader-before",
      "A reader that is cancelled before it reads gets nothing, and the answer is closed at its source."
    ) { trial in
      let talk = try await trial.started()
      let watched = try await trial.given(.upstreamIsWatched)
      let stream = try await trial.send("Hello", in: talk)
      let reading = await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await Reading(of: stream)
      }.value
      trial.expect(reading.chunks, equals: [], "the chunks")
      trial.expect(
        reading.error == nil || reading.error as? AppError == .cancelled,
        "Expected a cancellation or the end, found \(reading.error as Any).")
      trial.expect(await watched.isClosed(), "Expected the source of the answer to be closed.")
      _ = stream
    }
  }
}

extension Trial where Subject == any ConversationService {
  /// Expects every call to throw an error while a condition holds, and no message to be stored.
  fileprivate func expectEveryCall(
    toFailWhile condition: Condition<Void>, with error: AppError, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let talk = try await started()
    try await during(condition) {
      for call in ServiceCall.all(in: talk) {
        await expect(call, throws: error, fileID: fileID, line: line)
      }
    }
    expect(
      try await history(of: talk), equals: [], "what is stored", fileID: fileID, line: line)
  }
}
