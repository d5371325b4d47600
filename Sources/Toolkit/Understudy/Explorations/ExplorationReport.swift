import UnderstudyText

/// The result of an exploration.
package struct ExplorationReport<Command: ExplorationCommand>: Sendable {
  /// The number of commands that were run, without those of shrinking.
  package internal(set) var commands = 0
  /// The number of programs that were run.
  package internal(set) var programs = 0
  /// Whether the size has no place for a command, so that the programs only observe a fresh service.
  var drawsNothing = false
  /// Whether no call of any program reached what the implementation intercepts.
  var callsNothing = true
  /// The kinds of commands that were drawn often and never applicable.
  var refused: [(kind: String, draws: Int)] = []
  /// The failure, shrunk; `nil` if service and model agree.
  package internal(set) var failure: ExplorationFailure<Command>?

  /// Why the exploration would pass on anything, or tests nothing of a kind of command; `nil` if it does neither.
  package var gap: String? {
    if drawsNothing {
      return """
        The exploration made no call of its own, so it would pass on anything: its size has neither a sequence with a \
        command nor a program. Leave the size out, or use larger numbers.
        """
    }
    if commands == 0 {
      return "The exploration made no call, so it would pass on anything: no command made sense in the model."
    }
    if callsNothing {
      return """
        The commands never called the service, so the exploration would pass on anything: their call(in:) must use the \
        service that it receives.
        """
    }
    if refused.isEmpty { return nil }
    let kinds = refused.map { "\($0.kind) (drawn \(Words.count($0.draws, "time")))" }
    return """
      The exploration never made some of its commands, so it tests nothing of them: \(kinds.joined(separator: ", "))
      Their call(in:) was nil in every state: correct its condition, or do not draw them.
      """
  }
}

/// A program on which a service and its model disagree, after shrinking.
package struct ExplorationFailure<Command: ExplorationCommand>: Sendable, CustomStringConvertible {
  /// The name of the exploration.
  package let exploration: String
  /// The name of the implementation.
  package let implementation: String
  /// The source of all randomness; `nil` for a given program.
  package let seed: UInt64?
  /// The program.
  package let program: ExplorationProgram<Command>
  /// The number of commands before the program was shrunk.
  package let originalCount: Int
  /// The disagreement.
  package let cause: ExplorationFailureCause
  /// The call that runs the program again, as Swift code for a test.
  package let swift: String

  /// A description of several lines.
  package var description: String {
    let origin = seed.map { ", shrunk from \(originalCount); seed \($0)" } ?? ""
    let number = program.count == 1 ? "1 command" : "\(program.count) commands"
    return """
      \(exploration) on \(implementation): \(cause)
      Again (\(number)\(origin)):
      \(swift)
      """
  }
}

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
      "no order of these calls gives these answers.\n\(hint)\n\(history)"
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

/// An error thrown when a service cannot be explored.
package struct ExplorationError: Error, Hashable, CustomStringConvertible {
  /// The reason.
  package let description: String
  /// Whether the implementation only lacks a condition that the model requires.
  package let isSkip: Bool

  init(_ description: String, isSkip: Bool = false) {
    self.description = description
    self.isSkip = isSkip
  }
}
