import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct ImmediateClockTests {
  @Test func waitsTakeNoTimeAndAddUp() async throws {
    let manual = TestClock(.immediate)
    for seconds in [1, 2, 4] { try await manual.time.sleep(for: .seconds(seconds)) }
    #expect(manual.elapsed == .seconds(7))
  }

  @Test func aPendingTimeoutDoesNotAdvanceTheClock() async throws {
    let manual = TestClock(.immediate)
    let gate = Gate<InMemoryTodos>()
    let todos = Intercepted(InMemoryTodos(), by: .gate(gate))
    let task = Task { try await manual.time.withTimeout(.seconds(30)) { try await todos.titles() } }
    let call = try await gate.next()
    try await manual.wait(forSleepers: 1)
    #expect(manual.elapsed == .zero)
    call.proceed()
    #expect(try await task.value == [])
    #expect(manual.elapsed == .zero)
  }

  /// The timeout and the wait inside it begin in either order; a thousand runs cover both.
  @Test func aTimeoutAlwaysPrecedesALongerWait() async throws {
    for _ in 0..<1000 {
      let manual = TestClock(.immediate)
      await #expect(throws: TimeoutError.self) {
        try await manual.time.withTimeout(.seconds(30)) { try await manual.time.sleep(for: .seconds(31)) }
      }
      #expect(manual.elapsed == .seconds(30))
    }
  }

  @Test func aShorterWaitAlwaysPrecedesItsTimeout() async throws {
    for _ in 0..<1000 {
      let manual = TestClock(.immediate)
      try await manual.time.withTimeout(.seconds(30)) {
        for _ in 0..<3 { try await manual.time.sleep(for: .milliseconds(9_999)) }
      }
      #expect(manual.elapsed == .milliseconds(29_997))
    }
  }

  @Test func nestedTimeoutsExpireInOrder() async throws {
    for (outer, inner) in [(10, 20), (20, 10)] {
      let manual = TestClock(.immediate)
      await #expect(throws: TimeoutError.self) {
        try await manual.time.withTimeout(.seconds(outer)) {
          try await manual.time.withTimeout(.seconds(inner)) {
            try await manual.time.sleep(for: .seconds(1_000_000))
          }
        }
      }
      #expect(manual.elapsed == .seconds(10))
    }
  }

  @Test func aTimeoutPrecedesALongerWaitInOneAdvance() async throws {
    for _ in 0..<200 {
      let manual = TestClock()
      let task = Task {
        try await manual.time.withTimeout(.seconds(30)) { try await manual.time.sleep(for: .seconds(31)) }
      }
      try await manual.wait(forSleepers: 2)
      manual.advance(by: .seconds(60))
      await #expect(throws: TimeoutError.self) { try await task.value }
    }
  }

  @Test func aTaskThatOutlivesItsTimeoutWakesAtTheNextAdvance() async throws {
    let manual = TestClock()
    let escaped = Locked<Task<Void, any Error>?>(nil)
    let task = Task {
      try await manual.time.withTimeout(.seconds(1)) {
        let task = Task { try await manual.time.sleep(for: .seconds(1)) }
        escaped.withLock { $0 = task }
        try await manual.time.sleep(for: .seconds(5))
      }
    }
    try await manual.wait(forSleepers: 3)
    manual.advance(by: .seconds(2))
    await #expect(throws: TimeoutError.self) { try await task.value }
    #expect(manual.sleeperCount == 1)
    manual.advance(by: .zero)
    try await escaped.withLock { $0 }?.value
  }

  @Test func aTimeoutOnAnotherClockIsIgnored() async throws {
    let (outer, inner) = (TestClock(), TestClock(.immediate))
    try await outer.time.withTimeout(.seconds(1)) { try await inner.time.sleep(for: .seconds(60)) }
    #expect(inner.elapsed == .seconds(60))
    #expect(outer.elapsed == .zero)
  }

  /// An unstructured task inherits the timeout in which it was created, and outlives it.
  @Test func aTaskThatOutlivesItsTimeoutWakes() async throws {
    let manual = TestClock(.immediate)
    let left = Locked<Task<Void, any Error>?>(nil)
    await #expect(throws: TimeoutError.self) {
      try await manual.time.withTimeout(.seconds(10)) {
        left.withLock { $0 = Task { try await manual.time.sleep(for: .seconds(20)) } }
        for await _ in AsyncStream<Void>.makeStream().stream {}
        try Task.checkCancellation()
      }
    }
    try await left.withLock { $0 }?.value
    #expect(manual.elapsed == .seconds(20))
  }
}
