import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ChildrenService {
  @ContractBuilder<Subject> static var updating: [Self] {
    Clause("children.update.stored", "Each change is returned and fetched as it was made, in every field.") {
      trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.subject.createChild(.sample(of: user))
      for values in [
        // Another 29 February.
        NewChild(
          userID: user, name: "Kim", age: 16, birthday: child.birthday.adding(years: -4), goals: [],
          topics: ["friends", "", "school", "friends"], temperament: .cautious, talkativeness: 1,
          sensitivity: 10, accountability: 2),
        NewChild(
          userID: user, name: "Alex", age: 6, birthday: child.birthday,
          goals: ["listen", "", "sleep", "listen"], topics: [], temperament: .sensitive, talkativeness: 10,
          sensitivity: 1, accountability: 9),
      ] {
        let stored = try await trial.subject.updateChild(child.with(values))
        trial.expect(stored.asCreated, equals: values, "the returned child")
        trial.expect(stored.id, equals: child.id, "its id")
        trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [stored], "the children")
      }
    }

    Clause("children.update.dates", "A change moves updatedAt and leaves createdAt.") { trial in
      let user = try await trial.given(.signedIn)
      let time = try await trial.given(.timePasses)
      var child = try await trial.subject.createChild(.sample(of: user))
      try await time.pass(.seconds(1))
      child.age = 9
      let stored = try await trial.subject.updateChild(child)
      trial.expect(stored.createdAt, equals: child.createdAt, "createdAt")
      trial.expect(
        stored.updatedAt > child.updatedAt,
        "Expected updatedAt to be after \(child.updatedAt), found \(stored.updatedAt).")
    }

    Clause("children.update.given-dates", "Neither the dates nor the owner that a change brings are stored.")
    {
      trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.subject.createChild(.sample(of: user))
      let day: TimeInterval = 86_400
      let given = child.with(
        userID: trial.uuid(), createdAt: child.createdAt.addingTimeInterval(-day),
        updatedAt: child.updatedAt.addingTimeInterval(day)
      )
      let stored = try await trial.subject.updateChild(given)
      trial.expect(stored.userID, equals: user, "the owner")
      trial.expect(stored.createdAt, equals: child.createdAt, "createdAt")
      trial.expect(
        stored.updatedAt >= child.updatedAt && stored.updatedAt < given.updatedAt,
        "Expected updatedAt to be the time of the change, found \(stored.updatedAt).")
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [stored], "the children")
    }

    Clause("children.update.others", "A change of one child leaves the others unchanged.") { trial in
      let user = try await trial.given(.signedIn)
      let other = try await trial.subject.createChild(.sample(of: user, named: "Kim"))
      var child = try await trial.subject.createChild(.sample(of: user, named: "Robin"))
      child.age = 9
      _ = try await trial.subject.updateChild(child)
      let fetched = try await trial.subject.fetchChildren(userID: user).first { $0.id == other.id }
      trial.expect(fetched, equals: other, "the other child")
    }

    Clause("children.update.absent", "A missing child cannot be changed, and is not created.") {
      trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.knownChild(of: user)
      try await trial.subject.deleteChild(id: child.id)
      await trial.expect(throws: AppError.network(.notFound)) { try await trial.subject.updateChild(child) }
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [], "the children after it")
    }

    Clause("children.update.hidden", "Another user's child is indistinguishable from a missing child.") {
      trial in
      _ = try await trial.given(.signedIn)
      let foreign = try await trial.given(.childOfAnotherUser)
      var changed = foreign.child
      changed.name = "Mine now"
      let attempt = changed
      await trial.expect(throws: AppError.network(.notFound)) { try await trial.subject.updateChild(attempt) }
      trial.expect(try await foreign.current(), equals: foreign.child, "the other user's child after it")
    }

    Clause("children.update.frees-name", "The name that a child had before a change can be given again.") {
      trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.subject.createChild(.sample(of: user, named: "Robin"))
      let renamed = try await trial.subject.updateChild(child.with { $0.name = "Kim" })
      let other = try await trial.require("to be given a name that is free again") {
        try await trial.subject.createChild(.sample(of: user, named: "Robin"))
      }
      trial.expect(
        try await trial.subject.fetchChildren(userID: user), equals: [other, renamed], "the children")
    }

    Clause(
      "children.update.taken-name", "A change to a name that is taken is a conflict and changes nothing."
    ) {
      trial in
      let user = try await trial.given(.signedIn)
      try await trial.during(.nameIsTaken) { name in
        let created = try await trial.subject.createChild(.sample(of: user, named: "Robin"))
        // Each call has returned something that a service could return again.
        let child = try await trial.subject.updateChild(created.with { $0.age = 12 })
        let before = try await trial.subject.fetchChildren(userID: user)
        var renamed = child
        renamed.name = name
        let attempt = renamed
        await trial.expect(throws: AppError.network(.conflict)) {
          try await trial.subject.updateChild(attempt)
        }
        trial.expect(
          try await trial.subject.fetchChildren(userID: user), equals: before, "the children after it")
      }
    }

    Clause("children.update.refused", "A change that the table refuses changes nothing, not even in part.") {
      trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.knownChild(of: user)
      var changed = child
      changed.name = "Kim"
      changed.age = 17
      let attempt = changed
      await trial.expect(throws: AppError.validation(.outOfRange(field: "age"))) {
        try await trial.subject.updateChild(attempt)
      }
      trial.expect(
        try await trial.subject.fetchChildren(userID: user), equals: [child], "the children after it")
    }
  }
}
