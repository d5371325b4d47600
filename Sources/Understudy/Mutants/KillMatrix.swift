/// Which mutant is killed by which clause of a contract: how strong the contract is.
///
/// A contract is strong when every clause kills a mutant for the reason that the mutant gives, and every mutant is
/// killed by every clause that it names. ``flaws`` says what is missing.
public struct KillMatrix: Sendable, Hashable, Codable {
  /// How a mutant fared under a clause.
  public enum Verdict: Sendable, Hashable, Codable {
    /// The clause failed for the reason that the mutant gives; the violation in words.
    case killed(String)
    /// The clause failed, and the mutant did not say that it would; the violation in words.
    case alsoKilled(String)
    /// The clause failed, but not for the reason that the mutant gives.
    case killedForAnotherReason(expected: String, found: String)
    /// The clause did not come to a judgement: an error that it did not expect, a stage that could not be set up, a
    /// trial that did not end.
    case accident(String)
    /// The clause held.
    case survived
    /// The clause could not be tried, for this reason.
    case skipped(String)
    /// The right implementation fails the clause itself, so the mutant shows nothing; its violation in words.
    case baseFails(String)
  }

  /// A mutant.
  public struct MutantRow: Sendable, Hashable, Codable {
    /// Its name.
    public let name: String
    /// What is wrong with it.
    public let mistake: String
    /// The clauses that it says must fail.
    public let aims: [String]
  }

  /// A clause, and the mutants that were tried under it.
  public struct ClauseRow: Sendable, Hashable, Codable {
    /// The clause's identifier.
    public let id: String
    /// What it promises.
    public let statement: String
    /// The verdict for each mutant that was tried, in the order of the mutants.
    public var cells: [Cell]

    /// The mutants that it killed for the reason that they give.
    public var kills: [String] {
      cells.compactMap { if case .killed = $0.verdict { $0.mutant } else { nil } }
    }
  }

  /// A mutant under a clause.
  public struct Cell: Sendable, Hashable, Codable {
    /// The mutant's name.
    public let mutant: String
    /// How it fared.
    public let verdict: Verdict
  }

  /// The contract's name.
  public let contract: String
  /// The seed that the trials ran with.
  public let seed: UInt64
  /// The mutants.
  public let mutants: [MutantRow]
  /// The clauses, in the contract's order.
  public let clauses: [ClauseRow]

  /// The clauses that killed a mutant.
  public var killers: Int { clauses.count { !$0.kills.isEmpty } }
}

extension KillMatrix {
  /// What is missing for the contract to be proved strong, a sentence each; empty if nothing is.
  public var flaws: [String] {
    var flaws: [String] = []
    let twice = Dictionary(grouping: mutants, by: \.name).filter { $0.value.count > 1 }.keys.sorted()
    if !twice.isEmpty {
      flaws.append("Several mutants of \(contract) have one name: \(twice.joined(separator: ", ")).")
    }
    let known = Set(clauses.map(\.id))
    for mutant in mutants {
      if mutant.aims.isEmpty { flaws.append("The mutant \(mutant.name) names no clause that must fail.") }
      for clause in mutant.aims where !known.contains(clause) {
        flaws.append(
          "The mutant \(mutant.name) names the clause \(clause), which \(contract) does not have.")
      }
      if twice.isEmpty, isWrongThroughout(mutant) {
        flaws.append(
          """
          The mutant \(mutant.name) fails every clause that it was tried under, so it is broken and not wrong in one \
          way: \(mutant.mistake)
          """)
      }
    }
    for clause in clauses {
      for cell in clause.cells {
        guard let mutant = mutants.first(where: { $0.name == cell.mutant }), mutant.aims.contains(clause.id),
          let flaw = cell.verdict.flaw(of: mutant, under: clause)
        else { continue }
        flaws.append(flaw)
      }
      if clause.kills.isEmpty {
        flaws.append(
          """
          No mutant is killed by \(clause.id): \(clause.statement) Nothing shows that it could fail. Add a mutant that \
          breaks this promise alone.
          """)
      }
    }
    return flaws
  }

  /// A mutant that was tried under all clauses and kept none.
  private func isWrongThroughout(_ mutant: MutantRow) -> Bool {
    let verdicts = clauses.compactMap { clause in
      clause.cells.first { $0.mutant == mutant.name }.map { (clause.id, $0.verdict) }
    }.filter { $0.1.saysSomething }
    let others = verdicts.filter { !mutant.aims.contains($0.0) }
    return !others.isEmpty && verdicts.allSatisfy { $0.1 != .survived }
  }
}

extension KillMatrix.Verdict {
  /// Whether the mutant was tried on a clause that what it is made of keeps.
  fileprivate var saysSomething: Bool {
    switch self {
    case .skipped, .baseFails: false
    default: true
    }
  }

  /// What is wrong with a verdict where the mutant says that the clause must fail.
  fileprivate func flaw(of mutant: KillMatrix.MutantRow, under clause: KillMatrix.ClauseRow) -> String? {
    switch self {
    case .killed: nil
    case .survived:
      "The mutant \(mutant.name) survives \(clause.id). It is wrong: \(mutant.mistake) And the clause holds: \(clause.statement)"
    case .killedForAnotherReason(let expected, let found):
      """
      The mutant \(mutant.name) fails \(clause.id) for another reason than it gives. Expected a violation with \
      "\(expected)", found: \(found)
      """
    case .accident(let message):
      "The mutant \(mutant.name) fails \(clause.id) by an accident, which shows nothing: \(message)"
    case .skipped(let reason):
      "The mutant \(mutant.name) cannot be tried under \(clause.id): \(reason)"
    case .baseFails(let message):
      "The mutant \(mutant.name) shows nothing under \(clause.id), for what it is made of fails there too: \(message)"
    // Only clauses that a mutant does not name get this verdict.
    case .alsoKilled: nil
    }
  }
}
