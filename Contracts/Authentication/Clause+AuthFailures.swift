import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any AuthService {
  @ContractBuilder<Subject> static var authFailures: [Self] {
    Clause("authentication.failure.server", "A server failure is reported, and no user is signed in.") {
      try await $0.expectSigningIn(toFailWhile: .serverFails, with: .network(.serverError))
    }

    Clause("authentication.failure.no-answer", "Signing in that is not answered ends in a time-out.") {
      try await $0.expectSigningIn(toFailWhile: .doesNotAnswer, with: .network(.timeout))
    }

    Clause("authentication.failure.offline", "Without a network, signing in says so.") {
      try await $0.expectSigningIn(toFailWhile: .offline, with: .network(.noConnection))
    }

    Clause(
      "authentication.failure.connection", "A lost connection is reported, and no user is signed in."
    ) {
      try await $0.expectSigningIn(toFailWhile: .connectionBreaks, with: .network(.connectionLost))
    }

    Clause("authentication.failure.unreadable", "An unreadable answer signs no user in.") {
      try await $0.expectSigningIn(toFailWhile: .answerIsUnreadable, with: .network(.unreadableAnswer))
    }

    Clause("authentication.failure.lost-answer", "A sign-in whose answer is lost signs no user in.") {
      try await $0.expectSigningIn(toFailWhile: .answerIsLost, with: .network(.connectionLost))
    }

    Clause("authentication.failure.once", "A call that fails is made once, however it fails.") { trial in
      let second = try await trial.given(.secondAccount)
      for (condition, error) in Self.failures {
        for call in ServiceCall.all(signingInAs: second) {
          let account = try await trial.signedIn()
          let calls = try await trial.given(.callsAreCounted)
          try await trial.during(condition) { await trial.expect(call, throws: error) }
          trial.expect(await calls.count(), equals: 1, "the calls for \(call.name) when \(condition)")
          await trial.expect(
            signedIn: call.name == "signOut" ? nil : account.userID, "after \(call.name) when \(condition)")
        }
      }
    }

    Clause(
      "authentication.failure.rate", "Too many attempts are reported with the delay that the server names."
    ) {
      trial in
      let account = try await trial.given(.account)
      try await trial.during(.tooManyRequests) { delay in
        await trial.expect(throws: AppError.network(.rateLimited(retryAfter: delay))) {
          try await trial.subject.signIn(account)
        }
      }
      for call in ServiceCall.all(signingInAs: account) {
        trial.expect(try await trial.subject.signIn(account), equals: account.userID, "the id, later")
        try await trial.during(.tooManyRequests) { delay in
          await trial.expect(call, throws: .network(.rateLimited(retryAfter: delay)))
        }
        await trial.expect(
          signedIn: call.name == "signOut" ? nil : account.userID, "after too many requests of \(call.name)")
      }
    }

    Clause(
      "authentication.cancellation.under-way", "A sign-in that is cancelled under way signs no user in."
    ) {
      trial in
      let account = try await trial.given(.account)
      try await trial.during(.callsAreHeld) { held in
        let task = Task { try await trial.subject.signIn(account) }
        await held.wait(forCalls: 1)
        task.cancel()
        await trial.expect(throws: AppError.cancelled) { try await task.value }
      }
      await trial.expect(signedIn: nil, "after it was cancelled")
      let second = try await trial.given(.secondAccount)
      _ = try await trial.signedIn()
      try await trial.during(.callsAreHeld) { held in
        let task = Task { try await trial.subject.signIn(second) }
        await held.wait(forCalls: 1)
        task.cancel()
        await trial.expect(throws: AppError.cancelled) { try await task.value }
      }
      await trial.expect(signedIn: account.userID, "after another user's sign-in was cancelled")
    }

    Clause(
      "authentication.cancellation.refresh",
      "A refresh that is cancelled under way leaves the user signed in."
    ) { trial in
      let account = try await trial.signedIn()
      try await trial.given(.exchangesAreUnlimited)
      try await trial.during(.callsAreHeld) { held in
        let task = Task { try await trial.subject.refresh() }
        await held.wait(forCalls: 1)
        task.cancel()
        await trial.expect(throws: AppError.cancelled) { try await task.value }
      }
      await trial.expect(signedIn: account.userID, "after a refresh was cancelled under way")
      try await trial.require("to refresh after one that was cancelled") { try await trial.subject.refresh() }
    }

    Clause(
      "authentication.cancellation.others", "Cancelling two of twenty refreshes leaves the others alone."
    ) {
      trial in
      let account = try await trial.signedIn()
      try await trial.given(.exchangesAreUnlimited)
      try await trial.during(.callsAreHeld) { held in
        let refreshes = await trial.twentyRefreshes(held)
        for cancelled in refreshes.prefix(2) {
          cancelled.cancel()
          await trial.expect(throws: AppError.cancelled) { try await cancelled.value }
        }
        await held.release()
        for other in refreshes.dropFirst(2) {
          try await trial.require("beside two that were cancelled to succeed") { try await other.value }
        }
      }
      await trial.expect(signedIn: account.userID, "after two of twenty refreshes were cancelled")
      try await trial.subject.refresh()
    }

    Clause(
      "authentication.cancellation.sign-out",
      "A sign-out that is cancelled under way ends the session on the device."
    ) {
      trial in
      _ = try await trial.signedIn()
      try await trial.during(.callsAreHeld) { held in
        let task = Task { try await trial.subject.signOut() }
        await held.wait(forCalls: 1)
        task.cancel()
        await trial.expect(throws: AppError.cancelled) { try await task.value }
      }
      await trial.expect(signedIn: nil, "after a sign-out was cancelled under way")
    }

    Clause(
      "authentication.cancellation.before",
      "A call of a task that was cancelled before leaves the session alone."
    ) {
      trial in
      let account = try await trial.signedIn()
      let second = try await trial.given(.secondAccount)
      for call in ServiceCall.all(signingInAs: second) {
        await trial.expectCancelled(beforehand: [call])
        await trial.expect(signedIn: account.userID, "after \(call.name) in a cancelled task")
      }
      try await trial.subject.refresh()
    }
  }
}

extension Clause where Subject == any AuthService {
  /// The failures of any call, with their errors.
  static var failures: [(Condition<Void>, AppError)] {
    [
      (.serverFails, .network(.serverError)), (.doesNotAnswer, .network(.timeout)),
      (.offline, .network(.noConnection)), (.connectionBreaks, .network(.connectionLost)),
      (.answerIsLost, .network(.connectionLost)), (.answerIsLate, .network(.timeout)),
    ]
  }
}

extension Trial where Subject == any AuthService {
  /// Expects signing in to throw an error while a condition holds, to leave the session or its absence unchanged, and
  /// to succeed afterwards.
  fileprivate func expectSigningIn(
    toFailWhile condition: Condition<Void>, with error: AppError, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let account = try await given(.account)
    try await during(condition) {
      await expect(throws: error, fileID: fileID, line: line) { try await subject.signIn(account) }
      await expect(signedIn: nil, "when \(condition)", fileID: fileID, line: line)
    }
    expect(
      try await subject.signIn(account), equals: account.userID, "the id afterwards", fileID: fileID,
      line: line)
    let second = try await given(.secondAccount)
    try await during(condition) {
      await expect(throws: error, fileID: fileID, line: line) { try await subject.signIn(second) }
    }
    await expect(
      signedIn: account.userID, "after another user's sign-in failed because \(condition)", fileID: fileID,
      line: line)
    try await subject.refresh()
    expect(
      try await subject.signIn(second), equals: second.userID, "the other user's id afterwards",
      fileID: fileID, line: line)
  }
}
