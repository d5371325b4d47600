import UnderstudyText

extension UnderstudyReport {
  /// The report as text: the tables of its parts, then the number of results of each kind.
  ///
  /// - Parameter tool: See ``html(tool:)``.
  package func table(tool: String? = nil) -> String {
    var parts = contracts.map(\.table) + agreements.map(\.table)
    parts += sweeps.map { $0.table(tool: tool) } + mutants.map(\.table) + derived.map(\.text)
    if summary.gaps > 0 { parts.append((gaps + missing).map { "✗ \($0.visible)" }.joined(separator: "\n")) }
    return (parts + [sentence]).joined(separator: "\n\n")
  }

  /// The number of results of each kind, in a sentence.
  package var sentence: String {
    let summary = summary
    if isEmpty, summary.failures == 0 { return "Nothing was tested." }
    var parts: [String] = []
    if !contracts.isEmpty {
      parts.append("\(summary.passed) passed, \(summary.failed) failed, \(summary.skipped) skipped")
    }
    if !agreements.isEmpty {
      parts.append(
        "\(Words.count(summary.faults, "injected fault")), \(summary.disagreements) not as expected")
    }
    if !sweeps.isEmpty {
      let scenarios = Set(sweeps.map(\.scenario)).count
      parts.append("\(Words.count(summary.schedules, "schedule")) of \(Words.count(scenarios, "scenario"))")
      parts.append(
        summary.violations == 0 ? "every invariant holds" : Words.count(summary.violations, "violation"))
    }
    if !mutants.isEmpty {
      let killers = mutants.reduce(0) { $0 + $1.killers }
      let clauses = mutants.reduce(0) { $0 + $1.clauses.count }
      parts.append("\(killers) of \(clauses) clauses kill a mutant")
    }
    if !derived.isEmpty {
      let noticed = derived.reduce(0) { $0 + $1.noticed }
      let tried = derived.reduce(0) { $0 + $1.tried }
      parts.append("\(noticed) of \(Words.count(tried, "derived mutant")) noticed")
    }
    if !mutants.isEmpty || !derived.isEmpty {
      parts.append(Words.count(summary.mutantFailures, "failure"))
    }
    if summary.gaps > 0 { parts.append("\(Words.count(summary.gaps, "part")) missing") }
    return parts.joined(separator: "; ") + seed + "."
  }

  /// The seed of contracts and mutants, if all have the same.
  private var seed: String {
    let seeds = Set(contracts.flatMap(\.clauses).flatMap(\.outcomes).map(\.seed) + mutants.map(\.seed))
    guard let seed = seeds.first, seeds.count == 1 else { return "" }
    return " (seed \(seed))"
  }
}

// MARK: - Contracts

extension ContractReport {
  /// A row for each clause and a column for each implementation, followed by violations and reasons.
  package var table: String {
    let implementations = implementations
    let width = clauses.map(\.id.count).max() ?? 0
    var lines = [name.padded(to: width + 4) + implementations.joined(separator: "  ")]
    var notes: [String] = []
    for row in clauses {
      let marks = implementations.map { (row.status(on: $0)?.mark ?? "").padded(to: $0.count) }
      lines.append(
        "  " + row.id.padded(to: width + 2) + marks.joined(separator: "  ") + "  " + row.statement)
      let rowNotes = row.outcomes.flatMap { cell in
        cell.notes(isFlaky: row.status(on: cell.implementation) == .flaky)
      }
      if !rowNotes.isEmpty { notes += ["", "  \(row.id): \(row.statement)"] + rowNotes }
    }
    return (lines.map(\.visible) + notes.map(\.visibleLines)).joined(separator: "\n")
  }
}

extension ContractReport.Cell {
  /// Details that a mark cannot show.
  fileprivate func notes(isFlaky: Bool) -> [String] {
    let notes =
      switch outcome {
      case .passed: [String]()
      case .failed(let violations): violations.map { "    ✗ \(implementation): \($0)" }
      case .skipped(let reason): ["    – \(implementation): skipped, \(reason)"]
      }
    return (isFlaky ? ["    ≠ \(implementation): \(outcome.name) in a run with seed \(seed)"] : []) + notes
  }
}

extension ContractReport.Status {
  fileprivate var mark: String {
    switch self {
    case .passed: "✓"
    case .failed: "✗"
    case .flaky: "≠"
    case .skipped: "–"
    }
  }
}

// MARK: - Agreements

extension AgreementReport {
  /// A row for each fault and a column for each injection point, with differing observations below the fault.
  package var table: String {
    let width = max(5, rows.map(\.fault.count).max() ?? 0)
    var lines = [
      name, "  " + "fault".padded(to: width) + "  " + injectionPoints.joined(separator: "  ") + "  expected",
    ]
    for row in rows {
      let marks = injectionPoints.map { (row.status(at: $0)?.mark ?? "").padded(to: $0.count) }
      lines.append(
        "  " + row.fault.padded(to: width) + "  " + marks.joined(separator: "  ") + "  " + row.expected)
      for cell in row.cells where row.status(at: cell.injectionPoint)?.isFailure == true {
        lines.append("      \(cell.injectionPoint): \(cell.words)")
      }
    }
    return lines.map(\.visible).joined(separator: "\n")
  }
}

extension AgreementReport.Status {
  fileprivate var mark: String {
    switch self {
    case .agrees: "✓"
    case .differs: "✗"
    case .flaky: "≠"
    case .impossible: "·"
    }
  }
}

// MARK: - Sweeps

extension SweepReport {
  /// The number of runs, the invariants that hold, and the smallest schedules that violate the others.
  fileprivate func table(tool: String?) -> String {
    var lines = ["\(scenario): \(statement)", "  " + extent]
    let broken = Set(violations.map(\.invariant))
    lines += invariants.filter { !broken.contains($0) }.map { "  ✓ \($0)" }
    for violation in violations {
      lines += ["  ✗ \(violation.invariant): \(violation.message)", "      under \(violation.schedule)"]
      if !violation.others.isEmpty {
        lines.append("      and under \(Words.list(violation.others.map(\.description)))")
      }
      if !violation.timeline.isEmpty { lines.append("    " + Self.shown(violation.timeline)) }
      lines.append("      \(swift(for: violation))")
      if let tool { lines.append("      \(tool) \(command(for: violation))") }
    }
    return lines.map(\.visible).joined(separator: "\n")
  }

  /// The number of runs.
  var extent: String {
    var words =
      "\(pointWords(withoutEvents: false)), seed \(seed): \(counts.withoutFault) without a fault, "
      + "\(counts.single) with one, \(counts.pair) of \(pairCount) with two, "
      + "\(counts.interrupted) with an interruption, \(counts.combined) combined\(gap)"
    if shards != [.whole] { words += "; shard \(shards.map(\.description).joined(separator: ", "))" }
    return words
  }

  /// The states that the screens showed, on one line.
  package static func shown(_ timeline: [String]) -> String {
    "  shown: " + (timeline.isEmpty ? "nothing" : timeline.map(\.visible).joined(separator: " → "))
  }
}

// MARK: - Mutants

extension KillMatrix {
  /// A row for each clause with the mutants that it kills, followed by the failures.
  package var table: String {
    let width = clauses.map(\.id.count).max() ?? 0
    var lines = ["\(contract): \(killers) of \(clauses.count) clauses kill a mutant, of \(mutants.count)"]
    for clause in clauses {
      let mark = clause.kills.isEmpty ? "✗" : "✓"
      lines.append("  \(mark) \(clause.id.padded(to: width))  \(clause.kills.joined(separator: ", "))")
    }
    return (lines.map(\.visible) + failures.map { "    ✗ \($0.visibleLines)" }).joined(separator: "\n")
  }
}

// MARK: - Text

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The text with invisible characters escaped, for a terminal.
  fileprivate var visibleLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }.joined(
      separator: "\n")
  }
}
