import UnderstudyContracts
import UnderstudyDoubles

extension Report {
  /// The report as text: the matrices one after another, then how often each kind of outcome occurs.
  public var table: String {
    var parts: [String] = []
    if !contracts.isEmpty { parts += contracts.map(\.table) }
    parts += agreements.map(\.table) + sweeps.map(\.table) + mutants.map(\.table)
    if !gaps.isEmpty { parts.append(gaps.map { "✗ \($0)" }.joined(separator: "\n")) }
    return (parts + [sentence]).joined(separator: "\n\n")
  }

  /// How often each kind of outcome occurs, in a sentence.
  public var sentence: String {
    let summary = summary
    var parts: [String] = []
    if !contracts.isEmpty {
      parts.append("\(summary.passed) passed, \(summary.failed) failed, \(summary.skipped) skipped")
    }
    if !agreements.isEmpty {
      parts.append("\(Amount.of(summary.faults, "fault")) put in, \(summary.disagreements) not as expected")
    }
    if !sweeps.isEmpty {
      parts.append(
        "\(Amount.of(summary.schedules, "schedule")), \(Amount.of(summary.violations, "violation"))")
    }
    if !mutants.isEmpty {
      parts.append("\(Amount.of(summary.mutants, "mutant")), \(Amount.of(summary.flaws, "flaw"))")
    }
    if summary.gaps > 0 { parts.append("\(Amount.of(summary.gaps, "part")) missing") }
    return (parts.isEmpty ? "Nothing was tried" : parts.joined(separator: "; ")) + "."
  }
}

extension SweepReport {
  /// What was tried, and what went wrong with it, in lines.
  fileprivate var table: String {
    var lines = [
      "\(scenario): \(Amount.of(counts.total, "schedule")), \(Amount.of(violations.count, "violation")) (seed \(seed))"
    ]
    if let missing { lines.append("  ✗ \(missing)") }
    for violation in violations {
      lines += [
        "  ✗ \(violation.invariant) under \(violation.schedule)", "    \(violation.message)",
        "    \(violation.swift)",
      ]
    }
    return lines.joined(separator: "\n")
  }
}
