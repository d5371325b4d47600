import Foundation
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct TestClockTests {
  @Test func timeStopsUntilItIsAdvanced() {
    let start = Date(timeIntervalSince1970: 1000)
    let manual = TestClock(startingAt: start)
    #expect(manual.now == start)
    manual.advance(by: .seconds(90))
    #expect(manual.now == start + 90)
    #expect(manual.time.now == start + 90)
    manual.advance(to: start + 100)
    #expect(manual.elapsed == .seconds(100))
    manual.advance(by: .seconds(-5))
    manual.advance(to: start)
    #expect(manual.elapsed == .seconds(100))
    manual.advance(to: .distantFuture)
    manual.advance(by: .seconds(Int64.max))
    #expect(manual.elapsed > .seconds(100))
  }

  @Test func sleepersWakeWhenTheirDeadlinePasses() async throws {
    let manual = TestClock()
    let woken = Locked<[Int]>([])
    let tasks = [3, 1, 2].map { seconds in
      Task {
        try await manual.time.sleep(for: .seconds(seconds))
        woken.withLock { $0.append(seconds) }
      }
    }
    try await manual.wait(forSleepers: 3)
    for (index, seconds) in [1, 2, 3].enumerated() {
      manual.advance(by: .milliseconds(999))
      #expect(manual.sleeperCount == 3 - index)
      manual.advance(by: .milliseconds(1))
      try await tasks[[1, 2, 0][index]].value
      #expect(woken.withLock { $0 } == Array(1...seconds))
    }
  }

  @Test func aCancelledSleeperWakesAtOnceAndIsRemoved() async throws {
    let manual = TestClock()
    let task = Task { try await manual.time.sleep(for: .seconds(1)) }
    try await manual.wait(forSleepers: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(manual.sleeperCount == 0)
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await manual.time.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await early.value }
    #expect(manual.sleeperCount == 0)
  }

  @Test func aCancelledWaitForSleepersEnds() async {
    let manual = TestClock()
    let task = Task { try await manual.wait(forSleepers: 1) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func aDeadlineThatHasPassedDoesNotSleep() async throws {
    let manual = TestClock()
    try await manual.time.sleep(for: .zero)
    try await manual.time.sleep(for: .seconds(-1))
    #expect(manual.elapsed == .zero)
  }

  @Test func thousandsOfSleepersWakeOnceEachInAnyOrderOfCancellation() async throws {
    let manual = TestClock()
    var generator = SeededGenerator(seed: 11)
    let tasks = (0..<3000).map { index in
      Task { try await manual.time.sleep(for: .seconds(1 + index * 7919 % 3000)) }
    }
    try await manual.wait(forSleepers: 3000)
    let cancelled = Set((0..<3000).shuffled(using: &generator).prefix(2000))
    for index in cancelled { tasks[index].cancel() }
    #expect(manual.sleeperCount == 1000)
    let due = (0..<3000).filter { !cancelled.contains($0) && 1 + $0 * 7919 % 3000 <= 1500 }.count
    manual.advance(by: .seconds(1500))
    #expect(manual.sleeperCount == 1000 - due)
    manual.advance(by: .seconds(1500))
    for (index, task) in tasks.enumerated() {
      if case .success = await task.result {
        #expect(!cancelled.contains(index))
      } else {
        #expect(cancelled.contains(index))
      }
    }
  }

  @Test(arguments: [-1e16, -.infinity]) func aDateInThePastDoesNotAdvanceTheClock(seconds: TimeInterval) {
    let manual = TestClock()
    manual.advance(to: Date(timeIntervalSince1970: seconds))
    #expect(manual.elapsed == .zero)
  }
}
