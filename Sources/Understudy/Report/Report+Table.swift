
extension Report {
  /// The report as text: the matrices one after another, then how often each kind of outcome occurs.
  ///
  /// - Parameter tool: As for ``html(tool:)``.
  public func table(tool: String? = nil) -> String {
    var parts: [String] = []
    if !contracts.isEmpty { parts += contracts.map(\.table) }
    parts += agreements.map(\.table) + sweeps.map { $0.table(tool: tool) } + mutants.map(\.table)
    if summary.gaps > 0 { parts.append((gaps + missing).map { "✗ \($0.visible)" }.joined(separator: "\n")) }
    return (parts + [sentence]).joined(separator: "\n\n")
  }

  /// How often each kind of outcome occurs, in a sentence.
  public var sentence: String {
    let summary = summary
    if isEmpty, summary.failures == 0 { return "Nothing was tried." }
    var parts: [String] = []
    if !contracts.isEmpty {
      parts.append("\(summary.passed) passed, \(summary.failed) failed, \(summary.skipped) skipped")
    }
    if !agreements.isEmpty {
      parts.append("\(Words.count(summary.faults, "fault")) put in, \(summary.disagreements) not as expected")
    }
    if !sweeps.isEmpty {
      parts.append(
        "\(Words.count(summary.schedules, "schedule")) of \(Words.count(Set(sweeps.map(\.scenario)).count, "scenario"))"
      )
      parts.append(
        summary.violations == 0 ? "every invariant holds" : Words.count(summary.violations, "violation"))
    }
    if !mutants.isEmpty {
      parts.append("\(Words.count(summary.mutants, "mutant")), \(Words.count(summary.flaws, "flaw"))")
    }
    if summary.gaps > 0 { parts.append("\(Words.count(summary.gaps, "part")) missing") }
    return parts.joined(separator: "; ") + "."
  }
}
