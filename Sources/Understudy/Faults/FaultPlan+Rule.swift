extension FaultPlan {
  /// A rule that selects the calls into which a fault is injected.
  ///
  /// A rule counts the calls that match its operation and its condition, starting at one when it is added to a plan.
  /// Calls that an earlier rule made fail count too.
  public struct Rule: Sendable, CustomStringConvertible {
    let core: RuleCore

    private init(
      _ operation: Intercepted<Base>.Operation, _ schedule: RuleCore.Schedule,
      _ condition: (@Sendable (Intercepted<Base>.Call) -> Bool)?, _ fault: Fault
    ) {
      var erased: (@Sendable (CallCore) -> Bool)?
      if let condition { erased = { condition(Intercepted<Base>.Call(core: $0)) } }
      core = RuleCore(operation: operation.core, schedule: schedule, condition: erased, fault: fault)
    }

    init(core: RuleCore) {
      self.core = core
    }

    /// The fault to inject.
    package var fault: Fault { core.fault }

    /// Injects a fault into every call of an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation, or a pattern of operations.
    ///   - condition: Which calls count; `nil` for all. It must be fast and must not use the plan.
    ///   - fault: The fault to inject.
    public static func on(
      _ operation: Intercepted<Base>.Operation,
      when condition: (@Sendable (Intercepted<Base>.Call) -> Bool)? = nil, _ fault: Fault
    ) -> Self {
      Self(operation, .always, condition, fault)
    }

    /// Injects a fault into one call of an operation; the first call is 1.
    public static func on(
      _ operation: Intercepted<Base>.Operation, call number: Int,
      when condition: (@Sendable (Intercepted<Base>.Call) -> Bool)? = nil, _ fault: Fault
    ) -> Self {
      Self(operation, .calls(description: "call \(number)") { $0 == number }, condition, fault)
    }

    /// Injects a fault into consecutive calls, such as `2...3`, or `4...` for all from the fourth on.
    public static func on(
      _ operation: Intercepted<Base>.Operation, calls range: some RangeExpression<Int> & Sendable,
      when condition: (@Sendable (Intercepted<Base>.Call) -> Bool)? = nil, _ fault: Fault
    ) -> Self {
      Self(operation, .calls(description: "calls \(range)") { range.contains($0) }, condition, fault)
    }

    /// Injects a fault into every nth call of an operation; 3 selects the third, the sixth and so on.
    ///
    /// A number below one selects no call.
    public static func on(
      _ operation: Intercepted<Base>.Operation, every number: Int,
      when condition: (@Sendable (Intercepted<Base>.Call) -> Bool)? = nil, _ fault: Fault
    ) -> Self {
      Self(
        operation,
        .calls(description: "every \(number) calls") { number > 0 && $0.isMultiple(of: number) },
        condition, fault)
    }

    /// Injects a fault into each call of an operation with a probability from 0 to 1, drawn from the plan's seed.
    public static func on(
      _ operation: Intercepted<Base>.Operation, probability: Double,
      when condition: (@Sendable (Intercepted<Base>.Call) -> Bool)? = nil, _ fault: Fault
    ) -> Self {
      Self(operation, .probability(probability), condition, fault)
    }

    /// The operation, the selected calls and the fault, in words.
    public var description: String { core.description }
  }
}

/// The content of a ``FaultPlan/Rule``.
struct RuleCore: Sendable, CustomStringConvertible {
  enum Schedule: Sendable {
    case always
    case calls(description: String, @Sendable (Int) -> Bool)
    case probability(Double)
  }

  let operation: OperationCore
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
    return "\(operation)\(schedule)\(condition == nil ? "" : ", on a condition"): \(fault)"
  }
}
