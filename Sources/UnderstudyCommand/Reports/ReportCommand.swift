import UnderstudyPrimitives
import UnderstudyReports

/// `report merge`: merges the reports of several runs.
struct ReportCommand {
  let tool: CommandLineTool

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    var output = ReportOutput()
    var files: [InputFile] = []
    var action: String?
    var reader = OptionReader(words, of: "\(tool.name) report")
    while let option = reader.next() {
      if ["--help", "-h"].contains(option) {
        try console.write(usage)
        return 0
      }
      if try output.take(option, from: &reader) { continue }
      let operand = try reader.operand(option)
      if action == nil {
        guard operand == "merge" else {
          throw CommandError("report can merge, and not \"\(operand)\". See \(tool.name) report --help.")
        }
        action = operand
      } else {
        files.append(try InputFile(operand))
      }
    }
    guard action != nil else {
      throw CommandError("report needs to be told what to do: merge. See \(tool.name) report --help.")
    }
    guard !files.isEmpty else {
      throw CommandError("report merge needs a file. See \(tool.name) report --help.")
    }
    var reports: [UnderstudyReport] = []
    for file in files {
      let data = try file.contents()
      do {
        reports.append(try UnderstudyReport(parsing: data, named: file.path))
      } catch {
        throw CommandError(inOneLine: error)
      }
    }
    let report: UnderstudyReport
    do {
      report = try UnderstudyReport(merging: reports)
    } catch {
      throw CommandError(inOneLine: error)
    }
    for gap in report.gaps { console.writeError("\(tool.name): \(gap)".visible) }
    try output.write(report, of: tool, on: console)
    return report.isClean && !report.isEmpty ? 0 : 1
  }

  private var usage: String {
    """
    usage: \(tool.name) report merge <file> … [--format table|json|html|junit] [--output <file>]

    Merges the reports of several runs, on one machine or on many. A file is one that UNDERSTUDY_REPORT named while tests
    ran, or the output of verify, mutants, faults, sweep or report with --format json. The order of the files does not
    matter.

    Equal outcomes become one. Where an implementation kept a clause in one run and broke it in another, the report has
    both, and the clause counts as failed: it is flaky. A clause that was skipped in one run has its outcome from the
    other. A line that was cut off when its process ended is reported with its number, and counts as a failure.

    \(ReportOutput.help)
      --help                    This text.

    Exit status: 0 when nothing failed, 1 when something failed, a part is missing or nothing was tested, 2 when
    a file is not a report, the files do not belong together, or the report cannot be written.
    """
  }
}
