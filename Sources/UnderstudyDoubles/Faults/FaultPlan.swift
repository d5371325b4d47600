import UnderstudyPrimitives

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

  private struct Entry {
    let id: RuleID
    let rule: Rule
    var calls = 0
    var hasFired = false
    var generator: SeededGenerator

    /// Counts a call, and says whether it is to fail.
    mutating func counts() -> Bool {
      if calls < .max { calls += 1 }
      return switch rule.schedule {
      case .always: true
      case .calls(_, let contains): contains(calls)
      case .probability(let probability): Double.random(in: 0..<1, using: &generator) < probability
      }
    }
  }

  private struct State {
    var active: [Entry] = []
    var removed: [Entry] = []
    var injections: [Injection] = []
    var nextID = 0
    let seed: UInt64

    mutating func add(_ rule: Rule) -> RuleID {
      let id = RuleID(number: nextID)
      nextID += 1
      // Each rule draws from its own sequence, so that another rule does not change what this one does.
      let generator = SeededGenerator(seed: seed &+ UInt64(id.number) &* 0x9E37_79B9_7F4A_7C15)
      active.append(Entry(id: id, rule: rule, generator: generator))
      return id
    }

    /// Counts a call for every rule that it concerns, and takes the first that says it is to fail.
    mutating func count(_ call: Intercepted<Base>.Call, except unmet: Set<RuleID>) -> Fault? {
      var winner: Int?
      for index in active.indices where active[index].rule.operation.matches(call.operation) {
        if !unmet.isEmpty, unmet.contains(active[index].id) { continue }
        if active[index].counts(), winner == nil { winner = index }
      }
      guard let winner else { return nil }
      active[winner].hasFired = true
      let rule = active[winner].rule
      injections.append(Injection(rule: rule, operation: call.operation, call: active[winner].calls))
      return rule.fault
    }
  }

  /// What every probability is drawn from.
  public let seed: UInt64
  private let state: Locked<State>

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
    var state = State(seed: seed)
    for rule in rules { _ = state.add(rule) }
    self.seed = seed
    self.state = Locked(state)
  }

  /// Adds a rule behind those that are there.
  ///
  /// - Returns: What ``remove(_:)`` takes it away by.
  @discardableResult public func add(_ rule: Rule) -> RuleID {
    state.withLock { $0.add(rule) }
  }

  /// Takes a rule away; its injections stay in the log. A rule that is gone is no error.
  public func remove(_ id: RuleID) {
    state.withLock { state in
      guard let index = state.active.firstIndex(where: { $0.id == id }) else { return }
      state.removed.append(state.active.remove(at: index))
    }
  }

  /// Adds a rule for as long as `body` runs.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  nonisolated(nonsending) public func during<Result, Failure: Error>(
    _ rule: Rule, _ body: nonisolated(nonsending) () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let id = add(rule)
    defer { remove(id) }
    return try await body()
  }

  /// What was injected, in order.
  public var injections: [Injection] {
    state.withLock { $0.injections }
  }

  /// The rules that no call ever met, in the order in which they were added, also those that were removed.
  public var unfiredRules: [Rule] {
    state.withLock { state in
      (state.active + state.removed).filter { !$0.hasFired }
        .sorted { $0.id.number < $1.id.number }.map(\.rule)
    }
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
    let rules = state.withLock { $0.active.map(\.rule.description) }
    return "FaultPlan(seed: \(seed), rules: [\(rules.joined(separator: "; "))])"
  }

  // MARK: - For interceptors

  /// Counts a call, and says which fault it is to meet.
  func fault(for call: Intercepted<Base>.Call) -> Fault? {
    // Conditions are the adopter's code, so they run outside the lock.
    let conditions: [(RuleID, Rule.Condition)] = state.withLock { state in
      var conditions: [(RuleID, Rule.Condition)] = []
      for entry in state.active {
        if let condition = entry.rule.condition, entry.rule.operation.matches(call.operation) {
          conditions.append((entry.id, condition))
        }
      }
      return conditions
    }
    let unmet = Set(conditions.filter { !$0.1(call) }.map(\.0))
    return state.withLock { $0.count(call, except: unmet) }
  }
}
