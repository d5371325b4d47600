import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any RealtimeService {
  @ContractBuilder<Subject> static var realtimeRefusing: [Self] {
    Clause("realtime.refuse.signed-out", "Without a session there is nothing to subscribe to.") { trial in
      _ = try await trial.given(.signedIn)
      _ = try await trial.given(.signedOut)
      await trial.expect(throws: AppError.authentication(.notSignedIn)) {
        try await trial.subject.childChanges()
      }
    }

    Clause(
      "realtime.refuse.session",
      "After the server ends the session, a call reports the end, and a later call that no user is signed in."
    ) { trial in
      _ = try await trial.given(.signedIn)
      _ = try await trial.given(.sessionEnded)
      await trial.expect(throws: AppError.network(.unauthorized)) { try await trial.subject.childChanges() }
      await trial.expect(throws: AppError.authentication(.notSignedIn)) {
        try await trial.subject.childChanges()
      }
    }

    Clause("realtime.refuse.token", "A token that is refused is refreshed once, and the call goes on.") {
      trial in
      _ = try await trial.given(.signedIn)
      let device = try await trial.given(.anotherDevice)
      try await trial.during(.tokenIsRefused) { refreshes in
        let changes = try await trial.require("to go on") { try await trial.subject.childChanges() }
        let subscription = Subscription(device: device, changes: changes)
        trial.expect(await refreshes.count(), equals: 1, "the refreshes")
        let child = try await subscription.mark()
        trial.expect(try await subscription.next(1), equals: [.inserted(child)], "the change")
      }
    }

    Clause(
      "realtime.refuse.limited",
      "If a token cannot be exchanged for a while, the call reports the delay, and the session is kept."
    ) { trial in
      _ = try await trial.given(.signedIn)
      let device = try await trial.given(.anotherDevice)
      try await trial.during(.tokenIsRefused) { _ in
        try await trial.during(.exchangesAreLimited) { delay in
          await trial.expect(throws: AppError.network(.rateLimited(retryAfter: delay))) {
            try await trial.subject.childChanges()
          }
        }
        let changes = try await trial.require("to go on") { try await trial.subject.childChanges() }
        let subscription = Subscription(device: device, changes: changes)
        let child = try await subscription.mark()
        trial.expect(try await subscription.next(1), equals: [.inserted(child)], "the change")
      }
    }

    Clause(
      "realtime.refuse.counted", "A subscription that cannot be made leaves none at the server."
    ) { trial in
      let counted = try await trial.given(.subscriptionsAreCounted)
      _ = try await trial.given(.signedIn)
      for condition in [
        Condition.offline, .serverFails, .connectionBreaks, .answerIsLost, .answerIsUnreadable,
        .doesNotAnswer,
      ] {
        try await trial.during(condition) {
          await trial.expect("to throw while \(condition)") {
            try await trial.subject.childChanges()
          } throwing: {
            $0 as? AppError != .authentication(.notSignedIn)
          }
        }
        trial.expect(await counted.count(0), equals: 0, "the number of subscriptions after \(condition)")
      }
      let subscription = try await trial.subscribed()
      trial.expect(await counted.count(1), equals: 1, "the number of subscriptions, later")
      withExtendedLifetime(subscription) {}
    }

    Clause("realtime.refuse.failure", "A subscription that cannot be made is thrown by the call.") { trial in
      _ = try await trial.given(.signedIn)
      for (condition, error) in [
        (Condition.offline, AppError.network(.noConnection)), (.serverFails, .network(.serverError)),
        (.connectionBreaks, .network(.connectionLost)), (.answerIsLost, .network(.connectionLost)),
        (.answerIsUnreadable, .network(.unreadableAnswer)), (.doesNotAnswer, .network(.timeout)),
      ] {
        try await trial.during(condition) {
          await trial.expect(throws: error) { try await trial.subject.childChanges() }
        }
      }
      let subscription = try await trial.subscribed()
      let mark = try await subscription.mark()
      trial.expect(try await subscription.next(1), equals: [.inserted(mark)], "the change, later")
    }

    Clause("realtime.refuse.rate", "Too many requests are reported with the delay that is named.") { trial in
      _ = try await trial.given(.signedIn)
      try await trial.during(.tooManyRequests) { delay in
        await trial.expect(throws: AppError.network(.rateLimited(retryAfter: delay))) {
          try await trial.subject.childChanges()
        }
      }
    }
  }

  @ContractBuilder<Subject> static var realtimeCancellation: [Self] {
    Clause("realtime.cancellation.before", "A call of a cancelled task throws and subscribes to nothing.") {
      trial in
      let counted = try await trial.given(.subscriptionsAreCounted)
      _ = try await trial.given(.signedIn)
      await trial.expectCancelled(beforehand: [.childChanges])
      trial.expect(await counted.count(0), equals: 0, "the number of subscriptions")
    }

    Clause("realtime.cancellation.under-way", "A call that is cancelled under way subscribes to nothing.") {
      trial in
      let counted = try await trial.given(.subscriptionsAreCounted)
      _ = try await trial.given(.signedIn)
      try await trial.expectCancelled(underWay: [.childChanges])
      trial.expect(await counted.count(0), equals: 0, "the number of subscriptions")
    }
  }
}

extension ServiceCall where Service == any RealtimeService {
  fileprivate static var childChanges: ServiceCall {
    ServiceCall(name: "childChanges") { _ = try await $0.childChanges() }
  }
}
