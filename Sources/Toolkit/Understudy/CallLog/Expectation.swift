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
    ///
    /// A name that looks like a misspelled name of an operation that is called is a warning.
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

    func allows(_ call: CallCore) -> Bool {
      if case .othersAllowed = content { return true }
      return operations.contains { $0.matches(call) }
    }

    /// The unmet expectation; `nil` if it is met.
    func failure(about calls: [CallCore]) -> String? {
      if let mistake = operations.lazy.compactMap({ $0.mistake(among: calls) }).first {
        return "\(self), which no call can match. \(mistake)"
      }
      let names = calls.map(\.operation)
      switch content {
      case .othersAllowed: return nil
      case .count(let range, let operation):
        let count = calls.count { operation.matches($0) }
        if range.contains(count) { return nil }
        let nearest = count == 0 ? operation.nearest(among: names).map { "; did you mean \($0)?" } : nil
        return "\(self), but it was called \(Words.count(count, "time"))\(nearest ?? "")"
      case .order(let operations):
        var missing = operations[...]
        for call in calls where missing.first?.matches(call) == true { missing.removeFirst() }
        guard let first = missing.first else { return nil }
        let before = operations.count - missing.count
        return "\(self), but \(first) was not called"
          + (before == 0 ? "" : " after \(operations[before - 1])")
          + (first.nearest(among: names).map { "; did you mean \($0)?" } ?? "")
      }
    }

    /// That it is met only because it seems to have a misspelled name; `nil` if it has not.
    ///
    /// - Parameter others: All expectations of the log: a name that one of them has is right.
    func slip(among calls: [OperationCore], besides others: [Self]) -> String? {
      guard case .count(_, let operation) = content else { return nil }
      let known = others.flatMap(\.operations)
      return operation.slip(among: calls.filter { !known.contains($0) }).map {
        "The expectation \"\(self)\" is met, because no call of \(operation) was made, and \($0)"
      }
    }
  }
}

extension OperationCore {
  /// The name of a method; `nil` for a request and a pattern.
  private var name: String? { if case .name(let name) = self { name } else { nil } }

  /// Why no call can match the pattern, judged by the calls of its operation; `nil` if one can.
  func mistake(among calls: [CallCore]) -> String? {
    guard let selection else { return nil }
    let own = calls.filter { matches($0.operation) }
    let mistakes = own.compactMap(selection.mistake)
    return mistakes.count == own.count ? mistakes.first : nil
  }

  /// The operation of a call of which this one, whose name no call has, is probably a misspelling.
  fileprivate func nearest(among calls: [OperationCore]) -> String? {
    guard let name, !calls.contains(self) else { return nil }
    return Set(calls.compactMap(\.name)).misspelt(as: name)
  }

  /// That a name, which no call has, seems to be misspelled: the rest of a sentence; `nil` if it does not.
  ///
  /// Other operations than those that were called are not known here. A name that only resembles one of these, such as
  /// `item` and `items`, is that of another operation which is rightly not called.
  func slip(among calls: [OperationCore]) -> String? {
    guard let name, !calls.contains(self) else { return nil }
    let names = calls.compactMap(\.name)
    guard let meant = names.filter(name.isSlip).min() else { return nil }
    return """
      \(meant) was called \(Words.count(names.count { $0 == meant }, "time")). Did you mean \(meant)? Declare each \
      operation once, as a static member of Operation, so that a misspelled name does not compile.
      """
  }
}
