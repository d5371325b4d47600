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

    Clause("children.refuse.age", "Ages of 5 and 17 are refused, and nothing is stored.") { trial in
      try await trial.expectRefused(field: "age", [-1, 0, 5, 17, Int(Int32.max)]) { $0.age = $1 }
    }

    Clause("children.refuse.talkativeness", "A talkativeness outside 1 to 10 is refused.") { trial in
      try await trial.expectRefused(field: "temperament_talkative", [0, 11]) { $0.talkativeness = $1 }
    }

    Clause("children.refuse.sensitivity", "A sensitivity outside 1 to 10 is refused.") { trial in
      try await trial.expectRefused(field: "temperament_sensitivity", [0, 11]) { $0.sensitivity = $1 }
    }

    Clause("children.refuse.accountability", "An accountability outside 1 to 10 is refused.") { trial in
      try await trial.expectRefused(field: "temperament_accountability", [0, 11]) { $0.accountability = $1 }
    }

    Clause("children.refuse.blank-name", "A name of nothing but white space is refused.") { trial in
      try await trial.expectRefused(field: "name", ["", "   ", "\t\n"]) { $0.name = $1 }
    }

    Clause("children.refuse.birthday", "A birthday in the future is refused.") { trial in
      let future = try trial.require(CalendarDate(year: 9999, month: 12, day: 31), "Expected a date.")
      try await trial.expectRefused(field: "birthday", [future]) { $0.birthday = $1 }
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

extension Trial where Subject == any ChildrenService {
  /// Expects each of the values to be refused for a field, and nothing to be stored.
  fileprivate func expectRefused<Value: Sendable>(
    field: String, _ values: [Value], fileID: String = #fileID, line: Int = #line,
    set: (inout NewChild, Value) -> Void
  ) async throws {
    let user = try await given(.signedIn)
    for value in values {
      var child = NewChild.sample(of: user)
      set(&child, value)
      let refused = child
      await expect("with \(field) \(value) to be refused as out of range", fileID: fileID, line: line) {
        try await subject.createChild(refused)
      } throwing: {
        ($0 as? AppError) == .validation(.outOfRange(field: field))
      }
    }
    expect(
      try await subject.fetchChildren(userID: user), equals: [], "the children after it", fileID: fileID,
      line: line)
  }
}
