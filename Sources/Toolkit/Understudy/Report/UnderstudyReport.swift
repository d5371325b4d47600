import UnderstudyText

/// The results of tests: contracts, mutants, sweeps and fault agreements.
///
/// ```swift
/// let contract = await Contract.todoService.report(on: [.inMemory, .live])
/// UnderstudyReport(contracts: [contract]).attach(named: "todos")
/// ```
///
/// `UNDERSTUDY_REPORT` collects reports as JSON, one on each line, and `report merge` reads and writes the same JSON. A
/// report can also be written as text, as an HTML page and as JUnit XML.
package struct UnderstudyReport: Sendable, Hashable {
  /// The outcome of each clause for each implementation.
  package var contracts: [ContractReport]
  /// The observation of each fault at each injection point.
  package var agreements: [AgreementReport]
  /// The scenarios that were run under faults.
  package var sweeps: [SweepReport]
  /// The clauses that kill each mutant, as a measure of the strength of the contracts.
  package var mutants: [KillMatrix]
  /// The mutants that were derived from implementations, and what was not tried.
  package var derived: [DerivedMutantReport]
  /// The lines of merged files that could not be read, one sentence each.
  ///
  /// They count as failures because their content is unknown.
  package var gaps: [String]

  /// Whether the report is one shard of a run, so that the other shards do not count as missing.
  ///
  /// It is not part of the JSON: merged shards must be complete.
  package var isShard = false

  /// Creates a report from its parts.
  package init(
    contracts: [ContractReport] = [], sweeps: [SweepReport] = [], mutants: [KillMatrix] = [],
    derived: [DerivedMutantReport] = []
  ) {
    self.init(contracts: contracts, agreements: [], sweeps: sweeps, mutants: mutants, derived: derived)
  }

  package init(
    contracts: [ContractReport] = [], agreements: [AgreementReport], sweeps: [SweepReport] = [],
    mutants: [KillMatrix] = [], derived: [DerivedMutantReport] = [], gaps: [String] = []
  ) {
    self.contracts = contracts
    self.agreements = agreements
    self.sweeps = sweeps
    self.mutants = mutants
    self.derived = derived
    self.gaps = gaps
  }

  /// Whether nothing was tested, even if contracts or scenarios are listed.
  package var isEmpty: Bool {
    let summary = summary
    return [
      summary.passed, summary.failed, summary.skipped, summary.faults, summary.schedules, summary.mutants,
    ].allSatisfy { $0 == 0 }
  }

  /// Whether the report has no failure and nothing is missing.
  package var isClean: Bool { summary.failures == 0 }

  /// The number of results of each kind.
  package var summary: Summary { Summary(self) }

  /// The sweeps with missing shards, one sentence each.
  var missing: [String] { isShard ? [] : sweeps.compactMap(\.missing) }

  /// The number of results of each kind.
  package struct Summary: Sendable, Hashable, Encodable {
    /// Clauses that passed, counted for each implementation.
    package let passed: Int
    /// Clauses that failed or are flaky.
    package let failed: Int
    /// Clauses that could not be tested.
    package let skipped: Int
    /// Injected faults, counted for each injection point.
    package let faults: Int
    /// Observations that differ from the expected ones, counted for each injection point, and faults missing from the
    /// table.
    package let disagreements: Int
    /// Fault schedules under which a scenario was run.
    package let schedules: Int
    /// Invariants that were violated, counted for each smallest schedule.
    package let violations: Int
    /// Mutants that were tested.
    package let mutants: Int
    /// Failures of the kill matrices, and of derived mutants.
    package let mutantFailures: Int
    /// Lines that could not be read, and sweeps with missing shards.
    package let gaps: Int
    /// The total number of failures.
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
      mutants =
        report.mutants.reduce(0) { $0 + $1.mutants.count } + report.derived.reduce(0) { $0 + $1.tried }
      mutantFailures =
        report.mutants.reduce(0) { $0 + $1.failures.count }
        + report.derived.reduce(0) { $0 + $1.failures.count }
      gaps = report.gaps.count + report.missing.count
      failures = failed + disagreements + violations + mutantFailures + gaps
    }
  }
}

extension SweepReport {
  /// The missing shards in a sentence; `nil` if the sweep is complete.
  var missing: String? {
    guard !missingShards.isEmpty else { return nil }
    return
      "The sweep of \(scenario) is incomplete. Missing: \(Words.list(missingShards.map { "shard \($0)" }))."
  }
}

/// The commands that reproduce parts of a report.
struct RerunCommands {
  /// The command-line tool with the contracts; `nil` if only tests have them.
  let tool: String?

  /// Runs a clause for every implementation: with the tool, and in the tests.
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
