import Understudy
import UnderstudyConsole
import UnderstudyText

/// `report merge`: merges the reports of several runs.
struct ReportCommand {
  let tool: CommandLineTool

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    var output = ReportOutput()
    var files: [InputFile] = []
    var action: String?
    var reader = OptionReader(words, of: "\(tool.name) report")
    while let option = try reader.next() {
      if ["--help", "-h"].contains(option) {
        try console.write(usage)
        return 0
      }
      if try output.take(option, from: &reader) { continue }
      let operand = try reader.operand(option)
      if action == nil {
        guard operand == "merge" else {
          throw CommandError(
            "Unknown action \"\(operand)\". Valid values: merge. See \(tool.name) report --help.")
        }
        action = operand
      } else {
        files.append(try InputFile(operand))
      }
    }
    guard action != nil else {
      throw CommandError("report requires an action: merge. See \(tool.name) report --help.")
    }
    guard !files.isEmpty else {
      throw CommandError("report merge requires a file. See \(tool.name) report --help.")
    }
    var reports: [UnderstudyReport] = []
    for file in files {
      let data = try file.contents()
      do {
        reports.append(try UnderstudyReport(parsing: data, named: file.path))
      } catch {
        throw CommandError("\(error)")
      }
    }
    let report: UnderstudyReport
    do {
      report = try UnderstudyReport(merging: reports)
    } catch {
      throw CommandError("\(error)")
    }
    for gap in report.gaps { console.writeError("\(tool.name): \(gap)".visible) }
    try output.write(report, of: tool, on: console)
    return report.isClean && !report.isEmpty ? 0 : 1
  }

  private var usage: String {
    """
    usage: \(tool.name) report merge <file> … [--format table|json|html|junit] [--output <file>]

    Merge the reports of several runs, on one machine or on many. A report is a file that tests wrote because of
    UNDERSTUDY_REPORT, or the output of verify, faults, sweep, mutants or report with --format json.

    Equal outcomes are counted once. A clause that passed in one run and failed in another is flaky, which counts as
    failed; the report has both outcomes. A clause that was skipped in one run and tried in another counts as tried. A
    line that is incomplete, because its process was killed, is reported with its number and counts as failed.

    \(ReportOutput.help)
      --help                    Show this help.

    Example: \(tool.name) report merge outcomes.jsonl shard-1.json --format html --output report.html

    Exit status: 0 if nothing failed in any run, 1 if something failed, a part is missing or nothing was tried, 2 if a
    file is not a report, the files do not belong together, or the report cannot be written.
    """
  }
}

/// The format and the destination of a report: the options `--format` and `--output`.
struct ReportOutput: Sendable {
  enum Format: String, CaseIterable, Sendable {
    case table, json, html, junit
  }

  var format = Format.table
  /// The file, or `nil` for standard output.
  var path: String?

  /// Whether parts of the report can be printed before it is complete.
  var isTableOnConsole: Bool { format == .table && path == nil }

  /// Reads the current option, if it is one of the two.
  mutating func take(_ option: String, from reader: inout OptionReader) throws(CommandError) -> Bool {
    switch option {
    case "--format":
      let word = try reader.value(among: Format.allCases.map(\.rawValue), "format")
      format = Format(rawValue: word) ?? .table
    case "--output": path = try reader.value()
    default: return false
    }
    return true
  }

  /// Writes a report.
  ///
  /// - Parameter tool: The tool, whose name is part of the commands in the report. One without contracts and scenarios, which
  ///   merges the reports of others, cannot run them.
  func write(
    _ report: UnderstudyReport, of tool: CommandLineTool, on console: Console
  ) throws(CommandError) {
    let isEmpty = tool.contracts.isEmpty && tool.scenarios.isEmpty && tool.agreements.isEmpty
    let name = isEmpty ? nil : tool.name
    let text =
      switch format {
      case .table: report.table(tool: name) + "\n"
      case .json: try Console.json(report) + "\n"
      case .html: report.html(tool: name)
      case .junit: report.junit(tool: name)
      }
    guard let path else {
      // The console adds the last line break.
      return try console.write(String(text.dropLast()))
    }
    let file = OutputFile(path)
    try file.write(text)
    try console.write("\(report.sentence) \(file.path)")
  }

  /// The description of the two options in the help of a command.
  static let help = """
      --format table|json|html|junit
                                The format (default: table). html is one page that works offline, junit the XML format
                                of CI systems.
      --output <file>           The file for the report (default: standard output).
    """
}
