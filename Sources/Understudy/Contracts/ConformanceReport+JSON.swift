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

extension ConformanceReport.Cell: Codable {
  private enum CodingKeys: String, CodingKey {
    case implementation, seed
  }

  /// Writes `{"implementation","seed","outcome","reason","violations"}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(implementation, forKey: .implementation)
    try container.encode(seed, forKey: .seed)
    try outcome.encode(to: encoder)
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      implementation: try container.decode(String.self, forKey: .implementation),
      outcome: try Outcome(from: decoder), seed: try container.decode(UInt64.self, forKey: .seed))
  }
}

extension Outcome: Codable {
  private enum CodingKeys: String, CodingKey {
    case outcome, reason, violations
  }

  /// Writes `{"outcome","reason","violations"}`.
  ///
  /// `outcome` is `passed`, `failed` or `skipped`; `reason` is `null` unless skipped; `violations` is a list of
  /// sentences with their places, empty unless failed.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .outcome)
    try container.encode(reason, forKey: .reason)
    try container.encode(violations.map(\.description), forKey: .violations)
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(String.self, forKey: .outcome) {
    case "passed": self = .passed
    case "failed":
      self = .failed(try container.decode([String].self, forKey: .violations).map(Violation.init(parsing:)))
    case "skipped": self = .skipped(reason: try container.decode(String.self, forKey: .reason))
    case let other:
      throw DecodingError.dataCorruptedError(
        forKey: .outcome, in: container,
        debugDescription: "An outcome is passed, failed or skipped, and \"\(other)\" is none.")
    }
  }

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

extension Violation {
  /// Reads a description; a text without a place at its end has an empty file and the line 0.
  fileprivate init(parsing description: String) {
    if let match = description.wholeMatch(of: /(.*) \(([^ ]+):([0-9]+)\)/.dotMatchesNewlines()),
      let line = Int(match.3)
    {
      self.init(String(match.1), fileID: String(match.2), line: line)
    } else {
      self.init(description, fileID: "", line: 0)
    }
  }
}
