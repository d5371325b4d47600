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
      trial.expect(try await trial.subject.signIn(account), equals: account.userID, "the id, later")
    }

    Clause(
      "authentication.cancellation.under-way", "A sign-in that is cancelled under way signs no user in."
    ) {
      trial in
      let account = try await trial.given(.account)
      try await trial.during(.callsAreHeld) { held in
        let task = Task { try await trial.subject.signIn(account) }
        await held.arrival(1)
        task.cancel()
        await trial.expect(throws: AppError.cancelled) { try await task.value }
      }
      await trial.expect(signedIn: nil, "after it was cancelled")
    }

    Clause(
      "authentication.cancellation.sign-out",
      "A sign-out that is cancelled under way ends the session on the device."
    ) {
      trial in
      _ = try await trial.signedIn()
      try await trial.during(.callsAreHeld) { held in
        let task = Task { try await trial.subject.signOut() }
        await held.arrival(1)
        task.cancel()
        await trial.expect(throws: AppError.cancelled) { try await task.value }
      }
      await trial.expect(signedIn: nil, "after a sign-out was cancelled under way")
    }

    Clause(
      "authentication.cancellation.before", "A task that was cancelled before it signs out stays signed in."
    ) {
      trial in
      let account = try await trial.signedIn()
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await trial.subject.signOut()
      }
      await trial.expect(throws: AppError.cancelled) { try await task.value }
      await trial.expect(signedIn: account.userID, "after a cancelled task tried to sign out")
      try await trial.subject.refresh()
    }
  }
}

extension Trial where Subject == any AuthService {
  /// Expects signing in to throw an error while a condition holds, to sign in no user, and to succeed afterwards.
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
  }
}
