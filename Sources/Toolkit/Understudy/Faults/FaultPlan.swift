/// A list of fault rules, of which the first that matches a call applies.
///
/// A rule can apply ``during(_:_:)`` a part of a test. The plan logs the faults that it injected, and knows the rules that
/// never took effect.
///
/// A rule whose fault never took effect tests nothing: it selected no call, the stream of the call ended before the
/// event that the fault needs, or the fault has no effect on such a call. In a test that links `UnderstudyTesting`, it is an
/// issue of the test that made the plan, at the line of the rule, recorded when the plan, the doubles with it and their
/// streams have been released. To allow it, make the rule ``Rule/optional``. If something retains them, such as a task
/// that still runs or a static property, the plan is checked at the end of the process, whose exit status is then 1.
/// These plans are not checked:
///
/// - one that is made outside of a test, such as an argument of a test,
/// - one that is made for a trial of a contract, a program of an exploration or a run of a scenario, and
/// - one whose test was cancelled before the calls were made.
public final class FaultPlan<Base: Sendable>: Sendable, CustomStringConvertible {
  /// An identifier of a rule in a plan, to remove it.
  package struct RuleID: Hashable, Sendable {
    let number: Int
  }

  /// A fault that was injected into a call.
  public struct Injection: Sendable, CustomStringConvertible {
    /// The rule that applied.
    package let rule: Rule
    /// The operation of the call.
    package let operation: Intercepted<Base>.Operation
    /// The number of the call among those that the rule counts, starting at one.
    package let call: Int

    /// The operation, the number of the call and the fault.
    public var description: String { "\(operation), call \(call): \(rule.fault)" }
  }

  /// The seed of all probabilities.
  package var seed: UInt64 { core.seed }
  let core: FaultPlanCore

  /// Creates a plan from rules.
  ///
  /// - Parameters:
  ///   - rules: The first that matches a call applies.
  ///   - seed: The same seed and the same order of calls give the same faults.
  public convenience init(_ rules: Rule..., seed: UInt64 = 1) {
    self.init(rules: rules, seed: seed)
  }

  /// Creates a plan from a list of rules.
  ///
  /// - Parameters:
  ///   - rules: The first that matches a call applies.
  ///   - seed: The same seed and the same order of calls give the same faults.
  package init(rules: [Rule], seed: UInt64 = 1) {
    core = FaultPlanCore(rules.map(\.core), seed: seed)
  }

  /// Creates a plan that shares its rules and its counts with another plan.
  init(core: FaultPlanCore) {
    self.core = core
  }

  /// Appends a rule.
  ///
  /// - Returns: The identifier for ``remove(_:)``.
  @discardableResult package func add(_ rule: Rule) -> RuleID {
    RuleID(number: core.add(rule.core))
  }

  /// Removes a rule; its injections stay in the log.
  ///
  /// An identifier of a removed rule is ignored.
  package func remove(_ id: RuleID) {
    core.remove(id.number)
  }

  /// Adds a rule while `body` runs.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error that `body` throws.
  @discardableResult nonisolated(nonsending) public func during<Result, Failure: Error>(
    _ rule: Rule, _ body: nonisolated(nonsending) () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let id = add(rule)
    defer { remove(id) }
    return try await body()
  }

  /// The injected faults, in order; of more than 10,000 the last ones.
  public var injections: [Injection] {
    core.injections.map {
      Injection(
        rule: Rule(core: $0.rule), operation: Intercepted.Operation($0.operation), call: $0.call)
    }
  }

  /// The rules with injected faults, and the number of each, in the order of addition.
  package var injectionCounts: [(rule: Rule, count: Int)] {
    core.injectionCounts.map { (Rule(core: $0.rule), $0.count) }
  }

  /// The rules whose faults never took effect, in the order of addition, including removed rules.
  package var unfiredRules: [Rule] {
    core.unfiredRules.map(Rule.init(core:))
  }

  /// Each of these rules, and why it had no effect.
  package var reasonsOfUnfiredRules: [String] { core.reasons(of: nil) }

  /// The rules and the seed.
  public var description: String {
    let rules = core.rules.map(\.description)
    return "FaultPlan(seed: \(seed), rules: [\(rules.joined(separator: "; "))])"
  }
}
