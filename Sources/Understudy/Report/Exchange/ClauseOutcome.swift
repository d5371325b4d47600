
/// How an implementation fared under a clause, with all that tells which clause it was.
public struct ClauseOutcome: Sendable, Hashable {
  /// The name of the contract.
  public let contract: String
  /// The clause, with this one outcome.
  public let row: ConformanceReport.Row

  /// The outcome of a check that ran with a seed.
  public init<Subject>(_ check: ContractCheck<Subject>, _ outcome: Outcome, seed: UInt64) {
    contract = check.contract
    row = ConformanceReport.Row(
      id: check.clause.id, statement: check.clause.statement, level: check.clause.level,
      fileID: check.clause.fileID, line: check.clause.line,
      outcomes: [.init(implementation: check.implementation.name, outcome: outcome, seed: seed)])
  }
}

extension ClauseOutcome: Codable {
  private enum CodingKeys: String, CodingKey {
    case contract, id, statement, level, fileID, line
  }

  /// Writes `{"contract","id","statement","level","fileID","line","implementation","seed","outcome","reason","violations"}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(contract, forKey: .contract)
    try container.encode(row.id, forKey: .id)
    try container.encode(row.statement, forKey: .statement)
    try container.encode(row.level, forKey: .level)
    try container.encode(row.fileID, forKey: .fileID)
    try container.encode(row.line, forKey: .line)
    for cell in row.outcomes { try cell.encode(to: encoder) }
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    contract = try container.decode(String.self, forKey: .contract)
    row = ConformanceReport.Row(
      id: try container.decode(String.self, forKey: .id),
      statement: try container.decode(String.self, forKey: .statement),
      level: try container.decode(ClauseLevel.self, forKey: .level),
      fileID: try container.decode(String.self, forKey: .fileID),
      line: try container.decode(Int.self, forKey: .line),
      outcomes: [try ConformanceReport.Cell(from: decoder)])
  }
}
