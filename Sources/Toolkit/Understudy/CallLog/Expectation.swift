import UnderstudyText

extension CallLog {
  /// An expectation of a ``CallLog``: how often an operation is called, or in which order.
  ///
  /// ```swift
  /// let log = CallLog<StubBackend>(expecting: .exactly(1, .post("/orders")), .atLeast(1, .get("/orders/*")))
  /// ```
  ///
  /// They are checked at the end of the test, or by ``CallLog/verify()``.
  ///
  /// A log with expectations is exhaustive: a call that matches no expectation is a failure too, unless
  /// ``othersAllowed`` is one of them.
  public struct Expectation: Sendable, CustomStringConvertible {
    enum Content: Sendable {
      case count(ClosedRange<Int>, OperationCore)
      case order([OperationCore])
      case othersAllowed
    }

    let content: Content

    /// An operation is called exactly this many times.
    public static func exactly(_ count: Int, _ operation: Intercepted<Base>.Operation) -> Self {
      Self(content: .count(count...count, operation.core))
    }

    /// An operation is called at least this many times.
    public static func atLeast(_ count: Int, _ operation: Intercepted<Base>.Operation) -> Self {
      Self(content: .count(count...max(count, .max), operation.core))
    }

    /// An operation is called at most this many times.
    public static func atMost(_ count: Int, _ operation: Intercepted<Base>.Operation) -> Self {
      Self(content: .count(min(0, count)...count, operation.core))
    }

    /// An operation is not called.
    public static func never(_ operation: Intercepted<Base>.Operation) -> Self {
      .exactly(0, operation)
    }

    /// Operations are called in this order; other calls may occur before, between and after them.
    public static func inOrder(_ operations: Intercepted<Base>.Operation...) -> Self {
      Self(content: .order(operations.map(\.core)))
    }

    /// Calls that match no other expectation are allowed.
    public static var othersAllowed: Self { Self(content: .othersAllowed) }

    /// The expectation in words.
    public var description: String {
      switch content {
      case .count(let range, let operation): "\(operation) \(Self.times(range))"
      case .order(let operations): "in this order: \(operations.map(\.description).joined(separator: ", "))"
      case .othersAllowed: "any other calls"
      }
    }

    private static func times(_ range: ClosedRange<Int>) -> String {
      func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
      if range.upperBound <= 0 { return "never" }
      if range.lowerBound == range.upperBound { return times(range.lowerBound) }
      return range.upperBound == .max
        ? "at least " + times(range.lowerBound) : "at most " + times(range.upperBound)
    }

    /// The operations that the expectation matches.
    private var operations: [OperationCore] {
      switch content {
      case .count(_, let operation): [operation]
      case .order(let operations): operations
      case .othersAllowed: []
      }
    }

    /// Why it holds whatever is called, or matches no call; `nil` for an expectation that may be unmet.
    var mistake: String? {
      switch content {
      case .count(let range, _) where range.lowerBound <= 0 && range.upperBound == .max:
        return "Any number of calls meets it: expect at least one."
      case .order(let operations) where operations.count < 2:
        return "An order has at least two operations: write .atLeast(1, …) for one."
      case .count, .order, .othersAllowed:
        return operations.lazy.compactMap(\.mistake).first
      }
    }

    func allows(_ operation: OperationCore) -> Bool {
      if case .othersAllowed = content { return true }
      return operations.contains { $0.matches(operation) }
    }

    /// The unmet expectation; `nil` if it is met.
    func failure(about calls: [OperationCore]) -> String? {
      switch content {
      case .othersAllowed: return nil
      case .count(let range, let operation):
        let count = calls.count { operation.matches($0) }
        return range.contains(count) ? nil : "\(self), but it was called \(Words.count(count, "time"))"
      case .order(let operations):
        var missing = operations[...]
        for call in calls where missing.first?.matches(call) == true { missing.removeFirst() }
        guard let first = missing.first else { return nil }
        let before = operations.count - missing.count
        return "\(self), but \(first) was not called"
          + (before == 0 ? "" : " after \(operations[before - 1])")
      }
    }
  }
}
