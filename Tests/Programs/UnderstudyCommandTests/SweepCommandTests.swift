import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct SweepCommandTests {
  struct Store: Sendable {}
  struct Unsaved: Error {}

  /// A value is saved, and saved again after an error, although the first call may have succeeded.
  static let saving = Scenario("saving", "A user saves, and saves again after an error.") { run in
    let store = run.intercepted(Store(), as: "store")
    var count = 0
    let failures = await run.failures {
      for _ in 1...2 {
        do {
          try await store.intercept(.init("save"), failure: { _ in Unsaved() }) { _ throws(Unsaved) in
            count += 1
          }
          return
        } catch {}
      }
    }
    run.expect("saved.once", count <= 1, "it is saved \(count) times")
    run.expect("saved.ends", failures.count < 2, "it was given up")
  }
  /// Where and when the invariants of the scenario above are checked.
  static let places = [5, 4].map { up in
    "(UnderstudyCommandTests/SweepCommandTests.swift:\(#line - up), after store.save call=2)"
  }

  static let right = Scenario("right", "A user saves.") { run in
    try? await run.intercepted(Store(), as: "store").intercept(.init("save"), failure: { _ in Unsaved() }) {
      _ throws(Unsaved) in
    }
    run.expect("all.well", true, "")
  }

  let tool = CommandLineTool("tool", scenarios: [saving, right])

  /// Catches a sweep that passes because it injected nothing.
  @Test func aScenarioWithoutACallFails() async {
    let idle = Scenario("idle", "Nothing happens.") { run in run.expect("all.well", true, "") }
    let result = await CommandResult("sweep", of: CommandLineTool("tool", scenarios: [idle]))
    #expect(result.status == 1)
    #expect(
      result.output.contains("✗ sweep.covers: The scenario made no call into which a fault can be injected"))
  }

  /// Catches shards that each leave the check of an invariant to another one.
  @Test func shardsThatCheckNothingFailOnceTheyAreMerged() async throws {
    let mute = Scenario("mute", "Nothing is expected.") { run in
      try? await run.intercepted(Store(), as: "store").intercept(.init("save"), failure: { _ in Unsaved() }) {
        _ throws(Unsaved) in
      }
    }
    let tool = CommandLineTool("tool", scenarios: [mute])
    let folder = try TemporaryFolder()
    for shard in 1...2 {
      let file = folder.file("\(shard).json").path()
      let part = await CommandResult("sweep --shard \(shard)/2 --format json --output \(file)", of: tool)
      #expect(part.status == 0)
    }
    let merged = await CommandResult(
      "report merge \(folder.file("1.json").path()) \(folder.file("2.json").path())", of: tool)
    #expect(merged.status == 1)
    #expect(merged.output.contains("✗ sweep.checks: The scenario checked no invariant under any schedule."))
  }

  @Test func theSmallestSchedulesAreShownWithTheCommands() async {
    let result = await CommandResult("sweep --pairs all --combinations 0", of: tool)
    #expect(result.status == 1)
    let faults = Fault.all(of: .call).count { $0.applies(to: .service) }
    // The service has one error, before or after its effect; two faults only delay the call.
    let pairs = 2 * 4
    #expect(
      result.output == """
        saving: A user saves, and saves again after an error.
          2 calls, seed 0: 1 without a fault, \(faults) with one, \(pairs) of \(pairs) with two, 1 with an \
        interruption, 0 combined; no action was cancelled: run actions with run.act(_:), over a service and not over a URLSession
          ✗ saved.once: it is saved 2 times \(Self.places[0])
              under store.save call=1 answer-lost
              and under store.save call=1 empty-reply, store.save call=1 timeout-in-body:1, store.save call=1 \
        truncated-body:1 and 6 more
              try await Scenario.saving.run(under: [.at("store.save", call: 1, .answerLost)])
              tool sweep --scenario saving --under 'store.save call=1 answer-lost'
          ✗ saved.ends: it was given up \(Self.places[1])
              under store.save call=1 unauthorized; store.save call=2 unauthorized
              and under store.save call=1 unauthorized; store.save call=2 answer-lost, store.save call=1 answer-lost; \
        store.save call=2 unauthorized, store.save call=1 answer-lost; store.save call=2 answer-lost
              try await Scenario.saving.run(under: [.at("store.save", call: 1, .unauthorized), .at("store.save", call: \
        2, .unauthorized)])
              tool sweep --scenario saving --under 'store.save call=1 unauthorized' --under 'store.save call=2 \
        unauthorized'

        right: A user saves.
          1 call, seed 0: 1 without a fault, \(faults) with one, 0 of 0 with two, 1 with an interruption, 0 combined; no action \
        was cancelled: run actions with run.act(_:), over a service and not over a URLSession
          ✓ all.well

        \(4 + 2 * faults + pairs) schedules of 2 scenarios; 2 violations.

        """)
  }

  @Test func successIsStatusZero() async {
    let result = await CommandResult("sweep --scenario right --combinations 0", of: tool)
    #expect(result.status == 0)
    let faults = Fault.all(of: .call).count { $0.applies(to: .service) }
    #expect(result.output.hasSuffix("\(2 + faults) schedules of 1 scenario; every invariant holds.\n"))
  }

  @Test func oneScheduleIsRun() async {
    var tool = tool
    tool.environment.time = .system
    let words = ["sweep", "--scenario", "saving", "--under", "store.save call=1 empty-reply"]
    let output = Locked("")
    let console = Console { text in
      output.withLock { $0 += text + "\n" }
    } writeError: { _ in
    }
    #expect(await tool.run(words, console: console) == 1)
    #expect(
      output.withLock { $0 } == """
        saving under store.save call=1 empty-reply
          shown: nothing
          ✗ saved.once: it is saved 2 times \(Self.places[0])

        """)
  }

  @Test func shardsOfAnyMachineAreTheWhole() async throws {
    func reports(_ line: String) async throws -> [SweepReport] {
      let result = await CommandResult("sweep --format json --seed 3 --pairs 40 " + line, of: tool)
      return try UnderstudyReport(parsing: Data(result.output.utf8), named: "standard output").sweeps
    }
    let whole = try await reports("")
    let (first, second) = (try await reports("--shard 1/2"), try await reports("--shard=2/2"))
    #expect(whole.map(\.scenario) == ["saving", "right"])
    for (place, report) in whole.enumerated() {
      #expect(try SweepReport(merging: [first[place], second[place]]) == report)
    }
    #expect(first[0].counts.total + second[0].counts.total == whole[0].counts.total)
  }

  @Test func progressIsShown() async {
    let time = TestClock()
    let scenario = Scenario("slow", "It takes some time.") { run in
      _ = await run.failures {
        try? await run.intercepted(Store(), as: "store").intercept(.init("save"), failure: { _ in Unsaved() })
        {
          _ throws(Unsaved) in
        }
      }
      time.advance(by: .milliseconds(200))
    }
    let result = await CommandResult(
      "sweep", of: CommandLineTool("tool", scenarios: [scenario]), width: 200, time: time)
    #expect(result.progress.first?.hasPrefix("slow, faults  ██") == true)
    #expect(result.progress.contains { $0.contains(" of 30  store.save call=1 timeout") })
    #expect(result.progress.last == "")
  }

  @Test func theReportGoesToAFile() async throws {
    let file = try TemporaryFile(Data())
    let result = await CommandResult(
      "sweep --scenario right --combinations 0 --format json --output %", of: tool, files: file)
    #expect(result.status == 0)
    let faults = Fault.all(of: .call).count { $0.applies(to: .service) }
    #expect(result.output == "\(2 + faults) schedules of 1 scenario; every invariant holds. \(file.path)\n")
    let data = try Data(contentsOf: URL(filePath: file.path))
    #expect(try UnderstudyReport(parsing: data, named: file.path).sweeps.map(\.scenario) == ["right"])
  }

  @Test func aPageHasTheTimelinesAndTheViolations() async {
    let result = await CommandResult("sweep --scenario saving --format html", of: tool)
    #expect(result.status == 1 && result.error.isEmpty)
    #expect(result.output.contains("<code>saved.once</code> does not hold"))
    #expect(
      result.output.contains(
        "<code>swift run tool sweep --scenario saving --under 'store.save call=1 answer-lost'</code>"))
  }

  @Test func aShardPassesButAMergeWithoutTheOthersFails() async throws {
    let shard = await CommandResult("sweep --scenario right --shard 1/2 --format json", of: tool)
    #expect(shard.status == 0)
    let merged = await CommandResult("report merge %", of: tool, files: try TemporaryFile(shard.output))
    #expect(merged.status == 1)
    #expect(merged.output.contains("✗ The sweep of right is incomplete. Missing: shard 2/2."))
  }

  @Test(arguments: [
    ("sweep --scenario x", "tool: Unknown scenario \"x\". Valid values: saving, right.\n"),
    ("sweep --shard 3/2", "tool: --shard requires a number and a count, such as 2/8, found \"3/2\".\n"),
    ("sweep --shard 0/2", "tool: --shard requires a number and a count, such as 2/8, found \"0/2\".\n"),
    ("sweep --pairs some", "tool: --pairs requires all, none or a whole number from 0, found \"some\".\n"),
    ("sweep --pairs -1", "tool: --pairs requires all, none or a whole number from 0, found \"-1\".\n"),
    ("sweep --seed x", "tool: --seed requires a whole number from 0, found \"x\".\n"),
    ("sweep now", "tool: Unexpected argument \"now\". See tool sweep --help.\n"),
    (
      "sweep --output /dev/null/report --scenario right",
      "tool: /dev/null/report cannot be written: "
    ),
  ])
  func badInputIsOneLineAndStatusTwo(_ line: String, _ message: String) async {
    let result = await CommandResult(line, of: tool)
    #expect(result.status == 2 && result.error.hasPrefix(message) && result.output.isEmpty)
    #expect(result.error.split(separator: "\n").count == 1)
  }

  @Test func aScheduleRequiresOneScenarioAndACall() async {
    let (output, error) = (Locked(""), Locked(""))
    let console = Console { text in
      output.withLock { $0 += text }
    } writeError: { text in
      error.withLock { $0 += text + "\n" }
    }
    #expect(await tool.run(["sweep", "--under", "store.save call=1 conflict"], console: console) == 2)
    #expect(await tool.run(["sweep", "--under", "store.save conflict"], console: console) == 2)
    let lines = error.withLock { $0 }.split(separator: "\n")
    #expect(lines.first == "tool: --under requires one scenario. Name it with --scenario.")
    #expect(lines.last?.contains("Invalid entry of a fault schedule") == true && lines.count == 2)
    #expect(output.withLock { $0 }.isEmpty)
  }
}
