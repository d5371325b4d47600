import Understudy

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
