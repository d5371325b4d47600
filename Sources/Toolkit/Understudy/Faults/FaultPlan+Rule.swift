extension FaultPlan {
  /// A rule that selects the calls into which a fault is injected.
  ///
  /// A rule counts the calls that match its operation and its condition, starting at one when it is added to a plan.
  /// Calls that an earlier rule made fail count too.
  public struct Rule: Sendable, CustomStringConvertible {
    let core: RuleCore

    private init(
      _ operation: Intercepted<Base>.Operation, _ schedule: RuleCore.Schedule,
      _ condition: (@Sendable (Intercepted<Base>.Call) -> Bool)?, _ fault: Fault, _ place: CodePlace
    ) {
      var erased: (@Sendable (CallCore) -> Bool)?
      let selection = operation.core.selection
      if condition != nil || selection != nil {
        erased = { call in
          selection?.matches(call) != false && condition?(Intercepted<Base>.Call(core: call)) != false
        }
      }
      let mistake = operation.core.mistake ?? schedule.mistake ?? fault.mistake
      if let mistake {
        TestIssue.currentReporter?.record(
          "A rule can never fire: \(operation)\(schedule)\(fault.mistake == nil ? "" : ": \(fault)"). \(mistake)",
          at: place)
      }
      core = RuleCore(
        operation: operation.core, schedule: schedule, condition: erased, fault: fault, place: place,
        isOptional: mistake != nil)
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
    ///   - fileID: The file of the call.
    ///   - filePath: The path of that file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public static func on(
      _ operation: Intercepted<Base>.Operation,
      when condition: (@Sendable (Intercepted<Base>.Call) -> Bool)? = nil, _ fault: Fault,
      fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> Self {
      Self(
        operation, .always, condition, fault,
        CodePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Injects a fault into one call of an operation; the first call is 1.
    public static func on(
      _ operation: Intercepted<Base>.Operation, call number: Int,
      when condition: (@Sendable (Intercepted<Base>.Call) -> Bool)? = nil, _ fault: Fault,
      fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> Self {
      Self(
        operation, .calls(description: "call \(number)", isEmpty: number < 1) { $0 == number }, condition,
        fault,
        CodePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Injects a fault into consecutive calls, such as `2...3`, or `4...` for all from the fourth on.
    public static func on(
      _ operation: Intercepted<Base>.Operation, calls range: some RangeExpression<Int> & Sendable,
      when condition: (@Sendable (Intercepted<Base>.Call) -> Bool)? = nil, _ fault: Fault,
      fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> Self {
      Self(
        operation,
        .calls(description: "calls \(range)", isEmpty: Self.selectsNoCall(range)) { range.contains($0) },
        condition, fault,
        CodePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Injects a fault into every nth call of an operation; 3 selects the third, the sixth and so on.
    ///
    /// A number below one selects no call, which is an issue of a test.
    public static func on(
      _ operation: Intercepted<Base>.Operation, every number: Int,
      when condition: (@Sendable (Intercepted<Base>.Call) -> Bool)? = nil, _ fault: Fault,
      fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> Self {
      Self(
        operation,
        .calls(description: "every \(number) calls", isEmpty: number < 1) {
          number > 0 && $0.isMultiple(of: number)
        },
        condition, fault,
        CodePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Injects a fault into each call of an operation with a probability from 0 to 1, drawn from the plan's seed.
    public static func on(
      _ operation: Intercepted<Base>.Operation, probability: Double,
      when condition: (@Sendable (Intercepted<Base>.Call) -> Bool)? = nil, _ fault: Fault,
      fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> Self {
      Self(
        operation, .probability(probability), condition, fault,
        CodePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Whether a range has no number from one.
    private static func selectsNoCall(_ range: some RangeExpression<Int>) -> Bool {
      switch range {
      case let range as Range<Int>: range.isEmpty || range.upperBound <= 1
      case let range as ClosedRange<Int>: range.upperBound < 1
      case let range as PartialRangeUpTo<Int>: range.upperBound <= 1
      case let range as PartialRangeThrough<Int>: range.upperBound < 1
      default: false
      }
    }

    /// The same rule, whose fault need not take effect.
    ///
    /// In a test that links `UnderstudyTesting`, a rule whose fault never took effect is an issue of the test that made
    /// its plan; see ``FaultPlan``. This is for a rule of which a test does not know whether it will apply.
    public var optional: Self {
      var core = core
      core.isOptional = true
      return Self(core: core)
    }

    /// The operation, the selected calls and the fault, in words.
    public var description: String { core.description }
  }
}

/// The content of a ``FaultPlan/Rule``.
struct RuleCore: Sendable, CustomStringConvertible {
  enum Schedule: Sendable, CustomStringConvertible {
    case always
    case calls(description: String, isEmpty: Bool, @Sendable (Int) -> Bool)
    case probability(Double)

    /// Why it selects no call, with what to write instead; `nil` if it may select one.
    var mistake: String? {
      switch self {
      case .calls(_, isEmpty: true, _): "Calls are numbered from 1."
      case .probability(let probability) where !(probability > 0): "Write a probability above 0, at most 1."
      case .always, .calls, .probability: nil
      }
    }

    var description: String {
      switch self {
      case .always: ""
      case .calls(let description, _, _): ", \(description)"
      case .probability(let probability): ", with probability \(probability)"
      }
    }
  }

  let operation: OperationCore
  let schedule: Schedule
  let condition: (@Sendable (CallCore) -> Bool)?
  let fault: Fault
  /// Where the rule was made; `nil` for one that was read from text.
  let place: CodePlace?
  /// Whether it need not apply to a call.
  var isOptional = false

  var description: String {
    "\(operation)\(schedule)\(condition == nil || operation.selection != nil ? "" : ", on a condition"): \(fault)"
  }
}
