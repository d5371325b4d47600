/// A program on which a service and its model disagree, after shrinking.
public struct ExplorationFinding<Command: ExplorationCommand>: Sendable, CustomStringConvertible {
  /// The name of the exploration.
  public let exploration: String
  /// The name of the implementation.
  public let implementation: String
  /// The source of all randomness; `nil` for a given program.
  public let seed: UInt64?
  /// The program.
  public let program: ExplorationProgram<Command>
  /// The number of commands before the program was shrunk.
  public let originalCount: Int
  /// The disagreement.
  public let defect: ExplorationDefect
  /// The call that runs the program again, as Swift code for a test.
  public let swift: String

  /// A description of several lines.
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
