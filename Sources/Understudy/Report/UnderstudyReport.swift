/// The results of tests: contracts, mutants, sweeps and fault agreements.
///
/// ```swift
/// let contract = await Contract.todoService.report(on: [.inMemory, .live])
/// UnderstudyReport(contracts: [contract]).attach(named: "todos")
/// ```
///
/// Its JSON is what `UNDERSTUDY_REPORT` collects, a report a line, and what `report merge` reads and writes. The same
/// report is written as text, as a page of HTML and as JUnit XML.
public struct UnderstudyReport: Sendable, Hashable {
  /// The outcome of each clause for each implementation.
  package var contracts: [ContractReport]
  /// What each fault looks like at each injectionPoint.
  package var agreements: [AgreementReport]
  /// Scenarios that were run under faults.
  package var sweeps: [SweepReport]
  /// How strong contracts are: which clauses kill which mutants.
  package var mutants: [KillMatrix]
  /// The lines of merged files that could not be read, a sentence each.
  ///
  /// They count as failures, because their content is not known.
  package var gaps: [String]

  /// Whether it is one shard of a run, so that other shards are not missing in it.
  ///
  /// It is not part of the JSON: merged shards must be complete.
  package var isShard = false

  /// A report of these parts.
  public init(contracts: [ContractReport] = [], sweeps: [SweepReport] = [], mutants: [KillMatrix] = []) {
    self.init(contracts: contracts, agreements: [], sweeps: sweeps, mutants: mutants)
  }

  package init(
    contracts: [ContractReport] = [], agreements: [AgreementReport], sweeps: [SweepReport] = [],
    mutants: [KillMatrix] = [], gaps: [String] = []
  ) {
    self.contracts = contracts
    self.agreements = agreements
    self.sweeps = sweeps
    self.mutants = mutants
    self.gaps = gaps
  }

  /// Whether nothing was tested, even if contracts or scenarios are named.
  package var isEmpty: Bool {
    let summary = summary
    return [
      summary.passed, summary.failed, summary.skipped, summary.faults, summary.schedules, summary.mutants,
    ].allSatisfy { $0 == 0 }
  }

  /// Whether it has no failure, and nothing is missing.
  package var isClean: Bool { summary.failures == 0 }

  /// The number of results of each kind.
  package var summary: Summary { Summary(self) }

  /// The sweeps that lack shards, a sentence each.
  var missing: [String] { isShard ? [] : sweeps.compactMap(\.missing) }

  /// The number of results of each kind.
  package struct Summary: Sendable, Hashable, Encodable {
    /// Clauses kept, counted for each implementation.
    package let passed: Int
    /// Clauses broken, or not kept in every run.
    package let failed: Int
    /// Clauses that could not be tested.
    package let skipped: Int
    /// Injected faults, counted for each injectionPoint.
    package let faults: Int
    /// Faults that look different from what is expected, counted for each injectionPoint, and faults without a row.
    package let disagreements: Int
    /// Schedules of faults under which a scenario was run.
    package let schedules: Int
    /// Invariants that did not hold, once for each smallest schedule.
    package let violations: Int
    /// Mutants tested.
    package let mutants: Int
    /// What is missing for contracts to be strong.
    package let mutantFailures: Int
    /// Lines that could not be read, and sweeps that lack shards.
    package let gaps: Int
    /// All failures together.
    package let failures: Int

    init(_ report: UnderstudyReport) {
      func count(_ status: ContractReport.Status) -> Int {
        report.contracts.reduce(0) { $0 + $1.count(status) }
      }
      passed = count(.passed)
      failed = count(.failed) + count(.flaky)
      skipped = count(.skipped)
      faults = report.agreements.reduce(0) { $0 + $1.places }
      disagreements = report.agreements.reduce(0) { $0 + $1.disagreements + $1.missing.count }
      schedules = report.sweeps.reduce(0) { $0 + $1.counts.total }
      violations = report.sweeps.reduce(0) { $0 + $1.violations.count }
      mutants = report.mutants.reduce(0) { $0 + $1.mutants.count }
      mutantFailures = report.mutants.reduce(0) { $0 + $1.failures.count }
      gaps = report.gaps.count + report.missing.count
      failures = failed + disagreements + violations + mutantFailures + gaps
    }
  }
}

extension SweepReport {
  /// The missing shards, in a sentence; `nil` if there are none.
  var missing: String? {
    guard !missingShards.isEmpty else { return nil }
    return
      "The sweep of \(scenario) is incomplete. Missing: \(Words.list(missingShards.map { "shard \($0)" }))."
  }
}

/// The commands that repeat parts of a report.
struct RerunCommands {
  /// The command-line tool that has the contracts; `nil` where only tests have them.
  let tool: String?

  /// Runs a clause on every implementation: with the tool, and in the tests.
  func commands(forClause clause: String, of contract: String, seed: UInt64) -> [String] {
    let test = "UNDERSTUDY_CLAUSE=\(Words.shell(clause)) UNDERSTUDY_SEED=\(seed) swift test"
    return command(["verify", "--service", contract, "--clause", clause, "--seed", "\(seed)"]) + [test]
  }

  /// Injects each fault into a call.
  func commands(forFaultsOf call: String) -> [String] { command(["faults", "--call", call]) }

  /// Runs the schedule of a violation.
  func commands(for violation: SweepReport.Violation, of sweep: SweepReport) -> [String] {
    tool.map { ["swift run \(Words.shell($0)) \(sweep.command(for: violation))"] } ?? []
  }

  private func command(_ words: [String]) -> [String] {
    tool.map { ["swift run " + ([$0] + words).map(Words.shell).joined(separator: " ")] } ?? []
  }
}
