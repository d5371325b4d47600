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

    Clause("children.failure.rate", "Too many requests are reported with the delay that the server names.") {
      trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.subject.createChild(.sample(of: user))
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
      let child = try await trial.subject.createChild(.sample(of: user))
      try await trial.during(.answerIsUnreadable) {
        for call in ServiceCall.all(on: child) {
          await trial.expect(call, throws: .network(.unreadableAnswer))
        }
      }
    }

    Clause(
      "children.failure.lost-answer",
      "A create whose answer is lost after the server did the work is reported, and is stored exactly once."
    ) {
      trial in
      let user = try await trial.given(.signedIn)
      try await trial.during(.answerIsLost) {
        await trial.expect(throws: AppError.network(.connectionLost)) {
          try await trial.subject.createChild(.sample(of: user))
        }
      }
      let children = try await trial.subject.fetchChildren(userID: user)
      trial.expect(children.count == 1, "Expected exactly one stored child, found \(children.count).")
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
}

extension Trial where Subject == any ChildrenService {
  /// Expects every call to throw an error while a condition holds, and to change nothing.
  fileprivate func expectEveryCall(
    toFailWhile condition: Condition<Void>, with error: AppError, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let user = try await given(.signedIn)
    let child = try await subject.createChild(.sample(of: user))
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
