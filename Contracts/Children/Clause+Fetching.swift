import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ChildrenService {
  @ContractBuilder<Subject> static var fetching: [Self] {
    Clause("children.fetch.none", "A user without children has an empty list.") { trial in
      let user = try await trial.given(.signedIn)
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [], "the children")
    }

    Clause("children.fetch.order", "The newest child comes first, also after an older one was changed.") {
      trial in
      let user = try await trial.given(.signedIn)
      let time = try await trial.given(.timePasses)
      var names: [String] = []
      for name in ["Kim", "Alex", "Robin"] {
        _ = try await trial.subject.createChild(.sample(of: user, named: name))
        names.insert(name, at: 0)
        try await time.pass(.seconds(1))
      }
      let children = try await trial.subject.fetchChildren(userID: user)
      trial.expect(children.map(\.name), equals: names, "the names")
      var oldest = try trial.require(children.last, "Expected three children.")
      oldest.age = 9
      _ = try await trial.subject.updateChild(oldest)
      trial.expect(
        try await trial.subject.fetchChildren(userID: user).map(\.name), equals: names,
        "the names after a change")
    }

    Clause("children.fetch.same-second", "Of the children of one second too, the newest comes first.") {
      trial in
      let user = try await trial.given(.signedIn)
      var names: [String] = []
      for name in ["Kim", "Alex", "Robin", "Zoë", "Ada"] {
        _ = try await trial.subject.createChild(.sample(of: user, named: name))
        names.insert(name, at: 0)
      }
      trial.expect(
        try await trial.subject.fetchChildren(userID: user).map(\.name), equals: names, "the names")
    }

    Clause("children.fetch.own-only", "A child of another user is not in one's list.") { trial in
      let user = try await trial.given(.signedIn)
      _ = try await trial.given(.childOfAnotherUser)
      let child = try await trial.subject.createChild(.sample(of: user))
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [child], "the children")
    }

    Clause("children.fetch.of-another", "The list of another user's children is empty, not an error.") {
      trial in
      _ = try await trial.given(.signedIn)
      let foreign = try await trial.given(.childOfAnotherUser)
      trial.expect(
        try await trial.subject.fetchChildren(userID: foreign.child.userID), equals: [],
        "the other's children")
    }

    Clause("children.fetch.many", "Fifty children are fetched at once, each of them once.") {
      trial in
      let user = try await trial.given(.signedIn)
      var created: Set<UUID> = []
      for number in 1...50 {
        created.insert(try await trial.subject.createChild(.sample(of: user, named: "Child \(number)")).id)
      }
      let fetched = try await trial.subject.fetchChildren(userID: user)
      trial.expect(fetched.count, equals: 50, "the number of children")
      trial.expect(Set(fetched.map(\.id)) == created, "Expected the ids that were created, each once.")
    }
  }
}
