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
      let long = String(repeating: "A long text. ", count: 40)
      let words: [(goals: [String], topics: [String])] = [
        (["sleep", "", "listen", "listen", "sleep"], ["school", "school", "", "art"]), ([], [" art "]),
        ([long], []),
      ]
      var children: [Child] = []
      for (name, words) in zip(["Kim", long, "Robin"], words) {
        var sample = NewChild.sample(of: user, named: name)
        (sample.goals, sample.topics) = words
        let child = try await trial.subject.createChild(sample)
        trial.expect(child.asCreated, equals: sample, "the created child")
        children.insert(child, at: 0)
      }
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: children, "the children")
    }

    Clause("children.create.identity", "Each child has an id of its own and belongs to its user.") { trial in
      let user = try await trial.given(.signedIn)
      let one = try await trial.subject.createChild(.sample(of: user, named: "Robin"))
      let other = try await trial.subject.createChild(.sample(of: user, named: "Kim"))
      trial.expect(one.id != other.id, "Expected two ids, found \(one.id) twice.")
      trial.expect([one.userID, other.userID], equals: [user, user], "the owners")
    }

    Clause("children.create.chosen-id", "A child is stored under the id that the client chose.") { trial in
      let user = try await trial.given(.signedIn)
      var children: [Child] = []
      for name in ["Kim", "Robin"] {
        let sample = NewChild.sample(of: user, named: name, under: trial.uuid())
        let child = try await trial.subject.createChild(sample)
        trial.expect(child.asCreated(under: child.id), equals: sample, "the created child")
        children.insert(child, at: 0)
      }
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: children, "the children")
    }

    Clause(
      "children.create.again",
      "Creating a child that is already stored, with the same id and values, returns it and stores nothing."
    ) { trial in
      let user = try await trial.given(.signedIn)
      var children: [Child] = []
      for name in ["Kim", "Robin"] {
        let sample = NewChild.sample(of: user, named: name, under: trial.uuid())
        let child = try await trial.subject.createChild(sample)
        for _ in 1...2 {
          let again = try await trial.require("to return the stored child") {
            try await trial.subject.createChild(sample)
          }
          trial.expect(again, equals: child, "the child that was created again")
        }
        children.insert(child, at: 0)
      }
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: children, "the children")
    }

    Clause(
      "children.create.again-otherwise",
      "Creating a child with the id of a stored one and any other value is a conflict, and changes nothing."
    ) { trial in
      let user = try await trial.given(.signedIn)
      let sample = NewChild.sample(of: user, under: trial.uuid())
      let child = try await trial.subject.createChild(sample)
      let changes: [(String, (inout NewChild) -> Void)] = [
        ("name", { $0.name = "Kim" }), ("age", { $0.age = 9 }),
        ("birthday", { $0.birthday = $0.birthday.adding(years: -1) }), ("goals", { $0.goals = ["sleep"] }),
        ("topics", { $0.topics = [] }),
        ("place of a goal", { $0.topics.insert($0.goals.removeLast(), at: 0) }),
        ("temperament", { $0.temperament = .cautious }),
        ("talkativeness", { $0.talkativeness = 6 }), ("sensitivity", { $0.sensitivity = 4 }),
        ("accountability", { $0.accountability = 9 }), ("id", { $0.id = trial.uuid() }),
        ("id", { $0.id = nil }),
      ]
      for (field, change) in changes {
        var changed = sample
        change(&changed)
        let other = changed
        await trial.expect("createChild with another \(field) to throw a conflict") {
          _ = try await trial.subject.createChild(other)
        } throwing: {
          $0 as? AppError == .network(.conflict)
        }
      }
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [child], "the children")
    }

    Clause(
      "children.create.again-scalars",
      "Creating a child with the id of a stored one and a text in another normal form is a conflict."
    ) { trial in
      let user = try await trial.given(.signedIn)
      var sample = NewChild.sample(of: user, named: "Zoë", under: trial.uuid())
      (sample.goals, sample.topics) = (["Zoë"], ["Zoë"])
      let child = try await trial.subject.createChild(sample)
      trial.expect(child.asCreated(under: child.id), equals: sample, "the created child")
      let changes: [(String, (inout NewChild) -> Void)] = [
        ("name", { $0.name = "Zoe\u{308}" }), ("goals", { $0.goals = ["Zoe\u{308}"] }),
        ("topics", { $0.topics = ["Zoe\u{308}"] }),
      ]
      for (field, change) in changes {
        var changed = sample
        change(&changed)
        let other = changed
        await trial.expect("createChild with the \(field) in another normal form to throw a conflict") {
          _ = try await trial.subject.createChild(other)
        } throwing: {
          $0 as? AppError == .network(.conflict)
        }
      }
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [child], "the children")
    }

    Clause("children.create.id-of-another", "The id of another user's child is a conflict.") { trial in
      let user = try await trial.given(.signedIn)
      let foreign = try await trial.given(.childOfAnotherUser)
      await trial.expect(throws: AppError.network(.conflict)) {
        try await trial.subject.createChild(.sample(of: user, under: foreign.child.id))
      }
      trial.expect(try await foreign.current(), equals: foreign.child, "the other user's child after it")
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [], "the children after it")
    }

    Clause(
      "children.create.lost", "A creation whose answer was lost ends well when it is repeated with its id."
    ) { trial in
      let user = try await trial.given(.signedIn)
      var children: [Child] = []
      for (condition, error) in [
        (Condition.answerIsLost, AppError.network(.connectionLost)), (.answerIsLate, .network(.timeout)),
      ] {
        let sample = NewChild.sample(of: user, named: "While \(condition)", under: trial.uuid())
        try await trial.during(condition) {
          await trial.expect(throws: error) { try await trial.subject.createChild(sample) }
        }
        let child = try await trial.require("to end well when \(condition)") {
          try await trial.subject.createChild(sample)
        }
        trial.expect(child.asCreated(under: child.id), equals: sample, "the child after it")
        children.insert(child, at: 0)
      }
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: children, "the children")
    }

    Clause("children.create.dates", "A new child was created and updated at the same moment.") { trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.subject.createChild(.sample(of: user))
      trial.expect(child.updatedAt, equals: child.createdAt, "updatedAt")
    }

    Clause("children.create.clock", "The dates are those of the server's clock, to the microsecond.") {
      trial in
      let user = try await trial.given(.signedIn)
      let time = try await trial.given(.timePasses)
      let clock = try await trial.given(.clockIsKnown)
      try await time.pass(.microseconds(1_234_567))
      let created = clock.now()
      let child = try await trial.subject.createChild(.sample(of: user))
      trial.expect(child.createdAt, near: created, "createdAt")
      try await time.pass(.microseconds(61_000_321))
      let changed = clock.now()
      let stored = try await trial.subject.updateChild(child.with { $0.age = 9 })
      trial.expect(stored.createdAt, near: created, "createdAt after a change")
      trial.expect(stored.updatedAt, near: changed, "updatedAt after a change")
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [stored], "the children")
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
        let created = try await trial.subject.createChild(sample)
        let other = " \(name)\n"
        let changed = try await trial.subject.updateChild(
          created.with {
            $0.name = other
            $0.topics = [other]
          })
        for (text, given) in [
          (created.name, name), (created.goals.first, name), (changed.name, other),
          (changed.goals.first, name), (changed.topics.first, other),
        ] {
          // String equality ignores the normalization form, so this compares Unicode scalars.
          trial.expect(
            Array((text ?? "").unicodeScalars), equals: Array(given.unicodeScalars),
            "the scalars of \(given.debugDescription)")
        }
      }
    }

    Clause(
      "children.create.long-text", "A text of a hundred thousand characters and a thousand words are stored."
    ) { trial in
      let user = try await trial.given(.signedIn)
      var sample = NewChild.sample(of: user)
      sample.topics = [String(repeating: "łß🧒", count: 33_334)]
      sample.goals = (1...1_000).map { "goal \($0)" }
      let created = try await trial.subject.createChild(sample)
      trial.expect(created.topics == sample.topics, "Expected the answer to have the topic.")
      trial.expect(
        created.goals == sample.goals,
        "Expected a thousand goals in the answer, found \(created.goals.count).")
      let stored = try await trial.subject.fetchChildren(userID: user).first
      let topics = stored?.topics
      trial.expect(
        topics == sample.topics,
        "Expected a topic of \(sample.topics[0].count) characters, found \(topics?.first?.count ?? 0).")
      trial.expect(
        stored?.goals == sample.goals, "Expected a thousand goals, found \(stored?.goals.count ?? 0).")
    }
  }

  /// Names that often break quoting, filters, JSON or normalization.
  private static var names: [String] {
    [
      "Zoë", "Zoe\u{308}", "王小明", "مريم", "👩‍👧‍👦", "O'Neil", #"a "b" \c"#, "x,y.(z)", "tab\tline\nend", "null",
      "100 %&=+#", "\tRobin ",
    ]
  }
}

extension Trial where Subject == any ChildrenService {
  /// Expects a date that differs from another by the steps of a database alone, which dates no two rows alike.
  fileprivate func expect(
    _ actual: Date, near expected: Date, _ what: String, fileID: String = #fileID, line: Int = #line
  ) {
    let difference = actual.timeIntervalSince(expected)
    expect(
      abs(difference) < 0.000_01, "Expected \(what) to be the server's time, found it \(difference) s later.",
      fileID: fileID, line: line)
  }
}
