/// A disagreement between a service and its model.
package enum ExplorationFailureCause: Sendable, Hashable, CustomStringConvertible {
  /// A call of a sequence had an answer that the model does not allow.
  case wrongAnswer(command: String, expected: String, found: String)
  /// An invariant does not hold after a command.
  ///
  /// - Parameter reason: The error that the invariant threw; `nil` if it returned `false`.
  case brokenInvariant(String, after: String, reason: String?)
  /// No order of the calls explains their answers, so the history is not linearizable.
  ///
  /// - Parameters:
  ///   - hint: The mismatch at the end of the longest order that was found.
  ///   - history: The overlapping calls as a table.
  case notLinearizable(hint: String, history: String)

  /// The expectation and what happened instead.
  package var description: String {
    switch self {
    case .wrongAnswer(let command, let expected, let found):
      "\(command) was not answered as the model says.\nExpected: \(expected.near(found))\nFound: \(found.near(expected))"
    case .brokenInvariant(let statement, let command, let reason):
      "after \(command) an invariant does not hold.\nExpected: \(statement)"
        + (reason.map { "\nFound: the error \($0)" } ?? "")
    case .notLinearizable(let hint, let history):
      "no order of these calls explains their answers.\n\(hint)\n\(history)"
    }
  }
}

extension String {
  /// The text, or the part of a long text around its first difference from another long text.
  func near(_ other: String) -> String {
    let long = 400
    guard count > long, other.count > long else { return self }
    let same = zip(self, other).prefix { $0 == $1 }.count
    let start = Swift.max(0, same - 80)
    let end = same + 120
    let part = dropFirst(start).prefix(end - start)
    return (start > 0 ? "… " : "") + part + (end < count ? " …" : "")
  }
}
