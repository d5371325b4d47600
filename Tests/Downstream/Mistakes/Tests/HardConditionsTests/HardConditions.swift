import Foundation
import Testing
import Understudy
import UnderstudyTesting

// Correct tests that fail if a limit measures a busy machine. The whole target runs with a width of 1 and beside tests
// that compute for longer than the limits.

@Suite(.stallLimit(.seconds(1))) struct HardConditions {
  /// Each takes more than its limit when all of them run at once, because they share the processor.
  @Test(arguments: 0..<64) func manyTestsThatCompute(_ number: Int) async {
    var sum = number
    for _ in 0..<20 {
      for step in 0..<20_000 { sum = (sum &* 31) ^ step }
      await Task.yield()
    }
    #expect(sum != number)
  }

  /// Waits for its place in the queue of 64 others, and does not count it.
  @Test func aTestThatWaitsForItsAdmission() async throws {
    let clock = TestClock(.immediate)
    try await clock.time.sleep(for: .seconds(3_600))
    #expect(clock.time.now.timeIntervalSince1970 > 3_600)
  }

  /// A trial inside an admitted test must not wait for a place of its own.
  @Test(
    arguments: Contract<Int>("inside") {
      Clause("inside.it", "It is one.") { $0.expect($0.subject, equals: 1, "the number") }
    }.checks(of: Implementation("one") { _ in 1 }))
  func aTrialInsideAnAdmittedTest(_ check: ContractCheck<Int>) async throws { try await check.run() }

  /// A detached task asks for a place while its test holds the only one.
  @Test(.stallLimit(.seconds(20))) func aTrialInADetachedTask() async throws {
    let contract = Contract<Int>("detached") {
      Clause("detached.it", "It is one.") { $0.expect($0.subject, equals: 1, "the number") }
    }
    let check = contract.checks(of: Implementation("one") { _ in 1 })[0]
    try await Task.detached { try await check.run() }.value
  }

  /// Progress inside a test starts its limit again.
  @Test(.stallLimit(.seconds(3))) func manyTrialsInOneTest() async {
    let contract = Contract<Int>("many") {
      Clause("many.it", "It is one.") { trial in
        var sum = 0
        for step in 0..<200_000 { sum = (sum &* 31) ^ step }
        trial.expect(trial.subject + (sum == 1 ? 1 : 0), equals: 1, "the number")
      }
    }
    for _ in 0..<20 {
      let check = contract.checks(of: Implementation("one") { _ in 1 })[0]
      await #expect(throws: Never.self) { try await check.run() }
    }
  }
}

/// Not admitted, so they disturb the others.
@Suite struct Disturbance {
  @Test(arguments: 0..<8) func computing(_ number: Int) async {
    var sum = number
    for step in 0..<40_000_000 { sum = (sum &* 31) ^ step }
    #expect(sum != number)
  }
}
