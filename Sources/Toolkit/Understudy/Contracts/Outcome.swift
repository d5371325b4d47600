/// The outcome of one clause for one implementation.
package enum Outcome: Sendable, Hashable {
  /// The implementation satisfied the clause.
  case passed
  /// The implementation violated the clause; every violation is listed.
  case failed([Violation])
  /// The clause could not be tested; with the reason.
  case skipped(reason: String)

  /// One word: `passed`, `failed` or `skipped`.
  package var name: String { kind.rawValue }

  /// The reason if the clause was skipped.
  package var reason: String? {
    if case .skipped(let reason) = self { reason } else { nil }
  }

  /// The violations; empty unless the clause failed.
  package var violations: [Violation] {
    if case .failed(let violations) = self { violations } else { [] }
  }
}

extension Outcome: Codable {
  private enum Kind: String, Codable {
    case passed, failed, skipped
  }

  private enum CodingKeys: String, CodingKey {
    case kind, violations, reason
  }

  private var kind: Kind {
    switch self {
    case .passed: .passed
    case .failed: .failed
    case .skipped: .skipped
    }
  }

  /// Encodes the outcome as `{"kind":"passed"}`, `{"kind":"failed","violations":[…]}` or
  /// `{"kind":"skipped","reason":"…"}`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    switch self {
    case .passed: break
    case .failed(let violations): try container.encode(violations, forKey: .violations)
    case .skipped(let reason): try container.encode(reason, forKey: .reason)
    }
  }

  /// Decodes an outcome from the form of ``encode(to:)``.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .passed: self = .passed
    case .failed: self = .failed(try container.decode([Violation].self, forKey: .violations))
    case .skipped: self = .skipped(reason: try container.decode(String.self, forKey: .reason))
    }
  }
}

/// One violation of a clause.
package struct Violation: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The expectation and what happened instead.
  package let message: String
  /// The file of the expectation, as `Module/File.swift`; empty if unknown.
  package let fileID: String
  /// The line of the expectation, starting at 1.
  package let line: Int
  /// Whether the clause ended without a result.
  ///
  /// This is an unexpected error, an environment that could not be set up, or a trial that did not end. A mutant that
  /// fails in this way proves nothing.
  package let isAccident: Bool

  /// Creates a violation with the source location of its expectation.
  package init(_ message: String, fileID: String, line: Int, isAccident: Bool = false) {
    self.message = message
    self.fileID = fileID
    self.line = line
    self.isAccident = isAccident
  }

  /// The message and the source location, if known.
  package var description: String { fileID.isEmpty ? message : "\(message) (\(fileID):\(line))" }
}
