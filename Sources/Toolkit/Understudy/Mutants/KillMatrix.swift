/// The clauses of a contract that kill each mutant, as a measure of the contract's strength.
///
/// A contract is strong if every clause kills a mutant for the mutant's stated reason, and every mutant is killed by
/// every clause that it names. `failures` lists the exceptions.
public struct KillMatrix: Sendable, Hashable, Codable {
  /// The result of a mutant under a clause.
  package enum Status: String, Sendable, Hashable, Codable {
    /// The clause failed for the mutant's stated reason.
    case killed
    /// The clause failed, but the mutant does not name it.
    case alsoKilled
    /// The clause failed, but not for the mutant's stated reason.
    case killedForAnotherReason
    /// The clause ended without a result: see `Violation.isAccident`.
    case accident
    /// The clause passed.
    case survived
    /// The clause could not be tested.
    case skipped
    /// The right implementation itself fails the clause, so the mutant proves nothing.
    case baseFails
  }

  /// A mutant.
  package struct MutantRow: Sendable, Hashable, Codable {
    /// Its name.
    package let name: String
    /// The mistake, in one sentence.
    package let mistake: String
    /// The clauses that must fail.
    package let aims: [String]
  }

  /// A clause, and the mutants that were tested under it.
  package struct ClauseRow: Sendable, Hashable, Codable {
    /// The clause's identifier.
    package let id: String
    /// The requirement in one sentence.
    package let statement: String
    /// The result of each mutant that was tested, in the order of the mutants.
    package internal(set) var cells: [Cell]

    /// The mutants that the clause killed for their stated reason.
    package var kills: [String] { cells.filter { $0.status == .killed }.map(\.mutant) }
  }

  /// The result of a mutant under a clause.
  package struct Cell: Sendable, Hashable, Codable {
    /// The mutant's name.
    package let mutant: String
    /// Its result.
    package let status: Status
    /// The violations in words, or the reason why the clause was skipped; empty if the mutant survived.
    package let message: String
    /// The words of the mutant's stated reason, if no violation contains them.
    package let expected: String?

    init(mutant: String, status: Status, message: String = "", expected: String? = nil) {
      self.mutant = mutant
      self.status = status
      self.message = message
      self.expected = expected
    }
  }

  /// The contract's name.
  package let contract: String
  /// The seed of the trials.
  package let seed: UInt64
  /// The mutants.
  package let mutants: [MutantRow]
  /// The clauses, in the contract's order.
  package let clauses: [ClauseRow]

  /// The number of clauses that killed a mutant.
  package var killers: Int { clauses.count { !$0.kills.isEmpty } }
}

extension KillMatrix {
  /// What the contract lacks to be strong, one sentence each; empty if nothing is missing.
  package var failures: [String] {
    var failures: [String] = []
    let twice = Dictionary(grouping: mutants, by: \.name).filter { $0.value.count > 1 }.keys.sorted()
    if !twice.isEmpty {
      failures.append("Several mutants of \(contract) have the same name: \(twice.joined(separator: ", ")).")
    }
    let known = Set(clauses.map(\.id))
    for mutant in mutants {
      if mutant.aims.isEmpty {
        failures.append("The mutant \(mutant.name) names no clause that must fail.")
      }
      for clause in mutant.aims where !known.contains(clause) {
        failures.append(
          "The mutant \(mutant.name) names the clause \(clause), which \(contract) does not have.")
      }
      if twice.isEmpty, failsThroughout(mutant) {
        failures.append(
          """
          The mutant \(mutant.name) fails every clause that was tried on it. Let it make only this mistake: \(mutant.mistake)
          """)
      }
    }
    for clause in clauses {
      for cell in clause.cells {
        guard let mutant = mutants.first(where: { $0.name == cell.mutant }), mutant.aims.contains(clause.id),
          let failure = cell.failure(of: mutant, under: clause)
        else { continue }
        failures.append(failure)
      }
      if clause.kills.isEmpty {
        failures.append(
          """
          No mutant is killed by \(clause.id): \(clause.statement) Nothing shows that it could fail. Add a mutant that \
          breaks this promise alone.
          """)
      }
    }
    return failures
  }

  /// Whether a mutant that was also tested under clauses that it does not name passed none of its clauses.
  private func failsThroughout(_ mutant: MutantRow) -> Bool {
    let results = clauses.compactMap { clause in
      clause.cells.first { $0.mutant == mutant.name }.map { (clause.id, $0.status) }
    }.filter { $0.1 != .skipped && $0.1 != .baseFails }
    let others = results.filter { !mutant.aims.contains($0.0) }
    return !others.isEmpty && results.allSatisfy { $0.1 != .survived }
  }
}

extension KillMatrix.Cell {
  /// The failure of a mutant under a clause that it names, if any.
  fileprivate func failure(of mutant: KillMatrix.MutantRow, under clause: KillMatrix.ClauseRow) -> String? {
    switch status {
    case .killed: nil
    case .survived:
      """
      The mutant \(mutant.name) survives \(clause.id). Its mistake: \(mutant.mistake) The clause that holds: \
      \(clause.statement)
      """
    case .killedForAnotherReason:
      """
      The mutant \(mutant.name) fails \(clause.id) for another reason than it gives. Expected a violation with \
      "\(expected ?? "")", found: \(message)
      """
    case .accident:
      "The mutant \(mutant.name) fails \(clause.id) by an unexpected error, which proves nothing: \(message)"
    case .skipped:
      "The mutant \(mutant.name) cannot be tested under \(clause.id): \(message)"
    case .baseFails:
      """
      The mutant \(mutant.name) proves nothing under \(clause.id), because the implementation that it is made of fails \
      there too: \(message)
      """
    // Only clauses that a mutant does not name have this status.
    case .alsoKilled: nil
    }
  }
}
