/// The outcome of one clause for one implementation.
public enum Outcome: Sendable, Hashable {
  /// The implementation kept the promise.
  case passed
  /// It broke the promise; every violation that was found.
  case failed([Violation])
  /// The clause could not be tested, for this reason.
  case skipped(reason: String)

  /// One word: `passed`, `failed` or `skipped`.
  public var name: String { kind.rawValue }

  /// Why the clause was skipped, if it was.
  public var reason: String? {
    if case .skipped(let reason) = self { reason } else { nil }
  }

  /// What was violated; empty unless failed.
  public var violations: [Violation] {
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

  /// Writes `{"kind":"passed"}`, `{"kind":"failed","violations":[…]}` or `{"kind":"skipped","reason":"…"}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    switch self {
    case .passed: break
    case .failed(let violations): try container.encode(violations, forKey: .violations)
    case .skipped(let reason): try container.encode(reason, forKey: .reason)
    }
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .passed: self = .passed
    case .failed: self = .failed(try container.decode([Violation].self, forKey: .violations))
    case .skipped: self = .skipped(reason: try container.decode(String.self, forKey: .reason))
    }
  }
}

/// One way in which a promise was broken.
public struct Violation: Sendable, Hashable, Codable, CustomStringConvertible {
  /// What was expected and what happened instead.
  public let message: String
  /// The file of the expectation, as `Module/File.swift`; empty if it is not known.
  public let fileID: String
  /// The line of the expectation, from 1.
  public let line: Int
  /// Whether the clause ended without a result.
  ///
  /// That is an unexpected error, a stage that could not be set up, or a trial that did not end. A mutant that fails
  /// this way proves nothing.
  public let isAccident: Bool

  /// A violation found at a place of a contract's source.
  public init(_ message: String, fileID: String, line: Int, isAccident: Bool = false) {
    self.message = message
    self.fileID = fileID
    self.line = line
    self.isAccident = isAccident
  }

  /// The message and the place, if there is one.
  public var description: String { fileID.isEmpty ? message : "\(message) (\(fileID):\(line))" }
}
