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
      _ = try await trial.given(.sessionEnded)
      await trial.expect(throws: AppError.network(.unauthorized)) {
        try await trial.send("Hello", in: talk)
      }
      for call in ServiceCall.all(in: talk) {
        await trial.expect(call, throws: .authentication(.notSignedIn))
      }
    }
  }
}
