import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any RealtimeService {
  @ContractBuilder<Subject> static var subscribing: [Self] {
    Clause(
      "realtime.subscribe.from-now",
      "Changes before the call are not delivered; all changes after its return are."
    ) {
      trial in
      _ = try await trial.given(.signedIn)
      let device = try await trial.given(.anotherDevice)
      _ = try await device.children.createChild(.sample(of: device.userID, named: "Before"))
      let subscription = Subscription(device: device, changes: try await trial.subject.childChanges())
      // No reader waits for a change yet.
      let mark = try await subscription.mark()
      trial.expect(try await subscription.next(1), equals: [.inserted(mark)], "the first change")
    }

    Clause("realtime.subscribe.several", "Each of two subscriptions delivers every change.") { trial in
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
      let child = try await Self.leave(
        Subscription(device: kept.device, changes: try await trial.subject.childChanges()))
      trial.expect(await counted.count(1), equals: 1, "the number of subscriptions")
      trial.expect(try await kept.next(1), equals: [.inserted(child)], "the change of the other subscription")
    }

    Clause(
      "realtime.subscribe.many", "Of many subscriptions each delivers every change, whichever end before."
    ) {
      trial in
      let counted = try await trial.given(.subscriptionsAreCounted)
      var all = [try await trial.subscribed()]
      for _ in 1..<6 {
        all.append(Subscription(device: all[0].device, changes: try await trial.subject.childChanges()))
      }
      for left in [5, 4, 2] {
        let child = try await all[0].mark("With \(all.count)")
        for (place, subscription) in all.enumerated() {
          trial.expect(
            try await subscription.next(1), equals: [.inserted(child)], "the change of \(place + 1)")
        }
        let cancelled = all.removeLast().changes
        let task = Task { for try await _ in cancelled {} }
        task.cancel()
        _ = await task.result
        while all.count > left { all.removeLast() }
        trial.expect(await counted.count(left), equals: left, "the number of subscriptions")
      }
    }

    Clause("realtime.subscribe.unread", "A subscription without a reader ends with its last reference.") {
      trial in
      let counted = try await trial.given(.subscriptionsAreCounted)
      do { _ = try await trial.subscribed() }
      trial.expect(await counted.count(0), equals: 0, "the number of subscriptions")
    }

    // Whether a cancelled consumer receives an error or the end depends on whether it was already waiting, as with
    // every `AsyncThrowingStream`.
    Clause(
      "realtime.subscribe.cancelled",
      "Cancelling a consumer ends its subscription, and its stream as cancelled or without an error."
    ) {
      trial in
      let counted = try await trial.given(.subscriptionsAreCounted)
      // One that does not wait yet ends without an error, even if the service reports a cancellation wrongly.
      for number in 1...3 {
        let subscription = try await trial.subscribed()
        let child = try await subscription.mark("Child \(number)")
        let (reads, reading) = AsyncStream<ChildChange>.makeStream()
        let changes = subscription.changes
        let task = Task {
          for try await change in changes { reading.yield(change) }
        }
        var read = reads.makeAsyncIterator()
        trial.expect(await read.next(), equals: .inserted(child), "the change before")
        task.cancel()
        if case .failure(let error) = await task.result {
          trial.expect((error as? AppError) == .cancelled, "Expected a cancellation, found \(error).")
        }
        trial.expect(await counted.count(0), equals: 0, "the number of subscriptions")
        let rest = await subscription.rest()
        trial.expect(rest.changes, equals: [], "the changes after the cancellation")
        trial.expect(rest.error == nil, "Expected no error after the end, found \(rest.error as Any).")
      }
    }
  }

  /// Reads one change and stops.
  private static func leave(_ subscription: Subscription) async throws -> Child {
    let child = try await subscription.mark()
    for try await _ in subscription.changes { break }
    return child
  }
}
