/// A program on which a service and its model disagree, as short as it could be made.
public struct ExplorationFinding<Command: ExplorationCommand>: Sendable, CustomStringConvertible {
  /// The name of the exploration.
  public let exploration: String
  /// The name of the implementation.
  public let implementation: String
  /// What everything random came from; `nil` for a program that was given.
  public let seed: UInt64?
  /// The program.
  public let program: ExplorationProgram<Command>
  /// How many commands the program had before it was shrunk.
  public let originalCount: Int
  /// What is wrong with it.
  public let defect: ExplorationDefect
  /// The call that tries the program again, as Swift to be pasted into a test.
  public let swift: String

  /// All of it, in lines for a person.
  public var description: String {
    let origin = seed.map { ", shrunk from \(originalCount); seed \($0)" } ?? ""
    let number = program.count == 1 ? "1 command" : "\(program.count) commands"
    return """
      \(exploration) on \(implementation): \(defect)
      Again (\(number)\(origin)):
      \(swift)
      """
  }
}

/// How a service and its model disagree.
public enum ExplorationDefect: Sendable, Hashable, CustomStringConvertible {
  /// A call of a sequence had an answer that the model does not allow.
  case wrongAnswer(command: String, expected: String, found: String)
  /// An invariant does not hold after a command.
  ///
  /// - Parameter reason: What it threw; `nil` if it said no.
  case brokenInvariant(String, after: String, reason: String?)
  /// No order of the calls explains their answers: the history is not linearizable.
  ///
  /// - Parameters:
  ///   - hint: What goes wrong at the end of the longest order that can be begun.
  ///   - history: The overlapping calls as a table.
  case notLinearizable(hint: String, history: String)

  /// What was expected and what happened instead.
  public var description: String {
    switch self {
    case .wrongAnswer(let command, let expected, let found):
      "\(command) was not answered as the model says.\nExpected: \(expected)\nFound: \(found)"
    case .brokenInvariant(let statement, let command, let reason):
      "after \(command) an invariant does not hold.\nExpected: \(statement)"
        + (reason.map { "\nFound: the error \($0)" } ?? "")
    case .notLinearizable(let hint, let history):
      "no order of these calls explains their answers.\n\(hint)\n\(history)"
    }
  }
}
