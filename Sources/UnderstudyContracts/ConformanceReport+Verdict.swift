extension ConformanceReport {
  /// How an implementation fared under a clause, over all runs that a report knows.
  public enum Verdict: String, Sendable, Hashable {
    /// It kept the promise.
    case passed
    /// It broke the promise.
    case failed
    /// It did not fare alike in every run.
    case flaky
    /// The clause could not be tried.
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
    guard let first = outcomes.first else { return nil }
    guard outcomes.allSatisfy({ $0.name == first.name }) else { return .flaky }
    return switch first {
    case .passed: .passed
    case .failed: .failed
    case .skipped: .skipped
    }
  }
}
