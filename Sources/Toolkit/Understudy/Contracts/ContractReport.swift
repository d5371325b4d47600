/// The outcome of each clause of a contract for each implementation that was tested.
package struct ContractReport: Sendable, Hashable, Codable {
  /// The name of the contract.
  package let name: String
  /// Its clauses, in the contract's order.
  package var clauses: [Row]

  /// One clause.
  package struct Row: Sendable, Hashable, Codable {
    /// The clause's identifier.
    package let id: String
    /// The requirement in one sentence.
    package let statement: String
    /// The file that declares it, as `Module/File.swift`.
    package let fileID: String
    /// The line of its declaration, starting at 1.
    package let line: Int
    /// The outcome for each implementation, in the order of the implementations.
    ///
    /// A single run has one for each. Merged runs have one for each different outcome of an implementation.
    package var outcomes: [Cell]

    package init(
      id: String, statement: String, fileID: String, line: Int, outcomes: [Cell]
    ) {
      self.id = id
      self.statement = statement
      self.fileID = fileID
      self.line = line
      self.outcomes = outcomes
    }
  }

  /// The outcome of one implementation for one clause.
  package struct Cell: Sendable, Hashable, Codable {
    /// The name of the implementation.
    package let implementation: String
    /// The outcome of the clause.
    package let outcome: Outcome
    /// The seed of the trial.
    package let seed: UInt64

    package init(implementation: String, outcome: Outcome, seed: UInt64) {
      self.implementation = implementation
      self.outcome = outcome
      self.seed = seed
    }
  }

  /// The result of an implementation for a clause, over all runs in a report.
  package enum Status: String, Sendable, Hashable {
    /// The implementation satisfied the clause.
    case passed
    /// The implementation violated the clause.
    case failed
    /// The implementation satisfied the clause in one run and violated it in another.
    case flaky
    /// The clause could not be tested in any run.
    case skipped

    /// Whether the status counts as a failure.
    package var isFailure: Bool { self == .failed || self == .flaky }
  }

  package init(name: String, clauses: [Row]) {
    self.name = name
    self.clauses = clauses
  }

  /// The report of a single check.
  package init<Subject>(_ check: ContractCheck<Subject>, _ outcome: Outcome, seed: UInt64) {
    self.init(name: check.contract, clauses: [])
    append(outcome, of: check, seed: seed)
  }

  fileprivate mutating func append<Subject>(
    _ outcome: Outcome, of check: ContractCheck<Subject>, seed: UInt64
  ) {
    let clause = check.clause
    if clauses.last?.id != clause.id {
      clauses.append(
        Row(
          id: clause.id, statement: clause.statement, fileID: clause.fileID,
          line: clause.line, outcomes: []))
    }
    clauses[clauses.count - 1].outcomes.append(
      Cell(implementation: check.implementation.name, outcome: outcome, seed: seed))
  }

  /// The implementations that were tested under any clause, each once, in order.
  package var implementations: [String] { clauses.flatMap(\.implementations).unique }

  /// The clauses that no implementation could be tested under.
  package var untested: [String] {
    clauses.filter { row in row.implementations.allSatisfy { row.status(on: $0) == .skipped } }.map(\.id)
  }

  /// The number of results with a status, counted for each clause and implementation.
  package func count(_ status: Status) -> Int {
    clauses.reduce(0) { sum, row in sum + row.implementations.count { row.status(on: $0) == status } }
  }
}

extension ContractReport.Row {
  /// The implementations that were tested, each once, in order.
  package var implementations: [String] { outcomes.map(\.implementation).unique }

  /// An implementation's result, or `nil` if it was not tested.
  package func status(on implementation: String) -> ContractReport.Status? {
    let outcomes = outcomes.filter { $0.implementation == implementation }.map(\.outcome)
    guard !outcomes.isEmpty else { return nil }
    // A clause that could not be tested on one machine does not contradict a result from another.
    let names = Set(outcomes.map(\.name)).subtracting(["skipped"])
    guard let name = names.first else { return .skipped }
    return names.count > 1 ? .flaky : name == "passed" ? .passed : .failed
  }
}

extension [String] {
  /// The elements, each once, in order.
  fileprivate var unique: [String] {
    reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }
}

extension Contract {
  /// Checks each clause for each implementation, one after another.
  ///
  /// - Parameters:
  ///   - implementations: The implementations to check.
  ///   - seed: The source of all randomness.
  ///   - progress: Receives each outcome as soon as it is known.
  package func report(
    on implementations: [Implementation<Subject>], seed: UInt64 = 0,
    progress: @Sendable (ContractCheck<Subject>, Outcome) -> Void = { _, _ in }
  ) async -> ContractReport {
    var report = ContractReport(name: name, clauses: [])
    for check in checks(ofAll: implementations) {
      let outcome = await check.outcome(seed: seed)
      progress(check, outcome)
      report.append(outcome, of: check, seed: seed)
    }
    return report
  }
}
