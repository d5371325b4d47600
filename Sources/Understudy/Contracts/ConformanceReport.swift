/// How implementations fared under contracts: every clause, every outcome, nothing left out.
public struct ConformanceReport: Sendable, Hashable {
  /// What was tried, one section for each contract.
  public var contracts: [Section]
  /// The seed that the trials ran with; the same seed gives the same trials.
  public var seed: UInt64

  /// One contract's part of a report.
  public struct Section: Sendable, Hashable, Codable {
    /// The name of the contract.
    public let name: String
    /// Its clauses, in the contract's order.
    public var clauses: [Row]

    /// A part of these clauses.
    public init(name: String, clauses: [Row]) {
      self.name = name
      self.clauses = clauses
    }
  }

  /// One clause's part of a report.
  public struct Row: Sendable, Hashable, Codable {
    /// The clause's identifier.
    public let id: String
    /// What it promises.
    public let statement: String
    /// How binding it is.
    public let level: ClauseLevel
    /// The file it is written in, as `Module/File.swift`.
    public let fileID: String
    /// The line it begins at, from 1.
    public let line: Int
    /// The outcome for each implementation, in the order in which they were named.
    ///
    /// One run has one for each. Where several runs are joined, an implementation has one for each way in which it
    /// fared.
    public var outcomes: [Cell]

    /// A part of these outcomes.
    public init(
      id: String, statement: String, level: ClauseLevel, fileID: String, line: Int, outcomes: [Cell]
    ) {
      self.id = id
      self.statement = statement
      self.level = level
      self.fileID = fileID
      self.line = line
      self.outcomes = outcomes
    }
  }

  /// One implementation's outcome under one clause.
  public struct Cell: Sendable, Hashable {
    /// The name of the implementation.
    public let implementation: String
    /// How it fared.
    public let outcome: Outcome
    /// The seed that the trial ran with.
    public let seed: UInt64

    /// An outcome of a run with a seed.
    public init(implementation: String, outcome: Outcome, seed: UInt64) {
      self.implementation = implementation
      self.outcome = outcome
      self.seed = seed
    }
  }

  /// How often each kind of outcome occurs.
  public struct Summary: Sendable, Hashable, Encodable {
    /// Clauses kept, counted for each implementation.
    public var passed = 0
    /// Clauses broken, or not kept in every run.
    public var failed = 0
    /// Clauses that could not be tried.
    public var skipped = 0
  }

  /// A report of these sections.
  public init(contracts: [Section], seed: UInt64) {
    self.contracts = contracts
    self.seed = seed
  }

  /// The number of outcomes of each kind.
  public var summary: Summary {
    var summary = Summary()
    for row in contracts.flatMap(\.clauses) {
      for implementation in row.implementations {
        switch row.verdict(on: implementation) {
        case .passed: summary.passed += 1
        case .failed, .flaky: summary.failed += 1
        case .skipped: summary.skipped += 1
        case nil: break
        }
      }
    }
    return summary
  }
}

extension Contract {
  /// Tries every clause against each implementation, one after another.
  ///
  /// - Parameters:
  ///   - implementations: What is tried.
  ///   - seed: What everything random comes from.
  ///   - progress: Is told of each outcome as it is there.
  public func report(
    on implementations: [Implementation<Subject>], seed: UInt64 = 0,
    progress: @Sendable (ContractCheck<Subject>, Outcome) -> Void = { _, _ in }
  ) async -> ConformanceReport.Section {
    var rows: [ConformanceReport.Row] = []
    for check in checks(ofAll: implementations) {
      let outcome = await check.outcome(seed: seed)
      progress(check, outcome)
      let cell = ConformanceReport.Cell(
        implementation: check.implementation.name, outcome: outcome, seed: seed)
      if rows.last?.id == check.clause.id {
        rows[rows.count - 1].outcomes.append(cell)
      } else {
        rows.append(
          ConformanceReport.Row(
            id: check.clause.id, statement: check.clause.statement, level: check.clause.level,
            fileID: check.clause.fileID, line: check.clause.line, outcomes: [cell]))
      }
    }
    return ConformanceReport.Section(name: name, clauses: rows)
  }
}
