import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ConversationService {
  @ContractBuilder<Subject> static var conversationSession: [Self] {
    Clause(
      "conversations.session.signed-out", "Without a session, every call reports that no user is signed in."
    ) { trial in
      let talk = try await trial.started()
      _ = try await trial.given(.signedOut)
      for call in ServiceCall.all(in: talk) {
        await trial.expect(call, throws: .authentication(.notSignedIn))
      }
    }

    Clause(
      "conversations.session.expired", "An expired token is refreshed once, and the call goes on unnoticed."
    ) { trial in
      let talk = try await trial.started()
      for call in ServiceCall.all(in: talk) {
        try await trial.during(.tokenExpired) { refreshes in
          try await trial.require("\(call.name) to go on unnoticed") { try await call.run(trial.subject) }
          trial.expect(await refreshes.count(), equals: 1, "the refreshes for \(call.name)")
        }
      }
      trial.expect(
        try await trial.history(of: talk).filter { $0.role == .user }.map(\.content), equals: ["Hello"],
        "what is stored of a message that was sent with an expired token")
    }

    Clause(
      "conversations.session.ended",
      "After the server ends the session, a call reports the end, and later calls that no user is signed in."
    ) { trial in
      let talk = try await trial.started()
      let calls = ServiceCall.all(in: talk)
      for call in calls.reversed() {
        try await trial.during(.sessionEnded) {
          await trial.expect(call, throws: .network(.unauthorized))
          for later in calls { await trial.expect(later, throws: .authentication(.notSignedIn)) }
        }
        _ = try await trial.given(.userSignsInAgain)
      }
      trial.expect(try await trial.history(of: talk), equals: [], "what is stored")
    }

    Clause(
      "conversations.session.answer",
      "An answer is completed for the user who asked, whoever is signed in by then."
    ) { trial in
      let talk = try await trial.started()
      let endings: [@Sendable () async throws -> Void] = [
        { try await trial.given(.signedOut) }, { try await trial.given(.anotherUserSignsIn) },
      ]
      var contents: [String] = []
      for (number, end) in endings.enumerated() {
        let stream = try await trial.send("\(number)", in: talk)
        var chunks = stream.makeAsyncIterator()
        let first = try await chunks.next()
        try await end()
        let rest = await Reading(of: stream)
        trial.expectComplete(rest)
        contents += ["\(number)", (first?.text ?? "") + rest.text]
        try await trial.given(.userSignsInAgain)
      }
      trial.expect(try await trial.history(of: talk).map(\.content), equals: contents, "what was said")
    }

    Clause("conversations.session.kept", "No failure of a call and no refusal ends the session.") { trial in
      let talk = try await trial.started()
      let calls = ServiceCall.all(in: talk)
      for condition in [
        Condition.offline, .doesNotAnswer, .connectionBreaks, .serverFails, .answerIsLost, .answerIsLate,
        .answerIsUnreadable,
      ] {
        for call in calls {
          try await trial.during(condition) {
            await trial.expect("\(call.name) to throw while \(condition)") {
              try await call.run(trial.subject)
            } throwing: {
              $0 as? AppError != .authentication(.notSignedIn)
            }
          }
          await trial.expectSession(after: "\(call.name) while \(condition)", in: talk)
        }
      }
      for call in calls {
        try await trial.during(.tooManyRequests) { delay in
          await trial.expect(call, throws: .network(.rateLimited(retryAfter: delay)))
        }
        await trial.expectSession(after: "\(call.name) too often", in: talk)
      }
      let missing = trial.uuid()
      await trial.expect(throws: AppError.network(.notFound)) {
        try await trial.subject.startConversation(childID: missing)
      }
      await trial.expectSession(after: "a refused start", in: talk)
      await trial.expect(throws: AppError.network(.notFound)) {
        try await trial.subject.sendMessageStream(
          conversationID: missing, message: "Hello", childContext: ChildContext(talk.child))
      }
      await trial.expectSession(after: "a refused message", in: talk)
    }

    Clause(
      "conversations.session.limited",
      "If a token cannot be exchanged for a while, every call reports the delay, and the session is kept."
    ) { trial in
      let talk = try await trial.started()
      for call in ServiceCall.all(in: talk) {
        try await trial.during(.tokenExpired) { _ in
          try await trial.during(.exchangesAreLimited) { delay in
            await trial.expect(call, throws: .network(.rateLimited(retryAfter: delay)))
          }
          await trial.expectSession(after: "\(call.name) without an exchange", in: talk)
        }
      }
      trial.expect(try await trial.history(of: talk), equals: [], "what is stored")
    }
  }
}

extension Trial where Subject == any ConversationService {
  /// Expects the user to be signed in.
  fileprivate func expectSession(
    after event: String, in talk: Talk, fileID: String = #fileID, line: Int = #line
  ) async {
    do {
      _ = try await history(of: talk)
    } catch {
      expect(
        false, "Expected the session to go on after \(event), but a call threw \(error).", fileID: fileID,
        line: line)
    }
  }
}
