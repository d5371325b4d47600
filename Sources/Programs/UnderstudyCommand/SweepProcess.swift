import Foundation
import Understudy
import UnderstudyConsole

/// The files that a sweep shares with the process that makes its runs.
///
/// A trap ends the process of a run. So a sweep starts its own program again for the runs, in one process as long as none
/// traps. That process writes the report of each scenario, and keeps the run in progress in a file that outlives it.
/// After a trap the sweep notes the schedule, and starts another process for the scenarios without a report. It passes
/// over the schedules that trap, and repeats the other runs of the scenario, which are the same each time.
struct SweepFolder: Sendable {
  private let folder: URL

  /// Creates a folder.
  init() throws(CommandError) {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "sweep-\(UUID().uuidString)", directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandError("The folder \(path) cannot be created: \(error.localizedDescription)")
    }
  }

  /// Uses the folder of another process.
  init(at path: String) {
    folder = URL(filePath: path, directoryHint: .isDirectory)
  }

  var path: String { folder.plainPath }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  private var traps: URL { folder.appending(path: "traps.json") }
  private var runs: String { folder.appending(path: "runs").plainPath }
  private func report(_ number: Int) -> URL { folder.appending(path: "\(number).json") }

  // MARK: - In the process that makes the runs

  /// Keeps the runs in progress in a file.
  func keepRuns() throws(CommandError) {
    do {
      try RunsInProgress.shared.keep(in: runs)
    } catch {
      throw CommandError("\(runs) cannot be written: \(error.localizedDescription)")
    }
  }

  /// The schedules that are known to trap.
  var knownTraps: [SweepTrap] {
    get throws(CommandError) { try read(traps) ?? [] }
  }

  /// Writes the report of a scenario.
  func write(_ report: SweepReport, number: Int) throws(CommandError) {
    try write(report, to: self.report(number))
  }

  // MARK: - In the other one

  /// Runs the program with arguments for this folder.
  ///
  /// - Parameter scenarios: The scenarios of the program.
  /// - Returns: Its exit status, or the trap that ended it.
  func run(
    _ words: [String], of scenarios: [Scenario], passingOver known: [SweepTrap] = []
  ) async throws(CommandError) -> Result {
    try? FileManager.default.removeItem(atPath: runs)
    try write(known, to: traps)
    let end = try await ChildProcess(words + ["--child", path]).start().ended()
    if case .signal(let number) = end, Task.isCancelled || [SIGINT, SIGTERM, SIGHUP].contains(number) {
      throw Self.cancelled
    }
    for run in RunsInProgress.texts(in: runs) {
      guard let trap = SweepTrap(run, of: scenarios, message: end.sentence) else { continue }
      // It did not pass over it, and would not do so the next time.
      if known.contains(where: { $0.scenario == trap.scenario && $0.schedule == trap.schedule }) { break }
      return .trap(trap)
    }
    guard case .exit(let status) = end else {
      throw CommandError("\(end.sentence) It was in no run of a scenario. Try --in-process.")
    }
    return .exit(status)
  }

  /// How a process ended.
  enum Result {
    case exit(Int32)
    case trap(SweepTrap)
  }

  static let cancelled = CommandError("The sweep was cancelled.")

  /// The report of a scenario; `nil` if it is not written yet.
  func report(number: Int) throws(CommandError) -> SweepReport? { try read(report(number)) }

  private func read<Value: Decodable>(_ file: URL) throws(CommandError) -> Value? {
    guard let data = FileManager.default.contents(atPath: file.plainPath) else { return nil }
    do {
      return try JSONDecoder().decode(Value.self, from: data)
    } catch {
      throw CommandError("\(file.plainPath) cannot be read: \(error)")
    }
  }

  private func write(_ value: some Encodable, to file: URL) throws(CommandError) {
    do {
      try JSONEncoder().encode(value).write(to: file, options: .atomic)
    } catch {
      throw CommandError("\(file.plainPath) cannot be written: \(error)")
    }
  }
}

extension RunningProcess.End {
  /// What a report says about a run in which the process ended.
  fileprivate var sentence: String {
    switch self {
    case .exit(let status): "The process exited with status \(status)."
    case .signal(let number):
      """
      The process ended with signal \(number) (\(String(cString: strsignal(number)))). What it wrote to standard error \
      says where.
      """
    }
  }
}
