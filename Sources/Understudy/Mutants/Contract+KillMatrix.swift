/// Which clauses each mutant is tried under.
public enum KillScope: Sendable, Hashable {
  /// Those that it says must fail: quick, and enough to know that the contract is strong.
  case namedClauses
  /// All of them, which also shows a mutant that is broken instead of wrong in one way.
  case everyClause
}

extension Contract {
  /// Tries mutants under the clauses that must notice them.
  ///
  /// - Parameters:
  ///   - mutants: The wrong implementations.
  ///   - scope: Which clauses each is tried under.
  ///   - seed: What everything random comes from.
  ///   - timeLimit: The longest that a trial may take. A mutant may hang under a clause that it does not name.
  ///   - progress: Is told what is tried next, as `clause · mutant`.
  public func killMatrix(
    of mutants: [Mutant<Subject>], under scope: KillScope = .namedClauses, seed: UInt64 = 0,
    timeLimit: Duration = ContractCheck<Subject>.timeLimit, progress: @Sendable (String) -> Void = { _ in }
  ) async -> KillMatrix {
    var rows: [KillMatrix.ClauseRow] = []
    for clause in clauses {
      var row = KillMatrix.ClauseRow(id: clause.id, statement: clause.statement, cells: [])
      // The outcomes of the right implementations, by their names: each is asked once.
      var bases: [String: Outcome] = [:]
      for mutant in mutants {
        let words = mutant.killers.filter { $0.clause == clause.id }.map(\.words)
        guard scope == .everyClause || !words.isEmpty else { continue }
        progress("\(clause.id) · \(mutant.name)")
        let base: Outcome
        if let known = bases[mutant.base.name] {
          base = known
        } else {
          base = await outcome(of: clause, on: mutant.base, seed, timeLimit)
          bases[mutant.base.name] = base
        }
        let verdict: KillMatrix.Verdict
        switch base {
        case .passed:
          verdict = .init(
            of: await outcome(of: clause, on: mutant.implementation, seed, timeLimit), expecting: words)
        case .failed(let violations):
          verdict = .baseFails(violations.map(\.description).joined(separator: " "))
        case .skipped(let reason):
          verdict = .skipped(reason)
        }
        row.cells.append(KillMatrix.Cell(mutant: mutant.name, verdict: verdict))
      }
      rows.append(row)
    }
    return KillMatrix(
      contract: name, seed: seed,
      mutants: mutants.map { mutant in
        KillMatrix.MutantRow(
          name: mutant.name, mistake: mutant.mistake, aims: mutant.killers.map(\.clause))
      }, clauses: rows)
  }

  private func outcome(
    of clause: Clause<Subject>, on implementation: Implementation<Subject>, _ seed: UInt64,
    _ timeLimit: Duration
  ) async -> Outcome {
    await ContractCheck(contract: name, clause: clause, implementation: implementation).outcome(
      seed: seed, timeLimit: timeLimit)
  }
}

extension KillMatrix.Verdict {
  /// What an outcome says of a mutant that gives these words for a clause; none if it does not name the clause.
  init(of outcome: Outcome, expecting words: [String]) {
    switch outcome {
    case .passed: self = .survived
    case .skipped(let reason): self = .skipped(reason)
    case .failed(let violations):
      let judgements = violations.filter { !$0.isAccident }.map(\.description)
      let found = violations.map(\.description).joined(separator: " ")
      guard !judgements.isEmpty else {
        self = .accident(found)
        return
      }
      guard !words.isEmpty else {
        self = .alsoKilled(found)
        return
      }
      if let missing = words.first(where: { words in !judgements.contains { $0.contains(words) } }) {
        self = .killedForAnotherReason(expected: missing, found: found)
      } else {
        self = .killed(judgements.joined(separator: " "))
      }
    }
  }
}
