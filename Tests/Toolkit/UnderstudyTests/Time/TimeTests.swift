import Foundation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy

@Suite(.stallLimit()) struct TimeTests {
  @Test func nowIsTheInjectedDate() {
    let clock = HandClock()
    let start = clock.time.now
    clock.advance(by: .seconds(90))
    #expect(clock.time.now.timeIntervalSince(start) == 90)
  }

  @Test func anOperationInTimeReturns() async throws {
    let clock = HandClock()
    #expect(try await clock.time.withTimeout(.seconds(30)) { 7 } == 7)
    #expect(clock.remaining.isEmpty, "The timer must have ended.")
  }

  @Test func anOperationThatTakesLongerIsCancelled() async throws {
    let (clock, wasCancelled) = (HandClock(), Locked(false))
    async let thrown = #expect(throws: TimeoutError.self) {
      try await clock.time.withTimeout(.seconds(30)) {
        do {
          try await clock.sleep(for: .seconds(3600))
        } catch {
          wasCancelled.withLock { $0 = error is CancellationError }
          throw error
        }
      }
    }
    await clock.sleepers(2)
    #expect(clock.remaining == [.seconds(30), .seconds(3600)])
    clock.advance(by: .seconds(30))
    #expect(await thrown?.limit == .seconds(30))
    #expect(wasCancelled.withLock { $0 })
  }

  @Test func withoutALimitNoTimerRuns() async throws {
    let clock = HandClock()
    async let result = clock.time.withTimeout(nil) {
      try await clock.sleep(for: .seconds(3600))
      return clock.remaining
    }
    await clock.sleepers(1)
    #expect(clock.remaining == [.seconds(3600)])
    clock.advance(by: .seconds(3600))
    #expect(try await result == [])
  }

  @Test func theErrorOfTheOperationIsThrown() async {
    struct Own: Error {}
    let clock = HandClock()
    await #expect(throws: Own.self) { try await clock.time.withTimeout(.seconds(30)) { throw Own() } }
    #expect(clock.remaining.isEmpty)
  }

  @Test func cancellingTheCallerCancelsBoth() async {
    let clock = HandClock()
    let task = Task {
      try await clock.time.withTimeout(.seconds(30)) { try await clock.sleep(for: .seconds(3600)) }
    }
    await clock.sleepers(2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.remaining.isEmpty)
  }

  @Test func onlyTheTimerSleepsForADeadline() async throws {
    let clock = PurposeClock()
    let time = Time(clock: clock) { Date() }
    try await time.sleep(for: .seconds(1))
    _ = try? await time.withTimeout(.seconds(1)) { try await time.sleep(for: .seconds(1)) }
    #expect(clock.tolerances.withLock { $0.filter { $0 != nil }.count } == 1)
    #expect(clock.tolerances.withLock { $0.filter { $0 == nil }.count } == 2)
  }
}

/// A clock that records the tolerances of sleeps; one without ends at once, and one with a tolerance never ends.
private final class PurposeClock: Clock, Sendable {
  let tolerances = Locked<[Duration?]>([])
  private let base = HandClock()

  var now: HandClock.Instant { base.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: HandClock.Instant, tolerance: Duration?) async throws {
    tolerances.withLock { $0.append(tolerance) }
    if tolerance != nil { try await base.sleep(until: deadline, tolerance: nil) }
  }
}
