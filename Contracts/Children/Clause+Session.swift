import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ChildrenService {
  @ContractBuilder<Subject> static var childrenSession: [Self] {
    Clause("children.session.signed-out", "Without a session, every call reports that no user is signed in.")
    {
      trial in
      let users = try await trial.given(.usersTakeTurns)
      let user = users.ids[0]
      let child = try await trial.knownChild(of: user)
      _ = try await trial.given(.signedOut)
      for call in ServiceCall.all(on: child) {
        await trial.expect(call, throws: .authentication(.notSignedIn))
      }
      try await users.signIn(user)
      trial.expect(
        try await trial.subject.fetchChildren(userID: user), equals: [child], "the children after it")
    }

    Clause("children.session.expired", "An expired token is refreshed once, and the call goes on unnoticed.")
    { trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.subject.createChild(.sample(of: user))
      for call in ServiceCall.all(on: child) {
        try await trial.during(.tokenExpired) { refreshes in
          try await trial.require("\(call.name) to go on unnoticed") { try await call.run(trial.subject) }
          trial.expect(await refreshes.count(), equals: 1, "the refreshes for \(call.name)")
        }
      }
      trial.expect(
        try await trial.subject.fetchChildren(userID: user).map(\.name), equals: ["Another"],
        "the children after a create, an update and a delete")
    }

    Clause("children.session.shared-refresh", "Twenty calls that find the token expired share one refresh.") {
      trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.subject.createChild(.sample(of: user))
      try await trial.during(.tokenExpired) { refreshes in
        let lists = try await withThrowingTaskGroup(of: [Child].self) { group in
          for _ in 1...20 { group.addTask { try await trial.subject.fetchChildren(userID: user) } }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        trial.expect(lists, equals: Array(repeating: [child], count: 20), "the lists")
        trial.expect(await refreshes.count(), equals: 1, "the refreshes")
      }
    }

    Clause("children.session.kept", "A call that fails leaves the session unchanged, however it fails.") {
      trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.subject.createChild(.sample(of: user))
      let calls = try await trial.given(.callsAreCounted)
      func expectSession(after what: String) async throws {
        let before = await calls.count()
        let children = try await trial.require("to go on with the session after \(what)") {
          try await trial.subject.fetchChildren(userID: user)
        }
        trial.expect(children, equals: [child], "the children after \(what)")
        trial.expect(await calls.count() - before, equals: 1, "the calls after \(what)")
      }
      for (condition, error) in failures + [(.answerIsUnreadable, .network(.unreadableAnswer))] {
        try await trial.during(condition) {
          await trial.expect(throws: error) { try await trial.subject.fetchChildren(userID: user) }
        }
        try await expectSession(after: "\(condition)")
      }
      try await trial.during(.tooManyRequests) { delay in
        await trial.expect(throws: AppError.network(.rateLimited(retryAfter: delay))) {
          try await trial.subject.fetchChildren(userID: user)
        }
      }
      try await expectSession(after: "too many requests")
      for (name, error) in [
        ("Robin", AppError.network(.conflict)), (" ", .validation(.outOfRange(field: "name"))),
      ] {
        await trial.expect(throws: error) {
          try await trial.subject.createChild(.sample(of: user, named: name))
        }
        try await expectSession(after: "\(error)")
      }
    }

    Clause(
      "children.session.refresh-fails", "A call whose refresh fails says so, and a later call can refresh."
    ) { trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.subject.createChild(.sample(of: user))
      for (condition, error) in failures.dropFirst() {
        try await trial.during(.tokenExpired) { refreshes in
          try await trial.during(condition) {
            await trial.expect(throws: error) { try await trial.subject.fetchChildren(userID: user) }
          }
          let before = await refreshes.count()
          let children = try await trial.require("to refresh after \(condition)") {
            try await trial.subject.fetchChildren(userID: user)
          }
          trial.expect(children, equals: [child], "the children after \(condition)")
          trial.expect(await refreshes.count() - before, equals: 1, "the refreshes after \(condition)")
        }
      }
    }

    Clause(
      "children.session.ended",
      "After the server ends the session, a call reports the end, and later calls that no user is signed in."
    ) { trial in
      let users = try await trial.given(.usersTakeTurns)
      let user = users.ids[0]
      let child = try await trial.knownChild(of: user)
      for first in ServiceCall.all(on: child) {
        try await users.signIn(user)
        try await trial.during(.sessionEnded) {
          await trial.expect(first, throws: .network(.unauthorized))
          for call in ServiceCall.all(on: child) {
            await trial.expect(call, throws: .authentication(.notSignedIn))
          }
        }
      }
      try await users.signIn(user)
      trial.expect(
        try await trial.subject.fetchChildren(userID: user), equals: [child], "the children after it")
    }
  }
}
