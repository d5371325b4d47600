import UnderstudyDoubles
import UnderstudyReports

/// `sweep`: runs scenarios under every fault at every call, and under pairs of them.
struct SweepCommand {
  let tool: CommandLineTool

  struct Options {
    var scenarios: [String] = []
    var sweep = SweepOptions()
    var schedule: [FaultSchedule.Entry] = []
    var output = ReportOutput()
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    guard let options = try parse(words) else {
      try console.write(usage)
      return 0
    }
    let chosen = tool.scenarios.filter {
      options.scenarios.isEmpty || options.scenarios.contains($0.name)
    }
    if !options.schedule.isEmpty { return try await tryAgain(chosen, options, console) }
    var reports: [SweepReport] = []
    for scenario in chosen {
      let progress = SweepProgressBar(scenario, on: tool.surroundings.time, console: console)
      defer { progress.end() }
      do {
        reports.append(
          try await scenario.report(options.sweep, on: tool.surroundings.time, progress: progress.show))
      } catch {
        throw CommandError("The sweep was stopped, so there is no result.")
      }
    }
    var report = UnderstudyReport(sweeps: reports)
    report.isShard = options.sweep.shard != .whole
    try options.output.write(report, of: tool, on: console)
    return report.isClean ? 0 : 1
  }

  /// Runs one scenario under one schedule.
  private func tryAgain(
    _ chosen: [Scenario], _ options: Options, _ console: Console
  ) async throws(CommandError) -> Int32 {
    guard let scenario = chosen.first, chosen.count == 1 else {
      throw CommandError("--under is for one scenario; name it with --scenario.")
    }
    guard options.output.isTableOnConsole else {
      throw CommandError("--under shows one run and makes no report; leave out --format and --output.")
    }
    let schedule = FaultSchedule(options.schedule)
    let outcome: ScenarioOutcome
    do {
      outcome = try await scenario.outcome(
        under: schedule, seed: options.sweep.seed, on: tool.surroundings.time)
    } catch {
      throw CommandError("The run was stopped, so there is no result.")
    }
    var lines = ["\(scenario.name) under \(schedule)", SweepReport.shown(outcome.timeline)]
    lines += outcome.violations.map { "  ✗ \($0)" }
    if outcome.violations.isEmpty { lines.append("  ✓ every invariant holds") }
    try console.write(lines.joined(separator: "\n"))
    return outcome.violations.isEmpty ? 0 : 1
  }

  // MARK: - Options

  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options()
    var reader = OptionReader(words, of: "\(tool.name) sweep")
    while let option = reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--scenario":
        options.scenarios.append(try reader.value(among: tool.scenarios.map(\.name), "scenario"))
      case "--pairs": options.sweep.pairLimit = try pairLimit(try reader.value())
      case "--shard":
        let value = try reader.value()
        guard let shard = SweepShard(typed: value) else {
          throw CommandError("--shard takes a part of all, such as 2/8, and \"\(value)\" is none.")
        }
        options.sweep.shard = shard
      case "--seed": options.sweep.seed = try reader.number()
      case "--under":
        let value = try reader.value()
        do throws(FaultRuleError) {
          options.schedule.append(try FaultSchedule.Entry(typed: value))
        } catch {
          throw CommandError("--under: \(error)")
        }
      default: guard try options.output.take(option, from: &reader) else { throw reader.unknownOption }
      }
    }
    return options
  }

  private func pairLimit(_ value: String) throws(CommandError) -> Int? {
    switch value {
    case "all": return nil
    case "none": return 0
    default:
      guard let count = Int(value), count >= 0 else {
        throw CommandError("--pairs takes all, none or how many, and \"\(value)\" is none of them.")
      }
      return count
    }
  }

  private var usage: String {
    """
    usage: \(tool.name) sweep [--scenario <name>] … [--pairs all|none|<n>] [--shard <k>/<n>] [--seed <n>]
           [--format table|json|html|junit] [--output <file>]
           \(tool.name) sweep --scenario <name> --under "<call> <fault>" …

    Runs each scenario without a fault to learn which calls it makes, then under every fault at every call, then under
    pairs of them, and shows the smallest schedules under which an invariant does not hold.

      --scenario <name>         Only this scenario; can be given several times.
                                \(tool.scenarios.map(\.name).joined(separator: ", "))
      --pairs all|none|<n>      How many pairs of faults, a sample of all; \(SweepOptions().pairLimit ?? 0) unless said otherwise.
      --shard <k>/<n>           Only this part of the schedules, such as 2/8. All parts together are the whole sweep.
      --seed <n>                What the sample and everything random come from; 0 unless said otherwise.
      --under "<call> <fault>"
                                Run this schedule alone, such as "children.createChild call=1 conflict"; can be given
                                several times.
    \(ReportOutput.help)
      --help                    This text.

    Exit status: 0 when every invariant holds, 1 when one does not, 2 when the arguments cannot be understood or the
    result cannot be written.
    """
  }
}
