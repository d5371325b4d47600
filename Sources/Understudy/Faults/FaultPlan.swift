/// When which calls go wrong: rules in order, of which the first that applies to a call wins.
///
/// Rules can be added and removed while calls are made, which switches a condition on and off. The plan keeps a log
/// of what it injected and knows which rules never came to it.
public final class FaultPlan<Base: Sendable>: Sendable, CustomStringConvertible {
  /// Names a rule of a plan, to remove it.
  public struct RuleID: Hashable, Sendable {
    let number: Int
  }

  /// One fault that a call met.
  public struct Injection: Sendable, CustomStringConvertible {
    /// The rule that said so.
    public let rule: Rule
    /// What was called.
    public let operation: Intercepted<Base>.Operation
    /// Which of the calls that the rule counts this was, from one.
    public let call: Int

    /// The operation, the number of the call and the fault.
    public var description: String { "\(operation), call \(call): \(rule.fault)" }
  }

  /// What every probability is drawn from.
  public var seed: UInt64 { core.seed }
  let core: FaultPlanCore

  /// A plan of these rules.
  ///
  /// - Parameters:
  ///   - rules: The first that applies to a call wins.
  ///   - seed: The same seed and the same order of calls give the same faults.
  public convenience init(_ rules: Rule..., seed: UInt64 = 1) {
    self.init(rules: rules, seed: seed)
  }

  /// A plan of a list of rules.
  ///
  /// - Parameters:
  ///   - rules: The first that applies to a call wins.
  ///   - seed: The same seed and the same order of calls give the same faults.
  public init(rules: [Rule], seed: UInt64 = 1) {
    core = FaultPlanCore(rules.map(\.core), seed: seed)
  }

  /// A plan that shares its rules and its counts with another one's.
  init(core: FaultPlanCore) {
    self.core = core
  }

  /// Adds a rule behind those that are there.
  ///
  /// - Returns: What ``remove(_:)`` takes it away by.
  @discardableResult public func add(_ rule: Rule) -> RuleID {
    RuleID(number: core.add(rule.core))
  }

  /// Takes a rule away; its injections stay in the log.
  ///
  /// A rule that is gone is no error.
  public func remove(_ id: RuleID) {
    core.remove(id.number)
  }

  /// Adds a rule for as long as `body` runs.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  @discardableResult nonisolated(nonsending) public func during<Result, Failure: Error>(
    _ rule: Rule, _ body: nonisolated(nonsending) () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let id = add(rule)
    defer { remove(id) }
    return try await body()
  }

  /// What was injected, in order.
  public var injections: [Injection] {
    core.injections.map {
      Injection(
        rule: Rule(core: $0.rule), operation: Intercepted.Operation($0.site), call: $0.call)
    }
  }

  /// The rules that no call ever met, in the order in which they were added, also those that were removed.
  public var unfiredRules: [Rule] {
    core.unfiredRules.map(Rule.init(core:))
  }

  /// What to tell whoever runs the test about rules that no call ever met; `nil` if there are none.
  public var complaint: String? {
    let (unfired, injections) = (unfiredRules, injections)
    guard !unfired.isEmpty else { return nil }
    return """
      \(unfired.count) rule(s) of the fault plan (seed \(seed)) never fired:
      \(unfired.map { "  - \($0)" }.joined(separator: "\n"))
      Injected: \(injections.isEmpty ? "nothing" : injections.map(\.description).joined(separator: "; ")).
      Check that the operation is called often enough, and that no earlier rule answers first; or remove the rule.
      """
  }

  /// The rules and the seed.
  public var description: String {
    let rules = core.rules.map(\.description)
    return "FaultPlan(seed: \(seed), rules: [\(rules.joined(separator: "; "))])"
  }
}
