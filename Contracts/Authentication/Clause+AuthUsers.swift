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
