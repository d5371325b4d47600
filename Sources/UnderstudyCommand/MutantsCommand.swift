import UnderstudyContracts
import UnderstudyReports

/// `mutants`: tries wrong implementations under the contracts, and prints which clause kills which.
struct MutantsCommand {
  let tool: CommandLineTool

  /// The longest that a trial may take: the right implementations need a second at most, and a mutant that hangs is to
  /// cost little.
  private static let timeLimit: Duration = .seconds(10)

  private struct Options {
    var services: [String] = []
    var scope = KillScope.namedClauses
    var output = ReportOutput()
    var seed: UInt64 = 0
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    guard let options = try parse(words) else {
      try console.write(usage)
      return 0
    }
    var report = UnderstudyReport()
    for contract in contracts where options.services.isEmpty || options.services.contains(contract.name) {
      guard let tryMutants = contract.tryMutants else { continue }
      let matrix = await tryMutants(options.scope, options.seed, Self.timeLimit, console.showProgress)
      console.showProgress("")
      if options.output.isTableOnConsole { try console.write(matrix.table + "\n") }
      report.mutants.append(matrix)
    }
    if options.output.isTableOnConsole {
      try console.write(report.sentence)
    } else {
      try options.output.write(report, of: tool, on: console)
    }
    return report.isClean ? 0 : 1
  }

  /// The options, or `nil` when help is asked for.
  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options()
    var reader = OptionReader(words, of: "\(tool.name) mutants")
    while let option = reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--service":
        options.services.append(try reader.value(among: contracts.map(\.name), "service with mutants"))
      case "--all": options.scope = .everyClause
      case "--seed": options.seed = try reader.number()
      default: guard try options.output.take(option, from: &reader) else { throw reader.unknownOption }
      }
    }
    return options
  }

  /// Those that have mutants.
  private var contracts: [RegisteredContract] { tool.contracts.filter { $0.tryMutants != nil } }

  private var usage: String {
    """
    usage: \(tool.name) mutants [--service <name>] … [--all] [--seed <n>]
           [--format table|json|html|junit] [--output <file>]

    Measures how strong the contracts are: tries implementations that are deliberately wrong in one way under the clauses
    that must notice it, and shows which clause kills which.

      --service <name>          Only this service; can be given several times.
                                \(contracts.map(\.name).joined(separator: ", "))
      --all                     Try every mutant under every clause, which also finds one that is wrong throughout. A
                                trial that does not end is given up after ten seconds.
      --seed <n>                What everything random comes from, a whole number from 0; 0 unless said otherwise.
    \(ReportOutput.help)
      --help                    This text.

    In the table, ✓ is a clause that kills a mutant for the reason that the mutant gives, ✗ one that kills none; below are
    the failures: such clauses, and mutants that survive or fail by an accident.
    Exit status: 0 when there is no failure, 1 when there is one, 2 when the arguments cannot be understood or the matrix
    cannot be written.
    """
  }
}
