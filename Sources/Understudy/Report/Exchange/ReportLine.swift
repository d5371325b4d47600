public import Foundation

/// A line of a file in which runs gather what they find: one JSON object, whose `kind` says what it is.
public enum ReportLine: Sendable, Hashable {
  /// `outcome`: an implementation under a clause.
  case outcome(ClauseOutcome)
  /// `agreement`: what was seen of each fault at each seam.
  case agreement(AgreementReport)
  /// `sweep`: a scenario under faults.
  case sweep(SweepReport)
  /// `mutants`: which clauses kill which mutants.
  case mutants(KillMatrix)

  /// The line with the newline that ends it, its members in the order of the alphabet.
  public var data: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self) + Data("\n".utf8)
    }
  }
}

extension ReportLine: Codable {
  private enum Kind: String, Codable {
    case outcome, agreement, sweep, mutants
  }

  private enum CodingKeys: String, CodingKey {
    case kind
  }

  /// Writes the kind among the members of what it is.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .outcome(let outcome):
      try container.encode(Kind.outcome, forKey: .kind)
      try outcome.encode(to: encoder)
    case .agreement(let agreement):
      try container.encode(Kind.agreement, forKey: .kind)
      try agreement.encode(to: encoder)
    case .sweep(let sweep):
      try container.encode(Kind.sweep, forKey: .kind)
      try sweep.encode(to: encoder)
    case .mutants(let matrix):
      try container.encode(Kind.mutants, forKey: .kind)
      try matrix.encode(to: encoder)
    }
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    switch try decoder.container(keyedBy: CodingKeys.self).decode(Kind.self, forKey: .kind) {
    case .outcome: self = .outcome(try ClauseOutcome(from: decoder))
    case .agreement: self = .agreement(try AgreementReport(from: decoder))
    case .sweep: self = .sweep(try SweepReport(from: decoder))
    case .mutants: self = .mutants(try KillMatrix(from: decoder))
    }
  }
}

extension Report {
  /// A report of what one line says.
  public init(_ line: ReportLine) {
    switch line {
    case .outcome(let outcome): self.init(contracts: [.init(name: outcome.contract, clauses: [outcome.row])])
    case .agreement(let agreement): self.init(agreements: [agreement])
    case .sweep(let sweep): self.init(sweeps: [sweep])
    case .mutants(let matrix): self.init(mutants: [matrix])
    }
  }
}
