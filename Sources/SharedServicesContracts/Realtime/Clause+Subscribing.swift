import Foundation
import SharedServices
import UnderstudyContracts

extension Clause where Subject == any RealtimeService {
  @ContractBuilder<Subject> static var subscribing: [Self] {
    Clause(
      "realtime.subscribe.from-now", "What was stored before is not told; from the call's return all is."
    ) {
      trial in
      _ = try await trial.given(.signedIn)
      let device = try await trial.given(.anotherDevice)
      _ = try await device.children.createChild(.sample(of: device.userID, named: "Before"))
      let subscription = Subscription(device: device, changes: try await trial.subject.childChanges())
      // Nobody waits for a change yet.
      let mark = try await subscription.mark()
      trial.expect(try await subscription.next(1), equals: [.inserted(mark)], "the first change")
    }

    Clause("realtime.subscribe.several", "Each of two subscriptions is told everything.") { trial in
      let one = try await trial.subscribed()
      let other = Subscription(device: one.device, changes: try await trial.subject.childChanges())
      let children = [try await one.mark("Kim"), try await one.mark("Robin")]
      trial.expect(try await one.next(2), equals: children.map { .inserted($0) }, "the one's changes")
      trial.expect(try await other.next(2), equals: children.map { .inserted($0) }, "the other's changes")
    }

    Clause("realtime.subscribe.left", "A consumer that leaves ends its subscription, and no other.") {
      trial in
      let counted = try await trial.given(.subscriptionsAreCounted)
      let kept = try await trial.subscribed()
      let before = await counted.count()
      let child = try await Self.leave(
        Subscription(device: kept.device, changes: try await trial.subject.childChanges()))
      trial.expect(await counted.count(), equals: before, "the number of subscriptions")
      trial.expect(try await kept.next(1), equals: [.inserted(child)], "the change that the other is told")
    }

    Clause("realtime.subscribe.cancelled", "Cancelling a consumer that waits ends its subscription.") {
      trial in
      let counted = try await trial.given(.subscriptionsAreCounted)
      let before = await counted.count()
      let subscription = try await trial.subscribed()
      let (waits, waiting) = AsyncStream<Void>.makeStream()
      let changes = subscription.changes
      let task = Task {
        waiting.finish()
        for try await _ in changes {}
      }
      for await _ in waits {}
      task.cancel()
      let result = await task.result
      if case .failure(let error) = result {
        trial.expect((error as? AppError) == .cancelled, "Expected a cancellation, found \(error).")
      }
      trial.expect(await counted.count(), equals: before, "the number of subscriptions")
    }
  }

  /// Takes one change, and leaves.
  private static func leave(_ subscription: Subscription) async throws -> Child {
    let child = try await subscription.mark()
    for try await _ in subscription.changes { break }
    return child
  }

  @ContractBuilder<Subject> static var realtimeEnding: [Self] {
    Clause("realtime.end.broken", "A subscription that breaks tells what it had, and then the loss.") {
      trial in
      let subscription = try await trial.subscribed()
      let child = try await subscription.mark()
      _ = try await trial.given(.subscriptionsBreak)
      trial.expect(try await subscription.next(1), equals: [.inserted(child)], "the change before the break")
      await trial.expect(throws: AppError.network(.connectionLost)) { try await subscription.next(1) }
    }

    Clause("realtime.end.signed-out", "Once the user has signed out, nothing more is told.") { trial in
      let subscription = try await trial.subscribed()
      _ = try await trial.given(.signedOut)
      _ = try await subscription.mark()
      await trial.expect(throws: AppError.network(.unauthorized)) { try await subscription.next(1) }
    }

    Clause("realtime.end.session", "Once the server has ended the session, nothing more is told.") { trial in
      let subscription = try await trial.subscribed()
      // Stored before the session ends, because the other device is signed in to the same account.
      _ = try await subscription.mark()
      _ = try await trial.given(.sessionEnded)
      await trial.expect(throws: AppError.network(.unauthorized)) { try await subscription.next(1) }
    }

    Clause("realtime.end.expired", "A token that expires is refreshed, and the subscription goes on.") {
      trial in
      let subscription = try await trial.subscribed()
      try await trial.during(.tokenExpired) { refreshes in
        let child = try await subscription.mark()
        trial.expect(try await subscription.next(1), equals: [.inserted(child)], "the change")
        trial.expect(await refreshes.count() > 0, "Expected a refresh.")
      }
    }

    Clause("realtime.refuse.signed-out", "Without a session there is nothing to subscribe to.") { trial in
      _ = try await trial.given(.signedIn)
      _ = try await trial.given(.signedOut)
      await trial.expect(throws: AppError.authentication(.notSignedIn)) {
        try await trial.subject.childChanges()
      }
    }

    Clause("realtime.refuse.failure", "A subscription that cannot be made is thrown by the call.") { trial in
      _ = try await trial.given(.signedIn)
      for (condition, error) in [
        (Condition.offline, AppError.network(.noConnection)), (.serverFails, .network(.serverError)),
        (.doesNotAnswer, .network(.timeout)),
      ] {
        try await trial.during(condition) {
          await trial.expect(throws: error) { try await trial.subject.childChanges() }
        }
      }
      let subscription = try await trial.subscribed()
      let mark = try await subscription.mark()
      trial.expect(try await subscription.next(1), equals: [.inserted(mark)], "the change, later")
    }
  }
}
