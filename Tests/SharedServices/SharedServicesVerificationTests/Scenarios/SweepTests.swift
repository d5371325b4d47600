import Foundation
import SharedServicesVerification
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

/// All tasks of a run share one queue only in a process without other tests, which `.ci/night` starts for them.
@Suite(
  .stallLimit(),
  .enabled(
    if: ProcessInfo.processInfo.environment["UNDERSTUDY_ONLY_SWEEPS"] != nil,
    "Set UNDERSTUDY_ONLY_SWEEPS=1, and run no other tests.")
) struct SweepTests {
  /// With less than full effort, the one that takes the shortest time.
  @Test(
    arguments: Effort.some(
      of: [Scenario.onboarding, .profile, .following, .lyra, .signIn, .chat, .threads], every: 20))
  func everyScreenPasses(_ scenario: Scenario) async throws {
    try await scenario.sweep(
      pairLimit: Effort.number(0, of: 100), combinationLimit: Effort.number(0, of: 100))
  }

  /// What the threads of a machine leave to chance would give calls other numbers, and shards that do not add up.
  @Test(arguments: Effort.some(of: [Scenario.chat, .threads, .following], every: 3))
  func aSweepIsTheSameEachTime(_ scenario: Scenario) async throws {
    let shard = Effort.isFull ? SweepShard.whole : try #require(SweepShard(1, of: 50))
    let options = SweepOptions(
      seed: 3, pairLimit: Effort.number(0, of: 20), combinationLimit: 0, shard: shard)
    let first = try await scenario.report(options)
    var second = try await scenario.report(options)
    // On a busy machine, a call may continue before an interruption that waits for it has reached its own calls.
    second.interruptedRuns = first.interruptedRuns
    second.interruptions = first.interruptions
    second.interruptedInvariants = first.interruptedInvariants
    #expect(second.differences(from: first) == [])
    #expect(second == first)
  }
}

extension SweepReport {
  /// What of the parts that depend on how the runs went is another than in a report of the same sweep.
  fileprivate func differences(from other: SweepReport) -> [String] {
    var differences: [String] = []
    func compare(_ part: String, _ one: some Equatable, _ two: some Equatable) {
      let (one, two) = ("\(one)", "\(two)")
      if one != two { differences.append("\(part): \(two), then \(one)") }
    }
    compare("points", points, other.points)
    compare("pairs", pairCount, other.pairCount)
    compare("invariants", invariants, other.invariants)
    compare("counts", counts, other.counts)
    compare("number of runs", runs.count, other.runs.count)
    for (one, two) in zip(runs, other.runs) where one != two {
      compare("run \(one.number) under \(one.schedule)", one.timeline, two.timeline)
      compare("run \(one.number) under \(one.schedule) violates", one.violated, two.violated)
    }
    compare("violations", violations.map(\.number), other.violations.map(\.number))
    return differences
  }
}
