import Understudy
import UnderstudyConsole
import UnderstudyText

/// `mutants`: tries wrong implementations under the contracts, and prints which clause kills which mutant.
struct MutantsCommand {
  let tool: CommandLineTool

  /// How long a trial may stall: correct implementations take at most a second, and mutants that hang should cost
  /// little.
  private static let stallLimit: Duration = .seconds(10)

  private struct Options {
    var services: [String] = []
    var scope = KillScope.namedClauses
    var output = ReportOutput()
    var seed: UInt64 = 0
    var isDerived = false
    var shard = SweepShard.whole
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    guard let options = try parse(words) else {
      try console.write(usage)
      return 0
    }
    if options.isDerived { return try await derive(options, console) }
    var report = UnderstudyReport()
    for contract in contracts where options.services.isEmpty || options.services.contains(contract.name) {
      guard let tryMutants = contract.tryMutants else { continue }
      let matrix = await tryMutants(options.scope, options.seed, Self.stallLimit, console.showProgress)
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

  /// Makes mutants of the right implementations, and prints those that no clause notices.
  private func derive(_ options: Options, _ console: Console) async throws(CommandError) -> Int32 {
    let contracts = tool.contracts.filter { contract in
      contract.deriveMutants != nil
        && (options.services.isEmpty || options.services.contains(contract.name))
    }
    var all = UnderstudyReport()
    var isAnyIntercepted = false
    // At the same time, since each contract waits for its mutants that stall.
    let reports = contracts.map { contract in
      Task { await contract.deriveMutants?(options.seed, options.shard, console.showProgress) }
    }
    defer { for report in reports { report.cancel() } }
    for (contract, report) in zip(contracts, reports) {
      guard let report = await report.value else { continue }
      console.showProgress("")
      guard report.isIntercepted else {
        if options.output.isTableOnConsole {
          try console.write("\(contract.name): no mutant can be derived, because no call is intercepted.\n")
        }
        continue
      }
      isAnyIntercepted = true
      if options.output.isTableOnConsole { try console.write(report.text + "\n") }
      all.derived.append(report)
    }
    guard isAnyIntercepted else {
      try console.write(
        "Nothing was tried: make an implementation with Implementation.double(_:_:_:), which intercepts calls."
      )
      return 1
    }
    if options.output.isTableOnConsole {
      try console.write(all.sentence)
    } else {
      try options.output.write(all, of: tool, on: console)
    }
    return all.isClean ? 0 : 1
  }

  /// Returns the options, or `nil` for help.
  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options()
    var reader = OptionReader(words, of: "\(tool.name) mutants")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--service":
        options.services.append(try reader.value(among: contracts.map(\.name), "service with mutants"))
      case "--all": options.scope = .everyClause
      case "--seed": options.seed = try reader.number()
      case "--derived": options.isDerived = true
      case "--shard":
        let value = try reader.value()
        guard let shard = SweepShard(typed: value) else {
          throw CommandError("--shard requires a number and a count, such as 2/8, found \"\(value)\".")
        }
        options.shard = shard
      default: guard try options.output.take(option, from: &reader) else { throw reader.unknownOption }
      }
    }
    return options
  }

  /// The contracts that have mutants.
  private var contracts: [RegisteredContract] { tool.contracts.filter { $0.tryMutants != nil } }

  private var usage: String {
    """
    usage: \(tool.name) mutants [--service <name>] … [--all] [--seed <n>] [--derived [--shard <k/n>]]
           [--format table|json|html|junit] [--output <file>]

    Measure the strength of the contracts: try mutants, which are deliberately wrong implementations, under the clauses
    that must detect them, and show which clause kills which mutant.

      --service <name>          Try only this service. Can be repeated.
                                \(HelpText.list(contracts.map(\.name)))
      --all                     Try every mutant under every clause, which also detects a mutant that is broken in
                                general. The time limit of a trial is ten seconds.
      --derived                 Make the mutants from the first implementation of each contract instead: each changes
                                one thing that an operation does. Prints those that no clause notices, and what no
                                clause makes the service do.
      --shard <k/n>             Try only the k-th of n parts of the derived mutants, such as 1/4.
      --seed <n>                The seed of everything random, a whole number from 0 (default: 0).
    \(ReportOutput.help)
      --help                    Show this help.

    In the table, ✓ is a clause that kills a mutant for the expected reason, ✗ a clause that kills no mutant. Failures
    follow: such clauses, and mutants that survive or fail for another reason.

    Example: \(tool.name) mutants --derived

    Exit status: 0 without failures, 1 with failures, 2 if the arguments are invalid or the report cannot be written.
    """
  }
}
