import Foundation
import Understudy
import UnderstudyConsole
import UnderstudyHTTP

/// `sweep`: runs scenarios under every fault and every interruption at every call, and under combinations of them.
struct SweepCommand {
  let tool: CommandLineTool

  struct Options {
    var scenarios: [String] = []
    var sweep = SweepOptions()
    var schedule: [FaultSchedule.Entry] = []
    var output = ReportOutput()
    /// Whether the runs are made in this process.
    var isInProcess = false
    /// The folder of the process that started this one for its runs.
    var folder: SweepFolder?
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    guard var options = try parse(words) else {
      try console.write(usage)
      return 0
    }
    let chosen = tool.scenarios.enumerated().filter {
      options.scenarios.isEmpty || options.scenarios.contains($0.element.name)
    }
    try options.folder?.keepRuns()
    if !options.schedule.isEmpty { return try await tryAgain(chosen.map(\.element), options, console) }
    if let folder = options.folder {
      options.sweep.traps = try folder.knownTraps
      for (number, scenario) in chosen {
        try folder.write(try await report(of: scenario, options, console), number: number)
      }
      return 0
    }
    var reports: [SweepReport] = []
    if let program = program(for: options) {
      reports = try await self.reports(of: chosen, options, from: program)
    } else {
      for (_, scenario) in chosen { reports.append(try await report(of: scenario, options, console)) }
    }
    var report = UnderstudyReport(sweeps: reports)
    report.isShard = options.sweep.shard != .whole
    try options.output.write(report, of: tool, on: console)
    return report.isClean ? 0 : 1
  }

  /// Sweeps a scenario in this process.
  private func report(
    of scenario: Scenario, _ options: Options, _ console: Console
  ) async throws(CommandError) -> SweepReport {
    let progress = SweepProgressBar(scenario, on: tool.environment.time, console: console)
    defer { progress.end() }
    let parent = options.folder == nil ? nil : getppid()
    do {
      return try await scenario.report(options.sweep) { state in
        // The process that started this one has ended, and another one is now the parent.
        if let parent, getppid() != parent {
          options.folder?.remove()
          exit(2)
        }
        progress.show(state)
      }
    } catch {
      throw SweepFolder.cancelled
    }
  }

  // MARK: - In another process

  /// The program that makes the runs; `nil` to make them in this process.
  private func program(for options: Options) -> String? {
    options.isInProcess || options.folder != nil ? nil : tool.environment.program
  }

  /// Sweeps scenarios in other processes.
  ///
  /// - Parameter chosen: The scenarios with their numbers in the tool.
  private func reports(
    of chosen: [(offset: Int, element: Scenario)], _ options: Options, from program: String
  ) async throws(CommandError) -> [SweepReport] {
    let folder = try SweepFolder()
    defer { folder.remove() }
    var reports: [Int: SweepReport] = [:]
    var traps: [SweepTrap] = []
    while true {
      let rest = chosen.filter { reports[$0.offset] == nil }
      if rest.isEmpty { break }
      let words =
        [program, "sweep"] + rest.flatMap { ["--scenario", $0.element.name] } + Self.words(for: options.sweep)
      let end = try await folder.run(words, of: rest.map(\.element), passingOver: traps)
      for (number, _) in rest { reports[number] = try folder.report(number: number) }
      switch end {
      case .trap(let trap): traps.append(trap)
      case .exit(let status):
        guard chosen.allSatisfy({ reports[$0.offset] != nil }) else {
          throw CommandError(
            "The process of the runs exited with status \(status) before the sweep ended. Try --in-process.")
        }
      }
    }
    return chosen.compactMap { reports[$0.offset] }
  }

  /// The arguments for the extent of a sweep.
  private static func words(for options: SweepOptions) -> [String] {
    [
      "--pairs", options.pairLimit.map(String.init) ?? "all", "--combinations", "\(options.combinationLimit)",
      "--shard", "\(options.shard)", "--seed", "\(options.seed)",
    ]
  }

  /// Runs one scenario under one schedule.
  private func tryAgain(
    _ chosen: [Scenario], _ options: Options, _ console: Console
  ) async throws(CommandError) -> Int32 {
    guard let scenario = chosen.first, chosen.count == 1 else {
      throw CommandError("--under requires one scenario. Name it with --scenario.")
    }
    guard options.output.isTableOnConsole else {
      throw CommandError("--under cannot be combined with --format or --output.")
    }
    let schedule = FaultSchedule(options.schedule)
    if let program = program(for: options) {
      let folder = try SweepFolder()
      defer { folder.remove() }
      let words =
        [program, "sweep", "--scenario", scenario.name, "--seed", "\(options.sweep.seed)"]
        + schedule.entries.flatMap { ["--under", $0.description] }
      switch try await folder.run(words, of: [scenario]) {
      case .exit(let status): return status
      case .trap(let trap):
        try console.write("\(scenario.name) under \(schedule)\n  ✗ \(Scenario.trapping): \(trap.message)")
        return 1
      }
    }
    let outcome: ScenarioOutcome
    do {
      outcome = try await scenario.outcome(under: schedule, seed: options.sweep.seed)
    } catch {
      throw CommandError("The run was cancelled.")
    }
    var lines = ["\(scenario.name) under \(schedule)", SweepReport.shown(outcome.timeline)]
    lines += outcome.violations.map { "  ✗ \($0)" }
    if outcome.isUnchecked {
      lines.append("  ✗ no invariant was checked: check one with \(Scenario.waysToCheck)")
    } else if outcome.violations.isEmpty {
      lines.append("  ✓ every invariant holds")
    }
    try console.write(lines.joined(separator: "\n"))
    return outcome.violations.isEmpty && !outcome.isUnchecked ? 0 : 1
  }

  // MARK: - Options

  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options()
    var reader = OptionReader(words, of: "\(tool.name) sweep")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--scenario":
        options.scenarios.append(try reader.value(among: tool.scenarios.map(\.name), "scenario"))
      case "--pairs": options.sweep.pairLimit = try pairLimit(try reader.value())
      case "--combinations": options.sweep.combinationLimit = try reader.number()
      case "--shard":
        let value = try reader.value()
        guard let shard = SweepShard(typed: value) else {
          throw CommandError("--shard requires a number and a count, such as 2/8, found \"\(value)\".")
        }
        options.sweep.shard = shard
      case "--seed": options.sweep.seed = try reader.number()
      case "--under":
        let value = try reader.value()
        do throws(UnderstudyError) {
          options.schedule.append(try FaultSchedule.Entry(typed: value))
        } catch {
          throw CommandError("--under \"\(value)\": \(error)")
        }
      case "--in-process": options.isInProcess = true
      // Not in the help: it is for a sweep that starts this one.
      case "--child": options.folder = SweepFolder(at: try reader.value())
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
        throw CommandError("--pairs requires all, none or a whole number from 0, found \"\(value)\".")
      }
      return count
    }
  }

  private var usage: String {
    """
    usage: \(tool.name) sweep [--scenario <name>] … [--pairs all|none|<n>] [--combinations <n>] [--shard <k>/<n>]
           [--seed <n>] [--in-process] [--format table|json|html|junit] [--output <file>]
           \(tool.name) sweep --scenario <name> --under "<entry>" …

    Run each scenario without a fault to find its calls, then under every fault at every call, under pairs of faults, under
    every interruption at every call, and under random combinations, and show the smallest schedules under which an
    invariant fails.

      --scenario <name>         Run only this scenario. Can be repeated.
                                \(HelpText.list(tool.scenarios.map(\.name)))
      --pairs all|none|<n>      The number of pairs of faults, a sample of all (default: \(SweepOptions().pairLimit ?? 0);
                                sweep() in a test: 100).
      --combinations <n>        The number of random combinations of up to three faults and interruptions (default:
                                \(SweepOptions().combinationLimit); sweep() in a test: 20).
      --shard <k>/<n>           Run only this part of the schedules, such as 2/8. All parts together are the whole sweep.
      --seed <n>                The seed of the sample and of everything random (default: 0).
      --under "<entry>"         Run only this schedule; repeat it for several entries of one run. An entry is a call and
                                - a fault, such as "children.createChild call=1 conflict" (serve --help lists them),
                                - an interruption at its request, its answer or an event of its stream, such as
                                  "children.createChild call=1 cancel@answer" or "… sign-out@event-2"; every action
                                  has cancel, and restart, which starts the action again at once, or
                                - late: its answer arrives after everything that does not wait for it has ended.
      --in-process              Make the runs in this process, so that a debugger stops at a trap (default: in another
                                process, so that a trap is a violation like others).
    \(ReportOutput.help)
      --help                    Show this help.

    Example: \(tool.name) sweep --pairs all --shard 2/8

    Exit status: 0 if every invariant holds, 1 if one fails, 2 if the arguments are invalid or the report cannot be
    written.
    """
  }
}

/// The progress of a scenario's sweep: a bar for each part.
final class SweepProgressBar: Sendable {
  private let scenario: Scenario
  private let time: Time
  private let console: Console
  private let current = Locked<(stage: SweepProgress.Stage, bar: ProgressBar)?>(nil)
  private let stuckRuns = Locked(0)

  init(_ scenario: Scenario, on time: Time, console: Console) {
    self.scenario = scenario
    self.time = time
    self.console = console
  }

  /// Shows the schedule that runs now.
  @Sendable func show(_ progress: SweepProgress) {
    let notice = stuckRuns.withLock { known in
      defer { known = progress.stuck.count }
      return progress.notice(of: scenario, after: known)
    }
    if let notice {
      // The line would begin on that of the bar.
      end()
      console.writeError(notice)
    }
    let bar = current.withLock { current in
      if let current, current.stage == progress.stage {
        current.bar.advance()
        return current.bar
      }
      current?.bar.end()
      let bar = ProgressBar("\(scenario), \(progress.stage)", of: progress.total, on: time, console: console)
      current = (progress.stage, bar)
      return bar
    }
    bar.show(progress.schedule?.description ?? "")
  }

  /// Removes the bar.
  func end() { current.withLock { $0?.bar.end() } }
}
