import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any AuthService {
  @ContractBuilder<Subject> static var refreshing: [Self] {
    Clause("authentication.current-user.nobody", "Before the first sign-in, no user is signed in.") { trial in
      await trial.expect(signedIn: nil, "at the beginning")
    }

    Clause("authentication.refresh.nobody", "Without a session there is nothing to refresh.") { trial in
      await trial.expect(throws: AppError.authentication(.notSignedIn)) { try await trial.subject.refresh() }
    }

    Clause("authentication.refresh.user", "A refresh keeps the user, however often it is done.") { trial in
      let account = try await trial.signedIn()
      for _ in 1...3 { try await trial.subject.refresh() }
      await trial.expect(signedIn: account.userID, "after three refreshes")
    }

    Clause(
      "authentication.refresh.shared",
      "Twenty refreshes at once all succeed, although a refresh token can be used once."
    ) { trial in
      let account = try await trial.signedIn()
      try await trial.given(.exchangesAreUnlimited)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 1...20 {
          group.addTask {
            try await trial.require("beside others to succeed") { try await trial.subject.refresh() }
          }
        }
        try await group.waitForAll()
      }
      try await trial.subject.refresh()
      await trial.expect(signedIn: account.userID, "after the refreshes")
    }

    Clause("authentication.refresh.ended", "A session that the server has ended is over here too.") { trial in
      _ = try await trial.signedIn()
      _ = try await trial.given(.sessionEnded)
      await trial.expect(throws: AppError.network(.unauthorized)) { try await trial.subject.refresh() }
      await trial.expect(signedIn: nil, "after the refused refresh")
    }

    Clause("authentication.refresh.retry", "A refresh that fails for another reason can be tried again.") {
      trial in
      let account = try await trial.signedIn()
      for (condition, error) in [
        (Condition.offline, AppError.network(.noConnection)), (.serverFails, .network(.serverError)),
        (.doesNotAnswer, .network(.timeout)),
      ] {
        try await trial.during(condition) {
          await trial.expect(throws: error) { try await trial.subject.refresh() }
        }
        await trial.expect(signedIn: account.userID, "when \(condition)")
      }
      try await trial.subject.refresh()
      await trial.expect(signedIn: account.userID, "after it was tried again")
    }
  }
}
