package import Understudy
import UnderstudyConsole

/// An agreement with observations of any type, for `faults`.
package struct RegisteredAgreement: Sendable {
  struct Cell: Sendable {
    let injectionPoint: InjectionPoint
    /// A function that returns the observed outcome; `nil` if it is the expected one.
    let difference: @Sendable () async -> String?
  }

  struct Row: Sendable {
    let fault: Fault
    let expected: String
    let cells: [Cell]
  }

  let name: String
  let injectionPoints: [InjectionPoint]
  let rows: [Row]
  /// The faults of the catalogue without a row.
  let missing: [Fault]

  /// Creates an agreement with the catalogue of its required faults.
  package init<Observation>(_ agreement: FaultAgreement<Observation>, of catalogue: [Fault]) {
    name = agreement.name
    injectionPoints = agreement.injectionPoints
    missing = agreement.missing(from: catalogue)
    let cells = agreement.cells
    rows = agreement.rows.map { row in
      Row(
        fault: row.fault, expected: "\(row.expected)",
        cells: cells.filter { $0.fault == row.fault }.map { cell in
          Cell(injectionPoint: cell.injectionPoint) {
            do {
              let seen = try await cell.observe()
              if seen == cell.expected { return nil }
              let values = Alike(cell.expected, seen)
              return values.followed(values.found)
            } catch {
              return "the attempt failed: \(error)"
            }
          }
        })
    }
  }
}

/// `faults`: injects every fault at every injection point, and prints the outcomes.
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
        name: agreement.name, injectionPoints: agreement.injectionPoints.map { "\($0)" }, rows: rows,
        missing: agreement.missing.map(\.description))
      report.agreements.append(found)
      // Printed immediately, because the next agreement may take a long time.
      if options.output.isTableOnConsole {
        console.showProgress("")
        try console.write(found.table + "\n")
      }
    }
    console.showProgress("")
    for agreement in report.agreements {
      for fault in agreement.missing {
        console.writeError("\(tool.name): \(agreement.name) has no row for the fault \(fault).")
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
    for injectionPoint in agreement.injectionPoints {
      guard let cell = row.cells.first(where: { $0.injectionPoint == injectionPoint }) else {
        cells.append(.init(injectionPoint: "\(injectionPoint)", status: .impossible))
        continue
      }
      console.showProgress("\(agreement.name), \(row.fault), \(injectionPoint)")
      let difference = await cell.difference()
      cells.append(
        .init(
          injectionPoint: "\(injectionPoint)", status: difference == nil ? .agrees : .differs,
          found: difference))
    }
    return .init(fault: row.fault.description, expected: row.expected, cells: cells)
  }

  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options()
    var reader = OptionReader(words, of: "\(tool.name) faults")
    while let option = try reader.next() {
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

    Inject every fault of the catalogue at every injection point, and check that the outcome is the same: when a double
    of the service throws it, when the transport or the backend injects it, and when it happens on a socket.

      --call <name>             Try only this call. Can be repeated.
                                \(HelpText.list(tool.agreements.map(\.name)))
    \(ReportOutput.help)
      --help                    Show this help.

    In the table, ✓ is the expected outcome, ✗ another one, · an injection point at which the fault cannot happen.
    Each time-out of the platform takes one second of real time.

    Example: \(tool.name) faults --format html --output faults.html

    Exit status: 0 if all outcomes are as expected, 1 if one differs or a fault has no row, 2 if the arguments are invalid
    or the report cannot be written.
    """
  }
}
