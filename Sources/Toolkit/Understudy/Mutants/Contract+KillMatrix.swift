/// The clauses under which each mutant is tested.
public enum KillScope: Sendable, Hashable {
  /// The clauses that the mutant names: fast, and sufficient to show the strength of the contract.
  case namedClauses
  /// All clauses, which also detects a mutant that is broken in general instead of wrong in one way.
  case everyClause
}

extension Contract {
  /// Tests mutants under the clauses that must detect them.
  ///
  /// A clause that no mutant names is tested with mutants that are derived from the base of the first one, until it
  /// notices one; see ``survivors(of:through:equivalents:seed:)``.
  ///
  /// - Parameters:
  ///   - mutants: The wrong implementations.
  ///   - scope: The clauses under which each mutant is tested.
  ///   - seed: The source of all randomness.
  public func killMatrix(
    of mutants: [Mutant<Subject>], under scope: KillScope = .namedClauses, seed: UInt64 = 0
  ) async -> KillMatrix {
    await killMatrix(of: mutants, under: scope, seed: seed) { _ in }
  }

  /// - Parameters:
  ///   - stallLimit: How long a trial may stall. A mutant may hang under a clause that it does not name.
  ///   - progress: Receives the next test as `clause · mutant`.
  package func killMatrix(
    of mutants: [Mutant<Subject>], under scope: KillScope, seed: UInt64,
    stallLimit: Duration = StallMonitor.trialLimit, progress: @Sendable (String) -> Void
  ) async -> KillMatrix {
    var rows: [KillMatrix.ClauseRow] = []
    var derived: [DerivedMutant: [String]] = [:]
    let named = Set(mutants.flatMap { $0.killers.map(\.clause) })
    var derivable: [(mutant: DerivedMutant, clauses: [Int])] = []
    if let base = mutants.first?.base, !named.isSuperset(of: clauses.map(\.id)) {
      // Where a call fails, the clause is about the failure.
      derivable = await derive(from: base, seed, where: { !named.contains($0.id) }).mutants.sorted {
        $0.mutant.change.rank < $1.mutant.change.rank
      }
    }
    for (place, clause) in clauses.enumerated() {
      var row = KillMatrix.ClauseRow(id: clause.id, statement: clause.statement, cells: [])
      // The outcomes of the right implementations by name; each is run once.
      var bases: [String: Outcome] = [:]
      for mutant in mutants {
        let words = mutant.killers.filter { $0.clause == clause.id }.map(\.words)
        guard scope == .everyClause || !words.isEmpty else { continue }
        progress("\(clause.id) · \(mutant.name)")
        let base: Outcome
        if let known = bases[mutant.base.name] {
          base = known
        } else {
          base = await outcome(of: clause, on: mutant.base, seed, stallLimit)
          bases[mutant.base.name] = base
        }
        switch base {
        case .passed:
          let outcome = await outcome(of: clause, on: mutant.implementation, seed, stallLimit)
          row.cells.append(KillMatrix.Cell(mutant: mutant.name, outcome, expecting: words))
        case .failed(let violations):
          let message = violations.map(\.description).joined(separator: " ")
          row.cells.append(KillMatrix.Cell(mutant: mutant.name, status: .baseFails, message: message))
        case .skipped(let reason):
          row.cells.append(KillMatrix.Cell(mutant: mutant.name, status: .skipped, message: reason))
        }
      }
      if !named.contains(clause.id), let base = mutants.first?.base,
        let (mutant, message) = await first(
          of: derivable.filter { $0.clauses.contains(place) }.map(\.mutant), noticedBy: clause, base, seed,
          progress)
      {
        row.cells.append(KillMatrix.Cell(mutant: mutant.name, status: .killed, message: message))
        derived[mutant, default: []].append(clause.id)
      }
      rows.append(row)
    }
    return KillMatrix(
      contract: name, seed: seed,
      mutants: mutants.map { mutant in
        KillMatrix.MutantRow(
          name: mutant.name, mistake: mutant.mistake, aims: mutant.killers.map(\.clause))
      }
        + derived.sorted { $0.key.name < $1.key.name }.map { mutant, clauses in
          KillMatrix.MutantRow(name: mutant.name, mistake: mutant.mistake() + ".", aims: clauses)
        }, clauses: rows)
  }

  /// Returns the first of some derived mutants that fails a clause other than by accident, and the violations in words.
  private func first(
    of mutants: [DerivedMutant], noticedBy clause: Clause<Subject>, _ base: Implementation<Subject>,
    _ seed: UInt64, _ progress: @Sendable (String) -> Void
  ) async -> (DerivedMutant, message: String)? {
    for mutant in mutants {
      progress("\(clause.id) · \(mutant.name)")
      guard case .failed(let violations)? = await outcome(of: mutant, of: base, under: clause, seed).outcome
      else {
        continue
      }
      let results = violations.filter { !$0.isAccident }
      // What follows the first violation may come from the cancellation of the trial.
      if let first = results.first { return (mutant, first.description) }
    }
    return nil
  }

  private func outcome(
    of clause: Clause<Subject>, on implementation: Implementation<Subject>, _ seed: UInt64,
    _ stallLimit: Duration
  ) async -> Outcome {
    await ContractCheck(contract: name, clause: clause, implementation: implementation).outcome(
      seed: seed, stallLimit: stallLimit)
  }
}

extension KillMatrix.Cell {
  /// Creates the result of a mutant that expects these words for a clause; the list is empty if it does not name the
  /// clause.
  fileprivate init(mutant: String, _ outcome: Outcome, expecting words: [String]) {
    switch outcome {
    case .passed: self.init(mutant: mutant, status: .survived)
    case .skipped(let reason): self.init(mutant: mutant, status: .skipped, message: reason)
    case .failed(let violations):
      let results = violations.filter { !$0.isAccident }.map(\.description)
      let found = violations.map(\.description).joined(separator: " ")
      if results.isEmpty {
        self.init(mutant: mutant, status: .accident, message: found)
      } else if words.isEmpty {
        self.init(mutant: mutant, status: .alsoKilled, message: found)
      } else if let missing = words.first(where: { words in !results.contains { $0.contains(words) } }) {
        self.init(mutant: mutant, status: .killedForAnotherReason, message: found, expected: missing)
      } else {
        self.init(mutant: mutant, status: .killed, message: results.joined(separator: " "))
      }
    }
  }
}
