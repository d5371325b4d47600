import Foundation
import TestSupport
import Testing
import UnderstudyTesting

@testable import Understudy

/// Sweeps that know schedules under which an earlier process has ended.
@Suite(.stallLimit()) struct SweepTrapTests {
  private static let message = "The process ended with signal 4."
  private static let faults = Fault.all(of: .call).filter { $0.applies(to: .service) }

  private func trap(_ schedule: FaultSchedule, of scenario: String = "list") -> SweepTrap {
    SweepTrap(scenario: scenario, schedule: schedule, message: Self.message)
  }

  private func report(
    _ bug: PlantedBug?, _ traps: [SweepTrap], pairs: Int? = 0, shard: SweepShard = .whole
  ) async throws -> SweepReport {
    var options = SweepOptions(pairLimit: pairs, combinationLimit: 5, shard: shard)
    options.traps = traps
    return try await Scenario.list(with: bug).report(options)
  }

  /// Catches a sweep that loses what it has found elsewhere, or runs the schedule all the same.
  @Test func aTrapIsAViolationBesideTheOthers() async throws {
    let schedule: FaultSchedule = [.at("todos.add", call: 1, .conflict)]
    let report = try await report(.swallowedError, [trap(schedule), trap([], of: "another")])
    #expect(report.violations.map(\.invariant) == [Scenario.trapping, "errors.shown"])
    let violation = try #require(report.violations.first)
    #expect(violation.schedule == schedule && violation.others.isEmpty && violation.timeline.isEmpty)
    #expect(violation.message.hasPrefix("\(Self.message) (UnderstudyTests/ListModel.swift:"))
    // The faults of the call before it are run; those after it would most likely trap, too.
    let place = try #require(Self.faults.firstIndex(of: .conflict))
    #expect(report.counts.single == 1 + place + Self.faults.count)
    #expect(report.untried?.faults == Self.faults.count - place - 1 && report.untried?.isAfterTrap == true)
    #expect(
      report.gap.contains("; left out after a trap, not tried: \(Self.faults.count - place - 1) faults"))
    #expect(try JSONDecoder().decode(SweepReport.self, from: JSONEncoder().encode(report)) == report)
  }

  /// Catches numbers that differ because a fault was left out.
  @Test func theSchedulesHaveTheSameNumbers() async throws {
    let trap = trap([.at("todos.add", call: 1, .conflict)])
    func numbers(_ report: SweepReport) -> [FaultSchedule: Int] {
      Dictionary(uniqueKeysWithValues: report.runs.map { ($0.schedule, $0.number) })
    }
    let all = numbers(try await report(nil, []))
    let rest = numbers(try await report(nil, [trap]))
    #expect(rest.count < all.count && rest.allSatisfy { all[$0.key] == $0.value })
    var shards: [SweepReport] = []
    for number in 1...2 {
      shards.append(try await report(nil, [trap], shard: try #require(SweepShard(number, of: 2))))
    }
    #expect(try SweepReport(merging: shards) == (try await report(nil, [trap])))
  }

  @Test func aScenarioThatTrapsWithoutAFaultIsNotRun() async throws {
    let report = try await report(nil, [trap([])])
    #expect(report.violations.map(\.invariant) == [Scenario.trapping])
    #expect(report.counts.total == 1 && report.untried == nil)
  }

  /// Both faults are run alone, and the pair that traps is the smallest schedule.
  @Test func aPairThatTrapsIsAViolation() async throws {
    let pair: FaultSchedule = [
      .at("todos.add", call: 1, .unauthorized), .at("todos.titles", call: 1, .unauthorized),
    ]
    let report = try await report(nil, [trap(pair)], pairs: nil)
    #expect(report.violations.map(\.schedule) == [pair])
    // All the other pairs are of the same two calls.
    #expect(
      report.pairRuns + (report.untried?.pairs ?? 0) == report.pairCount && report.pairRuns < report.pairCount
    )
  }

  /// Catches a sweep that starts a process for each of hundreds of traps.
  @Test func aSweepStopsAfterFiveTraps() async throws {
    let calls = 8
    let scenario = Scenario("many", "It makes many calls.") { run in
      let todos = run.intercepted(InMemoryTodos(), as: "todos")
      for number in 1...calls { _ = try? await todos.add("\(number)", priority: 1) }
      run.expect("ends", true, "")
    }
    var options = SweepOptions(pairLimit: 10, combinationLimit: 3)
    options.traps = (1...calls).map { trap([.at("todos.add", call: $0, Self.faults[0])], of: "many") }
    let report = try await scenario.report(options)
    #expect(report.violations.count { $0.invariant == Scenario.trapping } == Scenario.trapLimit)
    #expect(report.counts.total == 1 + Scenario.trapLimit)
    #expect(report.untried?.faults == calls * Self.faults.count - Scenario.trapLimit)
    #expect(report.untried?.hasUncountedPairs == true && report.untried?.combinations == 3)
  }

  // MARK: - The text of a run

  @Test(
    arguments: [
      [], [.at("todos.add", call: 1, .rateLimited(retryAfter: .seconds(30)))],
      [
        .at("GET /todos/{id}", call: 2, .answerLost), .late("todos.add", call: 1),
        .interruption("sign-out", at: .event(2), of: "todos.add", call: 3),
      ],
    ] as [FaultSchedule])
  func theTextOfARunHasItsSchedule(_ schedule: FaultSchedule) throws {
    let list = Scenario.list(with: nil)
    let text = list.textOfRun(under: schedule, seed: 7)
    let others = [Scenario("lis", "") { _ in }, list]
    let trap = try #require(SweepTrap(text, of: others, message: ""))
    #expect(trap.scenario == "list" && trap.schedule == schedule)
    #expect(text.contains("try await Scenario.list.run(under: \(schedule.swiftSpelling), seed: 7)\n"))
    #expect(SweepTrap(text, of: [others[0]], message: "") == nil)
  }
}
