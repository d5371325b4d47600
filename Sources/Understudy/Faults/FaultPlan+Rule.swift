extension FaultPlan {
  /// Which calls meet which fault.
  ///
  /// A rule counts the calls that are of its operation and meet its condition, from one, since it was added to a
  /// plan; calls that an earlier rule made fail count too.
  public struct Rule: Sendable, CustomStringConvertible {
    let core: RuleCore

    private init(
      _ operation: Intercepted<Base>.Operation, _ schedule: RuleCore.Schedule,
      _ condition: (@Sendable (Intercepted<Base>.Call) -> Bool)?, _ fault: Fault
    ) {
      var erased: (@Sendable (CallCore) -> Bool)?
      if let condition { erased = { condition(Intercepted<Base>.Call(core: $0)) } }
      core = RuleCore(site: operation.site, schedule: schedule, condition: erased, fault: fault)
    }

    init(core: RuleCore) {
      self.core = core
    }

    /// What the calls meet.
    public var fault: Fault { core.fault }

    /// Every call of an operation meets the fault.
    ///
    /// - Parameters:
    ///   - operation: The operation, or a pattern of them.
    ///   - condition: Which calls count; all if it is `nil`. Must be quick, and may not use the plan.
    ///   - fault: What the call meets.
    public static func on(
      _ operation: Intercepted<Base>.Operation,
      when condition: (@Sendable (Intercepted<Base>.Call) -> Bool)? = nil, _ fault: Fault
    ) -> Self {
      Self(operation, .always, condition, fault)
    }

    /// One call of an operation meets the fault: the first is 1.
    public static func on(
      _ operation: Intercepted<Base>.Operation, call number: Int,
      when condition: (@Sendable (Intercepted<Base>.Call) -> Bool)? = nil, _ fault: Fault
    ) -> Self {
      Self(operation, .calls(description: "call \(number)") { $0 == number }, condition, fault)
    }

    /// Some calls in a row meet the fault, such as `2...3`, or `4...` for all from the fourth on.
    public static func on(
      _ operation: Intercepted<Base>.Operation, calls range: some RangeExpression<Int> & Sendable,
      when condition: (@Sendable (Intercepted<Base>.Call) -> Bool)? = nil, _ fault: Fault
    ) -> Self {
      Self(operation, .calls(description: "calls \(range)") { range.contains($0) }, condition, fault)
    }

    /// Every nth call of an operation meets the fault; 3 is the third, the sixth and so on.
    ///
    /// With a number below one, none does.
    public static func on(
      _ operation: Intercepted<Base>.Operation, every number: Int,
      when condition: (@Sendable (Intercepted<Base>.Call) -> Bool)? = nil, _ fault: Fault
    ) -> Self {
      Self(
        operation,
        .calls(description: "every \(number) calls") { number > 0 && $0.isMultiple(of: number) },
        condition, fault)
    }

    /// Each call of an operation meets the fault with a probability from 0 to 1, drawn from the plan's seed.
    public static func on(
      _ operation: Intercepted<Base>.Operation, probability: Double,
      when condition: (@Sendable (Intercepted<Base>.Call) -> Bool)? = nil, _ fault: Fault
    ) -> Self {
      Self(operation, .probability(probability), condition, fault)
    }

    /// The rule in words: what, when, which fault.
    public var description: String { core.description }
  }
}

/// What a ``FaultPlan/Rule`` holds.
struct RuleCore: Sendable, CustomStringConvertible {
  enum Schedule: Sendable {
    case always
    case calls(description: String, @Sendable (Int) -> Bool)
    case probability(Double)
  }

  let site: Site
  let schedule: Schedule
  let condition: (@Sendable (CallCore) -> Bool)?
  let fault: Fault

  var description: String {
    let schedule =
      switch schedule {
      case .always: ""
      case .calls(let description, _): ", \(description)"
      case .probability(let probability): ", with probability \(probability)"
      }
    return "\(site)\(schedule)\(condition == nil ? "" : ", on a condition"): \(fault)"
  }
}
