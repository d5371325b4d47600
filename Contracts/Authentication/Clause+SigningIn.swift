import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any AuthService {
  @ContractBuilder<Subject> static var signingIn: [Self] {
    Clause("authentication.sign-in.user", "Signing in returns the user's id, and that user is signed in.") {
      trial in
      let account = try await trial.given(.account)
      trial.expect(try await trial.subject.signIn(account), equals: account.userID, "the returned id")
      await trial.expect(signedIn: account.userID, "after signing in")
    }

    Clause("authentication.sign-in.wrong-password", "A wrong password is refused, and no user is signed in.")
    {
      trial in
      let account = try await trial.given(.account)
      for password in ["", account.password + " ", account.password.uppercased()] {
        await trial.expect(throws: AppError.authentication(.invalidCredentials)) {
          try await trial.subject.signIn(email: account.email, password: password)
        }
      }
      await trial.expect(signedIn: nil, "after a wrong password")
    }

    Clause(
      "authentication.sign-in.after-others", "After six wrong passwords the right one is taken."
    ) { trial in
      let account = try await trial.given(.account)
      for number in 1...6 {
        await trial.expect(throws: AppError.authentication(.invalidCredentials)) {
          try await trial.subject.signIn(email: account.email, password: "\(number)")
        }
      }
      let user = try await trial.require("to sign in after wrong passwords") {
        try await trial.subject.signIn(account)
      }
      trial.expect(user, equals: account.userID, "the returned id")
    }

    Clause("authentication.sign-in.case", "The case of an address does not matter.") { trial in
      let account = try await trial.given(.account)
      for email in [account.email.uppercased(), account.email.lowercased()] {
        let user = try await trial.require("to sign in as \(email)") {
          try await trial.subject.signIn(email: email, password: account.password)
        }
        trial.expect(user, equals: account.userID, "the user of \(email)")
      }
    }

    Clause("authentication.sign-in.unknown", "An unknown address is indistinguishable from a wrong password.")
    {
      trial in
      let account = try await trial.given(.account)
      await trial.expect(throws: AppError.authentication(.invalidCredentials)) {
        try await trial.subject.signIn(email: "no-\(account.email)", password: account.password)
      }
    }

    Clause("authentication.sign-in.keeps", "Signing in that fails leaves the session that was there.") {
      trial in
      let account = try await trial.signedIn()
      let banned = try await trial.given(.bannedAccount)
      for (email, password, error) in [
        (account.email, "not it", AuthError.invalidCredentials),
        ("no-\(account.email)", account.password, .invalidCredentials),
        (banned.email, banned.password, .userBanned),
      ] {
        await trial.expect(throws: AppError.authentication(error)) {
          try await trial.subject.signIn(email: email, password: password)
        }
        await trial.expect(signedIn: account.userID, "after signing in again failed for \(email)")
        try await trial.subject.refresh()
      }
    }

    Clause("authentication.sign-in.replaces", "Signing in as another user replaces the session.") { trial in
      let first = try await trial.signedIn()
      let second = try await trial.given(.secondAccount)
      trial.expect(try await trial.subject.signIn(second), equals: second.userID, "the returned id")
      trial.expect(second.userID != first.userID, "Expected two users.")
      await trial.expect(signedIn: second.userID, "after signing in as another user")
    }

    Clause("authentication.sign-in.banned", "An account that was closed is refused as such.") { trial in
      let account = try await trial.given(.bannedAccount)
      await trial.expect(throws: AppError.authentication(.userBanned)) {
        try await trial.subject.signIn(account)
      }
      // GoTrue looks at the ban before the password.
      await trial.expect(throws: AppError.authentication(.userBanned)) {
        try await trial.subject.signIn(email: account.email, password: "not " + account.password)
      }
      await trial.expect(signedIn: nil, "after a closed account was refused")
    }
  }
}
