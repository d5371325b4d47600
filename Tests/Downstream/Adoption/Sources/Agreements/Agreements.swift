/// A protocol, its models and its error have the names of types of the toolkit.
public protocol Implementation: Sendable {
  func sign(_ contract: Contract, on condition: Condition) async throws(Fault) -> Clause
  func clauses(of contract: Contract) async throws(Fault) -> [Clause]
  func trial() async -> Trial
  func open(_ gate: Gate) async
  func remind(_ subject: Subject) async throws(Fault)
}

/// With plain throws, and values in each other.
public protocol Gate: Sendable {
  func scenarios(of trial: Trial) async throws -> [Scenario]
  func enter(_ call: Call) async throws
  func test(_ test: Test) async throws
}

/// What is signed.
public struct Contract: Hashable, Sendable {
  /// The title.
  public let title: String

  /// A contract.
  public init(title: String) { self.title = title }
}

/// When it holds.
public enum Condition: Hashable, Sendable {
  case met(Trial)
  case open
}

/// A part of a contract.
public struct Clause: Hashable, Sendable {
  /// The text.
  public let text: String

  /// A clause.
  public init(text: String) { self.text = text }
}

/// A time to try it.
public struct Trial: Hashable, Sendable {
  /// Its conditions.
  public let condition: [Condition]

  /// A trial.
  public init(condition: [Condition]) { self.condition = condition }
}

/// What may happen.
public struct Scenario: Hashable, Sendable {
  /// What it is about.
  public let subject: Subject

  /// A scenario.
  public init(subject: Subject) { self.subject = subject }
}

/// What it is about.
public struct Subject: Hashable, Sendable {
  /// The clause.
  public let clause: Clause

  /// A subject.
  public init(clause: Clause) { self.clause = clause }
}

/// A call of a party.
public struct Call: Hashable, Sendable {
  /// The trial.
  public let trial: Trial

  /// A call.
  public init(trial: Trial) { self.trial = trial }
}

/// A test of a number.
public struct Test: Hashable, Sendable {
  /// The number.
  public let number: Int

  /// A test.
  public init(number: Int) { self.number = number }
}

/// Why nothing is signed.
public enum Fault: Error, Hashable {
  case offline, timeout, notFound
  case server(Clause)
  case unknown
}
