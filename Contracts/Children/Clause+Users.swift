import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ChildrenService {
  @ContractBuilder<Subject> static var childrenUsers: [Self] {
    Clause("children.users.turns", "Users who take turns on a device each have their own children.") {
      trial in
      let users = try await trial.given(.usersTakeTurns)
      var children: [UUID: [Child]] = [:]
      for round in ["first", "second"] {
        for user in users.ids {
          try await users.signIn(user)
          for owner in users.ids {
            trial.expect(
              try await trial.subject.fetchChildren(userID: owner),
              equals: owner == user ? children[user] ?? [] : [],
              "the list of \(owner == user ? "one's own" : "the other user's") children in the \(round) round"
            )
          }
          let child = try await trial.require("with a name that the other user has to be taken") {
            try await trial.subject.createChild(.sample(of: user, named: round))
          }
          trial.expect(child.userID, equals: user, "the owner")
          children[user, default: []].insert(child, at: 0)
          trial.expect(
            try await trial.subject.fetchChildren(userID: user), equals: children[user] ?? [],
            "the list after a child was created in the \(round) round")
        }
      }
    }

    Clause("children.users.refusals", "Whatever a user tries with another's children, all lists stay.") {
      trial in
      let users = try await trial.given(.usersTakeTurns)
      let (first, second) = (users.ids[0], users.ids[1])
      let theirs = try await trial.subject.createChild(.sample(of: first, named: "Robin"))
      try await users.signIn(second)
      let own = try await trial.subject.createChild(.sample(of: second, named: "Kim"))
      for (attempt, child) in [
        ("a valid change", theirs.with { $0.talkativeness = 1 }),
        ("a refused value", theirs.with { $0.age = 17 }), ("a taken name", theirs.with { $0.name = "Kim" }),
      ] {
        let update = ServiceCall<Subject>(name: "updateChild with \(attempt)") {
          _ = try await $0.updateChild(child)
        }
        await trial.expect(update, throws: .network(.notFound))
      }
      let create = ServiceCall<Subject>(name: "createChild for another user") {
        _ = try await $0.createChild(.sample(of: first, named: "Alex"))
      }
      await trial.expect(create, throws: .network(.forbidden))
      try await trial.require("deleteChild of another's to look like a success") {
        try await trial.subject.deleteChild(id: theirs.id)
      }
      trial.expect(try await trial.subject.fetchChildren(userID: second), equals: [own], "the own children")
      try await users.signIn(first)
      trial.expect(
        try await trial.subject.fetchChildren(userID: first), equals: [theirs], "the other user's children")
    }

    Clause("children.users.devices", "What another device of the user stored counts for the next call.") {
      trial in
      let user = try await trial.given(.signedIn)
      let device = try await trial.given(.anotherDevice)
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [], "the children at first")
      let created = try await device.children.createChild(.sample(of: user))
      trial.expect(
        try await trial.subject.fetchChildren(userID: user), equals: [created],
        "the children that another device created")
      await trial.expect(throws: AppError.network(.conflict)) {
        try await trial.subject.createChild(.sample(of: user))
      }
      let changed = try await device.children.updateChild(created.with { $0.age = 12 })
      trial.expect(
        try await trial.subject.fetchChildren(userID: user), equals: [changed],
        "the children that another device changed")
      try await device.children.deleteChild(id: created.id)
      await trial.expect(throws: AppError.network(.notFound)) {
        try await trial.subject.updateChild(changed)
      }
      trial.expect(
        try await trial.subject.fetchChildren(userID: user), equals: [],
        "the children after another device deleted one")
    }
  }
}
