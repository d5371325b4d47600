extension ConformanceReport {
  /// How an implementation fared under a clause, over all runs that a report knows.
  public enum Verdict: String, Sendable, Hashable {
    /// It kept the promise.
    case passed
    /// It broke the promise.
    case failed
    /// It kept the promise in one run, and broke it in another.
    case flaky
    /// The clause could be tried in no run.
    case skipped

    /// Whether somebody has to look at it.
    public var isFailure: Bool { self == .failed || self == .flaky }
  }
}

extension ConformanceReport.Section {
  /// The implementations that were tried under any clause, each once, in order.
  public var implementations: [String] {
    clauses.flatMap(\.implementations).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }
}

extension ConformanceReport.Row {
  /// The implementations that were tried, each once, in order.
  public var implementations: [String] {
    outcomes.map(\.implementation).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  /// How an implementation fared, or `nil` if it was not tried.
  public func verdict(on implementation: String) -> ConformanceReport.Verdict? {
    let outcomes = outcomes.filter { $0.implementation == implementation }.map(\.outcome)
    guard !outcomes.isEmpty else { return nil }
    // What could not be tried on one machine says nothing against what was tried on another.
    let names = Set(outcomes.map(\.name)).subtracting(["skipped"])
    guard let name = names.first else { return .skipped }
    return names.count > 1 ? .flaky : name == "passed" ? .passed : .failed
  }
}
