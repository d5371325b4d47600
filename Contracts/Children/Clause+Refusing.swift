import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ChildrenService {
  @ContractBuilder<Subject> static var refusing: [Self] {
    Clause("children.refuse.taken-name", "A second child of the same name is a conflict, and is not stored.")
    {
      trial in
      let user = try await trial.given(.signedIn)
      try await trial.during(.nameIsTaken) { name in
        let before = try await trial.subject.fetchChildren(userID: user)
        await trial.expect(throws: AppError.network(.conflict)) {
          try await trial.subject.createChild(.sample(of: user, named: name))
        }
        trial.expect(
          try await trial.subject.fetchChildren(userID: user), equals: before, "the children after it")
      }
    }

    Clause("children.refuse.own-names-only", "A name that another user's child has is free.") { trial in
      let user = try await trial.given(.signedIn)
      let foreign = try await trial.given(.childOfAnotherUser)
      let child = try await trial.require("with another's name to be taken") {
        try await trial.subject.createChild(.sample(of: user, named: foreign.child.name))
      }
      trial.expect(child.name, equals: foreign.child.name, "the stored name")
    }

    Clause("children.refuse.age", "Ages below 6 and above 16 are refused, on creation and on change.") {
      trial in
      try await trial.expectRefused(.age)
    }

    Clause("children.refuse.talkativeness", "A talkativeness outside 1 to 10 is refused, on both.") { trial in
      try await trial.expectRefused(.talkativeness)
    }

    Clause("children.refuse.sensitivity", "A sensitivity outside 1 to 10 is refused, on both.") { trial in
      try await trial.expectRefused(.sensitivity)
    }

    Clause("children.refuse.accountability", "An accountability outside 1 to 10 is refused, on both.") {
      trial in
      try await trial.expectRefused(.accountability)
    }

    Clause("children.refuse.blank-name", "A name of nothing but white space is refused, on both.") { trial in
      try await trial.expectRefused(.name)
    }

    Clause("children.refuse.birthday", "A birthday in the future is refused, on both.") { trial in
      try await trial.expectRefused(.birthday)
    }

    Clause("children.refuse.malformed", "A value that no column can hold is refused as malformed, on both.") {
      trial in
      try await trial.expectRefused(.number)
      try await trial.expectRefused(.text)
    }

    Clause(
      "children.refuse.hidden", "For a missing and for another's child, a refused value is not found either."
    ) { trial in
      let user = try await trial.given(.signedIn)
      let foreign = try await trial.given(.childOfAnotherUser)
      let missing = try await trial.subject.createChild(.sample(of: user))
      try await trial.subject.deleteChild(id: missing.id)
      for (which, child) in [("a missing", missing), ("another's", foreign.child)] {
        for refusal in RefusedField.ranges {
          for (value, change) in refusal.values {
            var values = child.asCreated
            change(&values)
            let changed = child.with(values)
            let call = ServiceCall<Subject>(
              name: "updateChild of \(which) child with \(refusal.field) \(value)"
            ) { _ = try await $0.updateChild(changed) }
            await trial.expect(call, throws: .network(.notFound))
          }
        }
      }
      trial.expect(try await foreign.current(), equals: foreign.child, "the other user's child after it")
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [], "the children after it")
    }

    Clause("children.refuse.another-user", "A user cannot store a child for another user.") { trial in
      let user = try await trial.given(.signedIn)
      try await trial.during(.anotherUser) { other in
        await trial.expect(throws: AppError.network(.forbidden)) {
          try await trial.subject.createChild(.sample(of: other))
        }
      }
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [], "the children after it")
    }
  }
}

/// A field with values that the table refuses.
private struct RefusedField: Sendable {
  typealias Change = @Sendable (inout NewChild) -> Void

  let field: String
  let error: AppError
  let values: [(value: String, change: Change)]

  private init<Value: Sendable>(
    _ field: String, _ values: [Value], as error: AppError? = nil,
    set: @escaping @Sendable (inout NewChild, Value) -> Void
  ) {
    self.field = field
    self.error = error ?? .validation(.outOfRange(field: field))
    self.values = values.map { value in ("\(value)", { set(&$0, value) }) }
  }

  static let age = RefusedField("age", [-1, 0, 5, 17, Int(Int32.max)]) { $0.age = $1 }
  static let talkativeness = RefusedField("temperament_talkative", [0, 11]) { $0.talkativeness = $1 }
  static let sensitivity = RefusedField("temperament_sensitivity", [0, 11]) { $0.sensitivity = $1 }
  static let accountability = RefusedField("temperament_accountability", [0, 11]) { $0.accountability = $1 }
  static let name = RefusedField("name", ["", "   ", "\t\n"]) { $0.name = $1 }
  static let birthday = RefusedField(
    "birthday", [CalendarDate(year: 9999, month: 12, day: 31)].compactMap(\.self)
  ) { $0.birthday = $1 }
  /// Numbers beyond the 32 bits of the column (22003).
  static let number = RefusedField("age", [Int.max, .min], as: .validation(.malformed(field: nil))) {
    $0.age = $1
  }
  /// Text with U+0000, which PostgreSQL cannot store (22P05).
  static let text = RefusedField("name", ["a\0b"], as: .validation(.malformed(field: nil))) { $0.name = $1 }

  /// The fields with a range, whose checks look at stored rows alone.
  static let ranges = [age, talkativeness, sensitivity, accountability, name, birthday]
}

extension Trial where Subject == any ChildrenService {
  /// Expects each of the values to be refused on every path that writes it, and nothing to be stored.
  fileprivate func expectRefused(
    _ refusal: RefusedField, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let user = try await given(.signedIn)
    let stored =
      if let first = try await subject.fetchChildren(userID: user).first { first } else {
        try await knownChild(of: user, named: "Kim")
      }
    for (value, change) in refusal.values {
      var (new, values) = (NewChild.sample(of: user), stored.asCreated)
      change(&new)
      change(&values)
      let (refused, changed) = (new, stored.with(values))
      let paths: [ServiceCall<Subject>] = [
        ServiceCall(name: "createChild") { _ = try await $0.createChild(refused) },
        ServiceCall(name: "updateChild") { _ = try await $0.updateChild(changed) },
      ]
      for path in paths {
        await expect(
          "\(path.name) with \(refusal.field) \(value) to throw \(refusal.error)", fileID: fileID, line: line
        ) {
          try await path.run(subject)
        } throwing: {
          ($0 as? AppError) == refusal.error
        }
      }
    }
    expect(
      try await subject.fetchChildren(userID: user), equals: [stored], "the children after it",
      fileID: fileID, line: line)
  }
}
