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
