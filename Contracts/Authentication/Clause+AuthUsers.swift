import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any AuthService {
  @ContractBuilder<Subject> static var authUsers: [Self] {
    Clause("authentication.users.turns", "Users who take turns on a device are each signed in as themselves.")
    {
      trial in
      let accounts = [try await trial.given(.account), try await trial.given(.secondAccount)]
      for (round, signsOut) in [("first", false), ("second", true), ("third", false)] {
        for account in accounts {
          trial.expect(
            try await trial.subject.signIn(account), equals: account.userID, "the id in the \(round) round")
          await trial.expect(signedIn: account.userID, "in the \(round) round")
          try await trial.subject.refresh()
          await trial.expect(signedIn: account.userID, "after a refresh in the \(round) round")
          guard signsOut else { continue }
          try await trial.subject.signOut()
          await trial.expect(signedIn: nil, "after signing out in the \(round) round")
        }
      }
    }

    Clause(
      "authentication.users.overtaken", "A refresh under way undoes neither a sign-out nor a new sign-in."
    ) {
      trial in
      let second = try await trial.given(.secondAccount)
      try await trial.given(.exchangesAreUnlimited)
      for (call, user) in [
        (ServiceCall<Subject>(name: "signIn") { _ = try await $0.signIn(second) }, second.userID),
        (ServiceCall<Subject>(name: "signOut") { try await $0.signOut() }, nil),
      ] {
        _ = try await trial.signedIn()
        try await trial.during(.callsAreHeld) { held in
          let refresh = Task { try await trial.subject.refresh() }
          await held.wait(forCalls: 1)
          let overtaking = Task { try await call.run(trial.subject) }
          await held.wait(forCalls: 2)
          await held.release()
          // It may succeed, and it may report the end of its session.
          _ = await refresh.result
          try await trial.require("\(call.name) beside a refresh to succeed") { try await overtaking.value }
        }
        await trial.expect(signedIn: user, "after \(call.name) beside a refresh")
      }
    }

    Clause("authentication.users.devices", "What one device does leaves the sessions of another alone.") {
      trial in
      let account = try await trial.signedIn()
      let other = try await trial.given(.secondSession)
      let calls = ServiceCall.all(signingInAs: account)
      for call in calls + calls {
        try await call.run(trial.subject)
        try await trial.require("of another device to go on after \(call.name) here") {
          try await other.refresh()
        }
      }
    }
  }
}
