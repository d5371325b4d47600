import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ChildrenService {
  @ContractBuilder<Subject> static var childrenFailures: [Self] {
    Clause(
      "children.failure.server", "A failure of the server is reported by every call and changes nothing."
    ) {
      try await $0.expectEveryCall(toFailWhile: .serverFails, with: .network(.serverError))
    }

    Clause(
      "children.failure.no-answer", "A call that is not answered ends in a time-out and changes nothing."
    ) {
      try await $0.expectEveryCall(toFailWhile: .doesNotAnswer, with: .network(.timeout))
    }

    Clause("children.failure.offline", "Without a network every call says so and changes nothing.") {
      try await $0.expectEveryCall(toFailWhile: .offline, with: .network(.noConnection))
    }

    Clause("children.failure.connection", "A connection that breaks is reported, and nothing was changed.") {
      try await $0.expectEveryCall(toFailWhile: .connectionBreaks, with: .network(.connectionLost))
    }

    Clause("children.failure.passes", "A failure lasts no longer than its cause, however often it comes.") {
      trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.knownChild(of: user)
      for age in 9...11 {
        for call in ServiceCall.all(on: child) {
          try await trial.during(.offline) { await trial.expect(call, throws: .network(.noConnection)) }
        }
        let changed = try await trial.require("to update a child again") {
          try await trial.subject.updateChild(child.with { $0.age = age })
        }
        let other = try await trial.require("to create a child again") {
          try await trial.subject.createChild(.sample(of: user, named: "Aged \(age)"))
        }
        trial.expect(
          try await trial.subject.fetchChildren(userID: user), equals: [other, changed], "the children")
        try await trial.require("to delete a child again") {
          try await trial.subject.deleteChild(id: other.id)
        }
      }
    }

    Clause("children.failure.rate", "Too many requests are reported with the delay that the server names.") {
      trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.knownChild(of: user)
      try await trial.during(.tooManyRequests) { delay in
        for call in ServiceCall.all(on: child) {
          await trial.expect(call, throws: .network(.rateLimited(retryAfter: delay)))
        }
      }
      trial.expect(
        try await trial.subject.fetchChildren(userID: user), equals: [child], "the children after it")
    }

    Clause("children.failure.unreadable", "An answer that makes no sense is an error, never an empty list.") {
      trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.knownChild(of: user)
      try await trial.during(.answerIsUnreadable) {
        for call in ServiceCall.all(on: child) {
          await trial.expect(call, throws: .network(.unreadableAnswer))
        }
      }
    }

    Clause(
      "children.failure.lost-answer",
      "A write whose answer is lost after the server did the work is reported, and is done exactly once."
    ) {
      trial in
      let user = try await trial.given(.signedIn)
      let calls = try await trial.given(.callsAreCounted)
      var sent = await calls.count()
      for (condition, error) in [
        (Condition.answerIsLost, AppError.network(.connectionLost)), (.answerIsLate, .network(.timeout)),
      ] {
        func expectLost(_ call: ServiceCall<Subject>) async throws {
          sent = await calls.count()
          try await trial.during(condition) { await trial.expect(call, throws: error) }
          trial.expect(await calls.count() - sent, equals: 1, "the calls for \(call.name) when \(condition)")
        }
        try await expectLost(
          ServiceCall(name: "createChild") { _ = try await $0.createChild(.sample(of: user)) })
        let children = try await trial.subject.fetchChildren(userID: user)
        trial.expect(children.count == 1, "Expected exactly one stored child, found \(children.count).")
        let child = try trial.require(children.first, "Expected a stored child.")
        try await expectLost(
          ServiceCall(name: "updateChild") { _ = try await $0.updateChild(child.with { $0.age = 9 }) })
        trial.expect(
          try await trial.subject.fetchChildren(userID: user).map(\.age), equals: [9],
          "the ages after a change when \(condition)")
        try await expectLost(ServiceCall(name: "deleteChild") { try await $0.deleteChild(id: child.id) })
        trial.expect(
          try await trial.subject.fetchChildren(userID: user), equals: [],
          "the children after a deletion when \(condition)")
      }
    }

    Clause("children.failure.once", "A write is sent once, whether it fails or not.") { trial in
      let user = try await trial.given(.signedIn)
      let calls = try await trial.given(.callsAreCounted)
      var children: [Child] = []
      for name in ["Kim", "Robin"] {
        let before = await calls.count()
        let child = try await trial.subject.createChild(.sample(of: user, named: name))
        trial.expect(await calls.count() - before, equals: 1, "the calls for createChild of \(name)")
        children.insert(try await trial.subject.updateChild(child.with { $0.age = 12 }), at: 0)
        trial.expect(await calls.count() - before, equals: 2, "the calls with updateChild of \(name)")
      }
      for (condition, error) in Self.failures {
        for call in ServiceCall.writes(on: children[0]) {
          let before = await calls.count()
          try await trial.during(condition) { await trial.expect(call, throws: error) }
          trial.expect(
            await calls.count() - before, equals: 1, "the calls for \(call.name) when \(condition)")
        }
      }
      trial.expect(
        try await trial.subject.fetchChildren(userID: user), equals: children, "the children after it")
    }

    Clause("children.failure.recovery", "After a failure the same calls work again.") { trial in
      let user = try await trial.given(.signedIn)
      await trial.expect(throws: AppError.network(.serverError)) {
        try await trial.during(.serverFails) { try await trial.subject.createChild(.sample(of: user)) }
      }
      await trial.expect(throws: AppError.network(.noConnection)) {
        try await trial.during(.offline) { try await trial.subject.createChild(.sample(of: user)) }
      }
      let child = try await trial.require("to work again") {
        try await trial.subject.createChild(.sample(of: user))
      }
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [child], "the children")
    }
  }

  /// The failures after which nothing was done, with their errors.
  static var failures: [(Condition<Void>, AppError)] {
    [
      (.serverFails, .network(.serverError)), (.doesNotAnswer, .network(.timeout)),
      (.offline, .network(.noConnection)), (.connectionBreaks, .network(.connectionLost)),
    ]
  }
}

extension Trial where Subject == any ChildrenService {
  /// Expects every call to throw an error while a condition holds, and to change nothing.
  fileprivate func expectEveryCall(
    toFailWhile condition: Condition<Void>, with error: AppError, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let user = try await given(.signedIn)
    let child = try await knownChild(of: user)
    try await during(condition) {
      for call in ServiceCall.all(on: child) {
        await expect(call, throws: error, fileID: fileID, line: line)
      }
    }
    expect(
      try await subject.fetchChildren(userID: user), equals: [child], "the children after it", fileID: fileID,
      line: line)
  }
}
