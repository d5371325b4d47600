import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any AuthService {
  @ContractBuilder<Subject> static var signingOut: [Self] {
    Clause("authentication.sign-out.ends", "After signing out, no user is signed in.") { trial in
      _ = try await trial.signedIn()
      try await trial.subject.signOut()
      await trial.expect(signedIn: nil, "after signing out")
      await trial.expect(throws: AppError.authentication(.notSignedIn)) { try await trial.subject.refresh() }
    }

    Clause("authentication.sign-out.twice", "Signing out without a session is a success.") { trial in
      try await trial.require("without a session to be a success") { try await trial.subject.signOut() }
      _ = try await trial.signedIn()
      try await trial.subject.signOut()
      try await trial.require("after signing out to be a success") { try await trial.subject.signOut() }
      await trial.expect(signedIn: nil, "after signing out twice")
    }

    Clause(
      "authentication.sign-out.offline",
      "Offline, signing out ends the session on the device and reports the failure."
    ) {
      trial in
      _ = try await trial.signedIn()
      try await trial.during(.offline) {
        await trial.expect(throws: AppError.network(.noConnection)) { try await trial.subject.signOut() }
      }
      await trial.expect(signedIn: nil, "after signing out offline")
    }

    Clause("authentication.sign-out.failures", "Whatever fails, signing out ends the session and reports it.")
    {
      trial in
      for (condition, error) in failures {
        let account = try await trial.signedIn()
        try await trial.during(condition) {
          await trial.expect(throws: error) { try await trial.subject.signOut() }
        }
        await trial.expect(signedIn: nil, "after signing out when \(condition)")
        await trial.expect(throws: AppError.authentication(.notSignedIn)) {
          try await trial.subject.refresh()
        }
        trial.expect(
          try await trial.subject.signIn(account), equals: account.userID, "the id after \(condition)")
      }
    }

    Clause("authentication.sign-out.other-devices", "The user's other devices stay signed in.") { trial in
      _ = try await trial.signedIn()
      let second = try await trial.given(.secondSession)
      let sessions = try await trial.given(.sessionsAreCounted)
      trial.expect(try await sessions.count(), equals: 2, "the number of sessions before signing out")
      try await trial.subject.signOut()
      trial.expect(try await sessions.count(), equals: 1, "the number of sessions after signing out")
      try await second.refresh()
    }

    Clause(
      "authentication.sign-out.expired",
      "Signing out with an access token that has expired ends the session at the server too."
    ) { trial in
      _ = try await trial.signedIn()
      let sessions = try await trial.given(.sessionsAreCounted)
      trial.expect(try await sessions.count(), equals: 1, "the number of sessions before signing out")
      _ = try await trial.given(.tokenExpired)
      try await trial.subject.signOut()
      trial.expect(try await sessions.count(), equals: 0, "the number of sessions after signing out")
      await trial.expect(signedIn: nil, "after signing out")
    }

    Clause("authentication.sign-out.again", "After signing out one can sign in again.") { trial in
      let account = try await trial.signedIn()
      try await trial.subject.signOut()
      let user = try await trial.require("to sign in again") { try await trial.subject.signIn(account) }
      trial.expect(user, equals: account.userID, "the returned id")
      await trial.expect(signedIn: account.userID, "after signing in again")
    }
  }
}
