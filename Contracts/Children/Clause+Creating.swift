import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ChildrenService {
  @ContractBuilder<Subject> static var creating: [Self] {
    Clause("children.create.stored", "A child that was created is fetched as it was returned.") { trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.subject.createChild(.sample(of: user))
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [child], "the children")
    }

    Clause("children.create.fields", "Every field that a client gives is stored as it was given.") { trial in
      let user = try await trial.given(.signedIn)
      let sample = NewChild.sample(of: user)
      let child = try await trial.subject.createChild(sample)
      trial.expect(child.asCreated, equals: sample, "the created child")
    }

    Clause("children.create.identity", "Each child has an id of its own and belongs to its user.") { trial in
      let user = try await trial.given(.signedIn)
      let one = try await trial.subject.createChild(.sample(of: user, named: "Robin"))
      let other = try await trial.subject.createChild(.sample(of: user, named: "Kim"))
      trial.expect(one.id != other.id, "Expected two ids, found \(one.id) twice.")
      trial.expect([one.userID, other.userID], equals: [user, user], "the owners")
    }

    Clause("children.create.dates", "A new child was created and updated at the same moment.") { trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.subject.createChild(.sample(of: user))
      trial.expect(child.updatedAt, equals: child.createdAt, "updatedAt")
    }

    Clause("children.create.age-limits", "The youngest and the oldest child that are taken are 6 and 16.") {
      trial in
      let user = try await trial.given(.signedIn)
      for age in [6, 16] {
        var child = NewChild.sample(of: user, named: "Aged \(age)")
        child.age = age
        let sample = child
        let stored = try await trial.require("with age \(age) to be taken") {
          try await trial.subject.createChild(sample)
        }
        trial.expect(stored.age, equals: age, "the stored age")
      }
    }

    Clause(
      "children.create.unicode", "Names and words come back scalar for scalar, whatever they are made of."
    ) {
      trial in
      let user = try await trial.given(.signedIn)
      for name in Self.names {
        var sample = NewChild.sample(of: user, named: name)
        sample.goals = [name, ""]
        let child = try await trial.subject.createChild(sample)
        for text in [child.name, child.goals.first ?? ""] {
          // String equality ignores the normalization form, so this compares Unicode scalars.
          trial.expect(
            Array(text.unicodeScalars), equals: Array(name.unicodeScalars),
            "the scalars of \(name.debugDescription)")
        }
      }
    }

    Clause("children.create.long-text", "Text of a hundred thousand characters is stored whole.") { trial in
      let user = try await trial.given(.signedIn)
      var sample = NewChild.sample(of: user)
      sample.topics = [String(repeating: "łß🧒", count: 33_334)]
      _ = try await trial.subject.createChild(sample)
      let topics = try await trial.subject.fetchChildren(userID: user).first?.topics
      trial.expect(
        topics == sample.topics,
        "Expected a topic of \(sample.topics[0].count) characters, found \(topics?.first?.count ?? 0).")
    }
  }

  /// Names that often break quoting, filters, JSON or normalization.
  private static var names: [String] {
    [
      "Zoë", "Zoe\u{308}", "王小明", "مريم", "👩‍👧‍👦", "O'Neil", #"a "b" \c"#, "x,y.(z)", "tab\tline\nend", "null",
      "100 %&=+#",
    ]
  }
}
