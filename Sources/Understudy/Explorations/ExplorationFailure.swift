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
