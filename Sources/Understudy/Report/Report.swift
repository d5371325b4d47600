
/// What was tried and how it went: all that a page, a CI system or another run has to know.
///
/// ```swift
/// var report = Report(conformance)
/// try report.merge(Report(parsing: Data(contentsOf: shard), named: "shard-2.jsonl"))
/// try Data(report.html(tool: "todos").utf8).write(to: page)
/// ```
public struct Report: Sendable, Hashable {
  /// Contracts, with the outcome of each clause for each implementation.
  public var contracts: [ConformanceReport.Section]
  /// What was seen of each fault at each seam.
  public var agreements: [AgreementReport]
  /// Scenarios that were run under faults.
  public var sweeps: [SweepReport]
  /// How strong contracts are: which clauses kill which mutants.
  public var mutants: [KillMatrix]
  /// What could not be read of the files that this was joined from, a sentence each.
  ///
  /// A report with gaps is a failed one, for nobody knows what they hold.
  public var gaps: [String]

  /// Whether it is one shard of a run, so that other shards are not missing in it.
  ///
  /// It is not written with the report: where shards are joined, all have to be there.
  public var isShard = false

  /// A report of these parts.
  public init(
    contracts: [ConformanceReport.Section] = [], agreements: [AgreementReport] = [],
    sweeps: [SweepReport] = [], mutants: [KillMatrix] = [], gaps: [String] = []
  ) {
    self.contracts = contracts
    self.agreements = agreements
    self.sweeps = sweeps
    self.mutants = mutants
    self.gaps = gaps
  }

  /// A report of contracts alone.
  public init(_ conformance: ConformanceReport) {
    self.init(contracts: conformance.contracts)
  }

  /// Whether nothing was tried, even if there are names of what could have been.
  public var isEmpty: Bool {
    let summary = summary
    return [
      summary.passed, summary.failed, summary.skipped, summary.faults, summary.schedules, summary.mutants,
    ].allSatisfy { $0 == 0 }
  }

  /// The number of outcomes of each kind.
  public var summary: Summary { Summary(self) }

  /// Of which sweeps shards are missing, a sentence each.
  var missing: [String] { isShard ? [] : sweeps.compactMap(\.missing) }

  /// Whether everything held, and nothing is missing.
  public var isClean: Bool { summary.failures == 0 }

  /// How often each kind of outcome occurs.
  public struct Summary: Sendable, Hashable, Encodable {
    /// Clauses kept, counted for each implementation.
    public let passed: Int
    /// Clauses broken, or not kept in every run.
    public let failed: Int
    /// Clauses that could not be tried.
    public let skipped: Int
    /// Faults put in, counted for each seam.
    public let faults: Int
    /// Faults of which something else was seen than was expected, counted for each seam, and those without a row.
    public let disagreements: Int
    /// Schedules of faults under which a scenario was run.
    public let schedules: Int
    /// Invariants that did not hold, once for each smallest schedule.
    public let violations: Int
    /// Mutants tried.
    public let mutants: Int
    /// What is missing for a contract to be proved strong.
    public let flaws: Int
    /// What could not be read, and sweeps of which shards are missing.
    public let gaps: Int

    /// Everything that somebody has to look at.
    public var failures: Int { failed + disagreements + violations + flaws + gaps }

    init(_ report: Report) {
      let conformance = ConformanceReport(contracts: report.contracts, seed: 0).summary
      passed = conformance.passed
      failed = conformance.failed
      skipped = conformance.skipped
      faults = report.agreements.reduce(0) { $0 + $1.places }
      disagreements = report.agreements.reduce(0) { $0 + $1.disagreements + $1.missing.count }
      schedules = report.sweeps.reduce(0) { $0 + $1.counts.total }
      violations = report.sweeps.reduce(0) { $0 + $1.violations.count }
      mutants = report.mutants.reduce(0) { $0 + $1.mutants.count }
      flaws = report.mutants.reduce(0) { $0 + $1.flaws.count }
      gaps = report.gaps.count + report.missing.count
    }
  }
}
