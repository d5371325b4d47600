extension ConformanceReport: Encodable {
  private enum CodingKeys: String, CodingKey {
    case contracts, summary, seed
  }

  /// Writes `{"contracts":[{"name","clauses":[…]}],"summary":{"passed","failed","skipped"},"seed"}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(contracts, forKey: .contracts)
    try container.encode(summary, forKey: .summary)
    try container.encode(seed, forKey: .seed)
  }
}

extension ConformanceReport.Cell: Encodable {
  private enum CodingKeys: String, CodingKey {
    case implementation, outcome, reason, violations
  }

  /// Writes `{"implementation","outcome","reason","violations"}`.
  ///
  /// `outcome` is `passed`, `failed` or `skipped`; `reason` is `null` unless skipped; `violations` is a list of
  /// sentences with their places, empty unless failed.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(implementation, forKey: .implementation)
    try container.encode(outcome.name, forKey: .outcome)
    try container.encode(outcome.reason, forKey: .reason)
    try container.encode(outcome.violations.map(\.description), forKey: .violations)
  }
}

extension Outcome {
  /// One word: `passed`, `failed` or `skipped`.
  public var name: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .skipped: "skipped"
    }
  }

  /// Why the clause was skipped, if it was.
  public var reason: String? {
    if case .skipped(let reason) = self { reason } else { nil }
  }

  /// What was violated; empty unless failed.
  public var violations: [Violation] {
    if case .failed(let violations) = self { violations } else { [] }
  }
}
