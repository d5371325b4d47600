import Foundation
package import Understudy
package import UnderstudyServer

/// A clock that a test advances.
package final class HandClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    package var offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private struct State: Sendable {
    var now = Instant(offset: .zero)
    var ids = 0
    var sleepers: [Int: (deadline: Instant, wake: CheckedContinuation<Void, any Error>)] = [:]
    var watchers: [(count: Int, wake: Signal<Void>)] = []

    /// How the sleep ends if it ends at once, and who has waited for one more sleeper.
    mutating func lieDown(
      _ id: Int, until deadline: Instant, _ wake: CheckedContinuation<Void, any Error>
    ) -> (Result<Void, any Error>?, [Signal<Void>]) {
      if Task.isCancelled { return (.failure(CancellationError()), []) }
      if deadline <= now { return (.success(()), []) }
      sleepers[id] = (deadline, wake)
      let count = sleepers.count
      let watching = watchers.filter { $0.count <= count }.map(\.wake)
      watchers.removeAll { $0.count <= count }
      return (nil, watching)
    }
  }

  private let state = Locked(State())

  package init() {}

  package var now: Instant { state.withLock { $0.now } }
  package var minimumResolution: Duration { .nanoseconds(1) }

  /// The clock, and the date that goes with it: 2026-01-01 at first.
  package var time: Time {
    Time(clock: self) { [self] in
      Date(timeIntervalSinceReferenceDate: 788_918_400 + now.offset / .seconds(1))
    }
  }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.ids += 1
      return state.ids
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (wake: CheckedContinuation<Void, any Error>) in
        // A cancellation that came before this point finds no sleeper, so it is looked for under the lock.
        let (result, watching) = state.withLock { $0.lieDown(id, until: deadline, wake) }
        if let result { wake.resume(with: result) }
        for watcher in watching { watcher.send(()) }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id)?.wake }?.resume(throwing: CancellationError())
    }
  }

  /// How long each task that sleeps still has to, the shortest first.
  package var remaining: [Duration] {
    state.withLock { state in state.sleepers.values.map { state.now.duration(to: $0.deadline) }.sorted() }
  }

  /// Returns once this many tasks sleep, or the task is cancelled.
  package func sleepers(_ count: Int) async {
    let wake = Signal<Void>()
    let isThere = state.withLock { state in
      if state.sleepers.count >= count { return true }
      state.watchers.append((count, wake))
      return false
    }
    if !isThere { try? await wake.value() }
  }

  /// Advances the clock, and wakes the sleepers that are due.
  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.wake)
    }
    for wake in due { wake.resume() }
  }
}

extension WebSocketSettings {
  /// The default settings, on a clock that is never advanced.
  package static var timeless: WebSocketSettings { WebSocketSettings(time: HandClock().time) }
}
