
extension KillMatrix {
  /// The matrix as text: each clause with the mutants that it kills, then what is missing.
  public var table: String {
    let width = clauses.map(\.id.count).max() ?? 0
    var lines = ["\(contract): \(killers) of \(clauses.count) clauses kill a mutant, of \(mutants.count)"]
    for clause in clauses {
      let padding = String(repeating: " ", count: width - clause.id.count)
      lines.append(
        "  \(clause.kills.isEmpty ? "✗" : "✓") \(clause.id)\(padding)  \(clause.kills.joined(separator: ", "))"
      )
    }
    return (lines.map(\.visible) + flaws.map { "    ✗ \($0.visibleLines)" }).joined(separator: "\n")
  }
}
