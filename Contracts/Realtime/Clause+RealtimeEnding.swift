import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any RealtimeService {
  @ContractBuilder<Subject> static var realtimeEnding: [Self] {
    Clause(
      "realtime.end.broken", "A subscription that breaks delivers its pending changes, and then the error."
    ) {
      trial in
      let subscription = try await trial.subscribed()
      let child = try await subscription.mark()
      _ = try await trial.given(.subscriptionsBreak)
      trial.expect(try await subscription.next(1), equals: [.inserted(child)], "the change before the break")
      await trial.expect(throws: AppError.network(.connectionLost)) { try await subscription.next(1) }
    }

    Clause("realtime.end.over", "After its error a subscription is over.") { trial in
      let subscription = try await trial.subscribed()
      _ = try await trial.given(.subscriptionsBreak)
      trial.expect(await subscription.rest().error != nil, "Expected an error.")
      _ = try await subscription.mark()
      let rest = await subscription.rest()
      trial.expect(rest.changes, equals: [], "the changes after the error")
      trial.expect(rest.error == nil, "Expected no second error, found \(rest.error as Any).")
    }

    Clause(
      "realtime.end.signed-out",
      "After the user signs out, no change is delivered, not even a pending one."
    ) { trial in
      let subscription = try await trial.subscribed()
      _ = try await subscription.mark("Before")
      _ = try await trial.given(.signedOut)
      _ = try await subscription.mark("After")
      await trial.expect(throws: AppError.network(.unauthorized)) { try await subscription.next(1) }
    }

    Clause("realtime.end.waiting", "Signing out ends a subscription at once, without a change.") { trial in
      let subscription = try await trial.subscribed()
      let task = Task { await subscription.rest() }
      _ = try await trial.given(.signedOut)
      let rest = await task.value
      trial.expect(rest.changes, equals: [], "the changes")
      trial.expect(
        (rest.error as? AppError) == .network(.unauthorized),
        "Expected the end of the session, found \(rest.error as Any).")
    }

    Clause(
      "realtime.end.other-user", "After another user signs in, the subscription delivers no more changes."
    ) {
      trial in
      let subscription = try await trial.subscribed()
      _ = try await trial.given(.anotherUserSignsIn)
      _ = try await subscription.mark()
      await trial.expect(throws: AppError.network(.unauthorized)) { try await subscription.next(1) }
    }

    Clause(
      "realtime.end.signed-in-again",
      "After the user signs out and in again, the earlier subscription is over, and a new one begins from now."
    ) { trial in
      let subscription = try await trial.subscribed()
      _ = try await trial.given(.signedOut)
      _ = try await subscription.mark("Between")
      _ = try await trial.given(.userSignsInAgain)
      let later = Subscription(device: subscription.device, changes: try await trial.subject.childChanges())
      let mark = try await later.mark()
      trial.expect(try await later.next(1), equals: [.inserted(mark)], "the change of the new subscription")
      await trial.expect(throws: AppError.network(.unauthorized)) { try await subscription.next(1) }
    }

    Clause("realtime.end.released", "However a subscription ends, the server has none left.") { trial in
      let counted = try await trial.given(.subscriptionsAreCounted)
      let endings: [(name: String, begin: @Sendable () async throws -> Void)] = [
        ("the subscriptions break", { _ = try await trial.given(.subscriptionsBreak) }),
        ("the user signs out", { _ = try await trial.given(.signedOut) }),
        ("another user signs in", { _ = try await trial.given(.anotherUserSignsIn) }),
      ]
      for (name, begin) in endings {
        let subscription = try await trial.subscribed()
        trial.expect(await counted.count(1), equals: 1, "the number of subscriptions before \(name)")
        try await begin()
        trial.expect(await subscription.rest().error != nil, "Expected an error when \(name).")
        trial.expect(await counted.count(0), equals: 0, "the number of subscriptions after \(name)")
        _ = try await trial.given(.userSignsInAgain)
        withExtendedLifetime(subscription) {}
      }
    }

    Clause(
      "realtime.end.gap",
      "After a subscription breaks, the next one begins from now, and misses nothing more."
    ) { trial in
      let broken = try await trial.subscribed()
      _ = try await trial.given(.subscriptionsBreak)
      _ = try await broken.mark("Gap")
      trial.expect(await broken.rest().error != nil, "Expected an error.")
      let next = Subscription(device: broken.device, changes: try await trial.subject.childChanges())
      let mark = try await next.mark()
      trial.expect(try await next.next(1), equals: [.inserted(mark)], "the change after the gap")
    }

    Clause(
      "realtime.end.session",
      "After the server ends the session, a subscription reports the end without a change."
    ) { trial in
      let subscription = try await trial.subscribed()
      let child = try await subscription.mark()
      _ = try await trial.given(.sessionEnded)
      let rest = await subscription.rest()
      // The change was stored before the session ended, so it may still be delivered.
      trial.expect(
        [[], [.inserted(child)]].contains(rest.changes), "Expected nothing new, found \(rest.changes).")
      trial.expect(
        (rest.error as? AppError) == .network(.unauthorized),
        "Expected the end of the session, found \(rest.error as Any).")
    }

    Clause("realtime.end.expired", "A token that expires is refreshed, and the subscription goes on.") {
      trial in
      let subscription = try await trial.subscribed()
      try await trial.during(.tokenExpired) { refreshes in
        let child = try await subscription.mark()
        let told = try await trial.require("to go on") { try await subscription.next(1) }
        trial.expect(told, equals: [.inserted(child)], "the change")
        trial.expect(await refreshes.count() > 0, "Expected a refresh.")
      }
    }
  }

  @ContractBuilder<Subject> static var realtimeBreaking: [Self] {
    Clause(
      "realtime.break.drop", "When a connection breaks, earlier changes are delivered, and then the loss."
    ) {
      try await $0.expectASubscription(toBreakWhile: .subscriptionDrops, with: .network(.connectionLost))
    }

    Clause("realtime.break.closed", "A connection that the server closes is lost, whatever the server says.")
    {
      try await $0.expectASubscription(toBreakWhile: .subscriptionIsClosed, with: .network(.connectionLost))
    }

    Clause("realtime.break.corrupt", "What cannot be read is an error after what could be read.") {
      try await $0.expectASubscription(
        toBreakWhile: .subscriptionIsCorrupt, with: .network(.unreadableAnswer))
    }
  }
}

extension Trial where Subject == any RealtimeService {
  /// Expects a subscription to deliver the changes before the break, then the error, and the next subscription to
  /// succeed.
  fileprivate func expectASubscription(
    toBreakWhile condition: Condition<BrokenSubscription>, with error: AppError, fileID: String = #fileID,
    line: Int = #line
  ) async throws {
    _ = try await given(.signedIn)
    try await during(condition) { broken in
      let subscription = try await subscribed()
      var expected: [ChildChange?] = []
      for number in 0..<broken.changes {
        expected.append(.inserted(try await subscription.mark("Before \(number)")))
      }
      expect(
        try await subscription.next(broken.changes), equals: expected, "the changes before the break",
        fileID: fileID, line: line)
      _ = try await subscription.mark("After")
      let rest = await subscription.rest()
      expect(rest.changes, equals: [], "the changes after the break", fileID: fileID, line: line)
      expect(
        (rest.error as? AppError) == error, "Expected \(error), found \(rest.error as Any).", fileID: fileID,
        line: line)
    }
    let subscription = try await subscribed()
    let child = try await subscription.mark("Later")
    expect(
      try await subscription.next(1), equals: [.inserted(child)], "the change of the next subscription",
      fileID: fileID, line: line)
  }
}
