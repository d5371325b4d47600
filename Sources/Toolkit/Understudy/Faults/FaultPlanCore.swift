import UnderstudyText

/// The state of a ``FaultPlan``.
package final class FaultPlanCore: Sendable {
  struct Injection: Sendable {
    let rule: RuleCore
    let operation: OperationCore
    let call: Int
  }

  private struct Entry {
    let id: Int
    let rule: RuleCore
    var calls = 0
    /// The number of its injected faults.
    var injections = 0
    /// What became of its faults; `nil` if none was injected.
    var progress: FaultProgress?
    /// Whether it would have applied to a call that an earlier rule had already answered.
    var wasPreempted: Bool { preemption != nil }
    /// The fault of that rule.
    var preemption: Fault?
    var generator: SeededGenerator

    /// Whether a fault of the rule has taken effect.
    var hasFired: Bool { progress?.hasTakenEffect == true }

    /// Notes what became of a fault that was injected.
    mutating func take(_ step: FaultToken.Step) {
      var progress = progress ?? FaultProgress()
      progress.take(step)
      self.progress = progress
    }

    /// Counts a call, and returns whether the rule applies to it.
    mutating func counts() -> Bool {
      if calls < .max { calls += 1 }
      return switch rule.schedule {
      case .always: true
      case .calls(_, _, let contains): contains(calls)
      case .probability(let probability): Double.random(in: 0..<1, using: &generator) < probability
      }
    }
  }

  private struct State {
    var active: [Entry] = []
    var removed: [Entry] = []
    /// The last injections, at most twice as many as the limit.
    var injections: [Injection] = []
    var nextID = 0
    var nextObserver = 0
    var observers: [Int: @Sendable () -> Void] = [:]
    /// Whether an active rule has a condition.
    var hasConditions = false
    /// The calls that the plan saw, while it is to report rules that never fire.
    var seen = SeenCalls()
    let seed: UInt64

    init(seed: UInt64) {
      self.seed = seed
    }

    mutating func add(_ rule: RuleCore) -> Int {
      defer { nextID += 1 }
      // Each rule draws from its own sequence, so that adding a rule does not change the faults of another.
      let generator = SeededGenerator(seed: seed &+ UInt64(nextID) &* 0x9E37_79B9_7F4A_7C15)
      if rule.condition != nil { hasConditions = true }
      active.append(Entry(id: nextID, rule: rule, generator: generator))
      return nextID
    }

    func concerns(_ operation: OperationCore) -> Bool {
      for index in active.indices where active[index].rule.operation.matches(operation) { return true }
      return false
    }

    /// Counts a call for every rule that it matches, and returns the fault of the first rule that applies.
    ///
    /// - Parameter met: The rules whose conditions the call meets; rules without a condition may be omitted.
    /// - Returns: The fault, and the rule to notify of its effect; `nil` for a fault that has taken effect.
    mutating func count(_ call: CallCore, meeting met: [Int]) -> (fault: Fault, rule: Int?)? {
      let operation = call.operation
      var winner: Int?
      for index in active.indices where active[index].rule.operation.matches(operation) {
        if active[index].rule.condition != nil, !met.contains(active[index].id) { continue }
        guard active[index].counts() else { continue }
        if let winner { active[index].preemption = active[winner].rule.fault } else { winner = index }
      }
      guard let winner else { return nil }
      if active[winner].progress == nil { active[winner].progress = FaultProgress() }
      let rule = active[winner].rule
      active[winner].injections += 1
      if injections.count == 2 * FaultPlanCore.injectionLimit {
        injections.removeFirst(FaultPlanCore.injectionLimit)
      }
      injections.append(Injection(rule: rule, operation: operation, call: active[winner].calls))
      FaultWitness.current?.saw(rule.fault)
      guard let latency = rule.fault.latency(using: &active[winner].generator) else {
        return (rule.fault, active[winner].id)
      }
      active[winner].take(.effect)
      return (latency, nil)
    }

    /// Notes what became of a fault of a rule, which may have been removed.
    mutating func note(_ step: FaultToken.Step, of id: Int) {
      if let index = active.firstIndex(where: { $0.id == id }) {
        active[index].take(step)
      } else if let index = removed.firstIndex(where: { $0.id == id }) {
        removed[index].take(step)
      }
    }
  }

  /// The maximum number of injections to keep, because a server may inject faults for days.
  private static let injectionLimit = 10_000

  let seed: UInt64
  private let state: Locked<State>
  /// The report about rules that never fire.
  private let report: ReleaseReport?

  init(_ rules: [RuleCore], seed: UInt64) {
    var state = State(seed: seed)
    for rule in rules { _ = state.add(rule) }
    self.seed = seed
    let locked = Locked(state)
    self.state = locked
    report = ReleaseReport { Self.unfiredRules(locked) }
  }

  var rules: [RuleCore] { state.withLock { $0.active.map(\.rule) } }
  var injections: [Injection] { state.withLock { $0.injections.suffix(Self.injectionLimit) } }

  /// The rules with injected faults, and the number of each.
  var injectionCounts: [(rule: RuleCore, count: Int)] {
    state.withLock { $0.active + $0.removed }.sorted { $0.id < $1.id }
      .filter { $0.injections > 0 }.map { ($0.rule, $0.injections) }
  }

  var unfiredRules: [RuleCore] {
    state.withLock { state in
      (state.active + state.removed).filter { !$0.hasFired }.sorted { $0.id < $1.id }.map(\.rule)
    }
  }

  /// Records an issue for each rule whose fault never took effect, unless this was done before.
  package func reportUnfiredRules() { report?.make() }

  private static func unfiredRules(_ state: Locked<State>) -> [ReleaseReport.Issue] {
    let (all, seen) = state.withLock { ($0.active + $0.removed, $0.seen) }
    return all.sorted { $0.id < $1.id }.filter { !$0.hasFired && !$0.rule.isOptional }.map { entry in
      // A cancelled test may not have made the calls; where it has, the stream was not read as far as the fault.
      ReleaseReport.Issue(message(entry, seen), at: entry.rule.place, ifCancelled: entry.progress != nil)
    }
  }

  /// Whether a fault of one of the rules, or the same fault of an earlier one, has taken effect, or need not.
  func hasFired(anyOf ids: [Int]) -> Bool {
    state.withLock { state in
      (state.active + state.removed).contains { entry in
        ids.contains(entry.id)
          && (entry.hasFired || entry.preemption == entry.rule.fault || entry.rule.isOptional)
      }
    }
  }

  /// Why rules have not fired, one line for each.
  ///
  /// - Parameter ids: The rules; `nil` for all.
  func reasons(of ids: [Int]?) -> [String] {
    let entries = state.withLock { $0.active + $0.removed }.filter { entry in
      !entry.hasFired && ids.map { $0.contains(entry.id) } ?? true
    }
    return entries.sorted { $0.id < $1.id }.map { entry in
      // A plan of a trial does not note the calls that it saw.
      let isUnmet = entry.progress == nil && entry.calls == 0 && !entry.wasPreempted
      return
        "\(entry.rule): \(isUnmet ? "no call that it selects was made" : Self.reason(entry, SeenCalls()))"
    }
  }

  private static func reason(_ entry: Entry, _ seen: SeenCalls) -> String {
    let rule = entry.rule
    let nearest = seen.nearest(to: rule.operation)
    let matching = seen.count(of: rule.operation)
    return if let progress = entry.progress {
      "the call was made, but \(progress.reason(for: rule.fault))"
    } else if entry.wasPreempted {
      "an earlier rule of the plan answered the calls that it selects"
    } else if entry.calls > 0 {
      "it counted \(Words.count(entry.calls, "call")), none of which it selects"
    } else if matching > 0, rule.condition != nil {
      "its condition was false for each of \(Words.count(matching, "call"))"
    } else if matching > 0 {
      "the matching calls are synchronous, or were made while the rule was not in the plan"
    } else {
      "no call matches its operation" + (nearest.map { "; the nearest one is \($0)" } ?? "")
    }
  }

  private static func message(_ entry: Entry, _ seen: SeenCalls) -> String {
    return """
      A rule of a fault plan never fired: \(entry.rule)
        reason: \(reason(entry, seen))
        calls that reached the plan: \(seen.description)
      Correct the rule or remove it; if it may or may not fire, append .optional to it.
      """
  }

  /// Notes a call, for the message about a rule that never fired.
  ///
  /// - Parameter isSynchronous: Whether a plan cannot affect it.
  func note(_ call: CallCore, isSynchronous: Bool = false) {
    if report != nil { count(call.operation, isSynchronous: isSynchronous) }
  }

  @inline(never) private func count(_ operation: OperationCore, isSynchronous: Bool) {
    state.withLock { $0.seen.count(operation, remark: isSynchronous ? "synchronous" : nil) }
  }

  /// Notes that a server refuses connections because of the plan.
  package func noteRefusedConnections() {
    state.withLock { state in
      for index in state.active.indices where state.active[index].rule.refusesConnections {
        state.active[index].take(.effect)
      }
    }
  }

  func add(_ rule: RuleCore) -> Int {
    defer { tellObservers() }
    return state.withLock { $0.add(rule) }
  }

  func remove(_ id: Int) {
    defer { tellObservers() }
    state.withLock { state in
      guard let index = state.active.firstIndex(where: { $0.id == id }) else { return }
      state.removed.append(state.active.remove(at: index))
    }
  }

  /// Registers an observer that is called after each change of the rules.
  ///
  /// - Returns: The identifier for `stopObserving(_:)`.
  package func observe(_ observer: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      defer { state.nextObserver += 1 }
      state.observers[state.nextObserver] = observer
      return state.nextObserver
    }
  }

  /// Removes an observer.
  package func stopObserving(_ id: Int) {
    state.withLock { _ = $0.observers.removeValue(forKey: id) }
  }

  private func tellObservers() {
    for observer in state.withLock({ Array($0.observers.values) }) { observer() }
  }

  /// Whether a rule matches a call, with or without a condition.
  ///
  /// Most calls match no rule.
  func concerns(_ call: CallCore) -> Bool {
    let operation = call.operation
    return state.withLock { $0.concerns(operation) }
  }

  /// Counts a call, and returns the fault to inject.
  func fault(for call: CallCore) -> Fault? {
    note(call)
    // Conditions are the adopter's code, so they run outside the lock. Most plans have no condition.
    let first = state.withLock {
      state -> (isCounted: Bool, found: (fault: Fault, rule: Int?)?, conditional: [Entry]) in
      let conditional =
        state.hasConditions
        ? state.active.filter { $0.rule.condition != nil && $0.rule.operation.matches(call.operation) } : []
      return conditional.isEmpty ? (true, state.count(call, meeting: []), []) : (false, nil, conditional)
    }
    if first.isCounted { return traced(first.found) }
    let met = first.conditional.filter { $0.rule.condition?(call) ?? true }.map(\.id)
    return traced(state.withLock { $0.count(call, meeting: met) })
  }

  /// A fault with a token that notes its effect at its rule, and keeps the plan alive until then.
  private func traced(_ found: (fault: Fault, rule: Int?)?) -> Fault? {
    guard let found else { return nil }
    guard let rule = found.rule else { return found.fault }
    return Fault(
      found.fault.effect, token: FaultToken { [self] step in state.withLock { $0.note(step, of: rule) } })
  }
}

/// Properties of a plan that a server needs before the first request.
extension FaultPlanCore {
  /// Whether a rule for any request always refuses connections, so that the server must not listen.
  package var refusesConnections: Bool {
    rules.contains(where: \.refusesConnections)
  }

  /// Whether a rule redirects clients in a loop, which the server has to answer itself.
  package var sendsInACircle: Bool {
    rules.contains { $0.fault.effect == .redirectLoop }
  }

  /// Whether a rule may close a connection before the first byte of the answer.
  ///
  /// Most clients then silently retry the request if the connection has already served another one.
  package var endsConnectionsWithoutAnswer: Bool {
    rules.contains { rule in
      switch rule.fault.effect {
      case .failure, .lostAnswer, .cut, .spoiled: true
      default: false
      }
    }
  }
}

extension RuleCore {
  /// Whether it always refuses connections for any request.
  ///
  /// A server cannot prevent a client from resolving its name or having a network; a client that does not reach it is
  /// the nearest that it can cause.
  var refusesConnections: Bool {
    guard operation == .any, case .always = schedule, condition == nil else { return false }
    return switch fault.effect {
    case .failure(.connectionRefused), .failure(.offline), .failure(.hostNotFound): true
    default: false
    }
  }
}

extension Interceptor {
  /// The plans whose faults it injects.
  package var plans: [FaultPlanCore] {
    cores.compactMap { if case .faults(let plan) = $0 { plan } else { nil } }
  }
}
