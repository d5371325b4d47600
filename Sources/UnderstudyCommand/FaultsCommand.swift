import UnderstudyDoubles
import UnderstudyReports

/// `faults`: puts every fault in at every seam, and prints what is seen of it.
struct FaultsCommand {
  let tool: CommandLineTool

  private struct Options {
    var calls: [String] = []
    var output = ReportOutput()
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    guard let options = try parse(words) else {
      try console.write(usage)
      return 0
    }
    var report = UnderstudyReport()
    for agreement in tool.agreements where options.calls.isEmpty || options.calls.contains(agreement.name) {
      var rows: [AgreementReport.Row] = []
      for row in agreement.rows { rows.append(await self.row(agreement, row, console)) }
      let found = AgreementReport(
        name: agreement.name, seams: agreement.seams.map { "\($0)" }, rows: rows,
        missing: agreement.missing.map(\.description))
      report.agreements.append(found)
      // What takes long is told as it comes.
      if options.output.isTableOnConsole {
        console.showProgress("")
        try console.write(found.table + "\n")
      }
    }
    console.showProgress("")
    for agreement in report.agreements {
      for fault in agreement.missing {
        console.writeError("\(tool.name): no row for a fault of the catalogue: \(agreement.name): \(fault)")
      }
    }
    if options.output.isTableOnConsole {
      try console.write(report.sentence)
    } else {
      try options.output.write(report, of: tool, on: console)
    }
    return report.isClean ? 0 : 1
  }

  private func row(
    _ agreement: RegisteredAgreement, _ row: RegisteredAgreement.Row, _ console: Console
  ) async -> AgreementReport.Row {
    var cells: [AgreementReport.Cell] = []
    for seam in agreement.seams {
      guard let cell = row.cells.first(where: { $0.seam == seam }) else {
        cells.append(.init(seam: "\(seam)", status: .impossible))
        continue
      }
      console.showProgress("\(agreement.name), \(row.fault), \(seam)")
      let difference = await cell.difference()
      cells.append(.init(seam: "\(seam)", status: difference == nil ? .agrees : .differs, found: difference))
    }
    return .init(fault: row.fault.description, expected: row.expected, cells: cells)
  }

  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options()
    var reader = OptionReader(words, of: "\(tool.name) faults")
    while let option = reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--call": options.calls.append(try reader.value(among: tool.agreements.map(\.name), "call"))
      default: guard try options.output.take(option, from: &reader) else { throw reader.unknownOption }
      }
    }
    return options
  }

  private var usage: String {
    """
    usage: \(tool.name) faults [--call <name>] … [--format table|json|html|junit] [--output <file>]

    Puts every fault of the catalogue in at every seam, and shows whether the same is seen of it: when a double of the
    service throws it, when the transport or the backend injects it, and when it happens on a socket.

      --call <name>             Only this call; can be given several times.
                                \(tool.agreements.map(\.name).joined(separator: ", "))
    \(ReportOutput.help)
      --help                    This text.

    In the table, ✓ is what is expected, ✗ something else, · a place where the fault cannot happen. What only the platform
    can do takes real time: its time-outs are a second each.
    Exit status: 0 when all agree, 1 when something differs or a fault has no row, 2 when the arguments cannot be
    understood or the matrix cannot be written.
    """
  }
}
