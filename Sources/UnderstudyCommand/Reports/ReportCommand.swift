import Understudy

/// `report merge`: joins what several runs found into one report.
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
    var reports: [Report] = []
    for file in files {
      let data = try file.contents()
      do {
        reports.append(try Report(parsing: data, named: file.path))
      } catch {
        throw CommandError(inOneLine: error)
      }
    }
    let report: Report
    do {
      report = try Report.merging(reports)
    } catch {
      throw CommandError(inOneLine: error)
    }
    for gap in report.gaps { console.writeError("\(tool.name): \(gap)".visible) }
    try output.write(report, table: report.table(tool: tool.name), json: report, of: tool, on: console)
    return report.isClean && !report.isEmpty ? 0 : 1
  }

  private var usage: String {
    """
    usage: \(tool.name) report merge <file> … [--format table|json|html|junit] [--output <file>]

    Joins what several runs found, on one machine or on many, into one report. A file is one that UNDERSTUDY_REPORT named
    while tests ran, or what verify, faults, sweep or report printed with --format json.

    The same outcome twice is one. Where an implementation kept a clause in one run and not in another, the report has
    both, and the clause counts as failed: it is flaky. Where it was skipped in one run, what it did in another counts:
    kept on one machine and skipped on another is kept. A line that was cut off when its process ended is told with its
    number, and counts as failed too.

    \(ReportOutput.help)
      --help                    This text.

    Exit status: 0 when everything held in every run, 1 when something did not, a part is missing or nothing was
    tried, 2 when a file is no report, the files do not belong together, or the report cannot be written.
    """
  }
}
