import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any AuthService {
  @ContractBuilder<Subject> static var refreshing: [Self] {
    Clause("authentication.current-user.nobody", "Before the first sign-in, no user is signed in.") { trial in
      await trial.expect(signedIn: nil, "at the beginning")
    }

    Clause("authentication.current-user.no-request", "Who is signed in is known without a request.") {
      trial in
      let account = try await trial.signedIn()
      let calls = try await trial.given(.callsAreCounted)
      for (condition, error) in failures.prefix(4) {
        let before = await calls.count()
        try await trial.during(condition) {
          await trial.expect(signedIn: account.userID, "while \(condition)")
          await trial.expect(throws: error) { try await trial.subject.refresh() }
        }
        await trial.expect(signedIn: account.userID, "after \(condition)")
        trial.expect(await calls.count() - before, equals: 1, "the calls for a refresh when \(condition)")
      }
      try await trial.subject.signOut()
      let before = await calls.count()
      await trial.expect(signedIn: nil, "after signing out")
      trial.expect(await calls.count(), equals: before, "the calls for no user")
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
      try await trial.during(.callsAreHeld) { held in
        let refreshes = await trial.twentyRefreshes(held)
        await held.release()
        for refresh in refreshes {
          try await trial.require("beside others to succeed") { try await refresh.value }
        }
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

    Clause("authentication.refresh.codes", "Each code for the end of a session ends it here too.") { trial in
      for code in [
        "session_not_found", "session_expired", "refresh_token_not_found", "refresh_token_already_used",
      ] {
        let account = try await trial.signedIn()
        try await trial.during(.sessionEnded(with: code)) {
          await trial.expect(throws: AppError.network(.unauthorized)) { try await trial.subject.refresh() }
        }
        await trial.expect(signedIn: nil, "after \(code)")
        trial.expect(try await trial.subject.signIn(account), equals: account.userID, "the id after \(code)")
      }
    }

    Clause("authentication.refresh.retry", "A refresh that fails for another reason can be tried again.") {
      trial in
      let account = try await trial.signedIn()
      for (condition, error) in [
        (Condition.offline, AppError.network(.noConnection)), (.serverFails, .network(.serverError)),
        (.doesNotAnswer, .network(.timeout)), (.connectionBreaks, .network(.connectionLost)),
      ] {
        try await trial.during(condition) {
          await trial.expect(throws: error) { try await trial.subject.refresh() }
        }
        await trial.expect(signedIn: account.userID, "when \(condition)")
      }
      try await trial.subject.refresh()
      await trial.expect(signedIn: account.userID, "after it was tried again")
    }

    Clause(
      "authentication.refresh.unreadable", "A refresh whose answer cannot be read leaves the user signed in."
    ) {
      trial in
      let account = try await trial.signedIn()
      try await trial.during(.answerIsUnreadable) {
        await trial.expect(throws: AppError.network(.unreadableAnswer)) { try await trial.subject.refresh() }
      }
      await trial.expect(signedIn: account.userID, "after an unreadable answer")
    }

    Clause("authentication.refresh.banned", "A refresh for a closed account is refused, and ends no session.")
    {
      trial in
      let account = try await trial.signedIn()
      try await trial.during(.accountIsBanned) {
        await trial.expect(throws: AppError.authentication(.userBanned)) { try await trial.subject.refresh() }
      }
      await trial.expect(signedIn: account.userID, "after the refusal")
      try await trial.require("to go on once the account is open again") { try await trial.subject.refresh() }
    }
  }
}
