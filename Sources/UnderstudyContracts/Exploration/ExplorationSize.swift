/// How much is explored.
public struct ExplorationSize: Sendable, Hashable {
  /// How many sequences are tried, each on a fresh stage.
  public let sequences: Int
  /// How many commands a sequence has.
  public let length: Int
  /// How many programs with concurrent branches are tried, each on a fresh stage.
  public let programs: Int

  /// A size; numbers below 0 are 0.
  public init(sequences: Int = 100, length: Int = 30, programs: Int = 500) {
    self.sequences = max(0, sequences)
    self.length = max(0, length)
    self.programs = max(0, programs)
  }

  /// For services in memory: a fraction of a second.
  public static let standard: ExplorationSize = ExplorationSize()
  /// For services that take a millisecond for a call.
  public static let small: ExplorationSize = ExplorationSize(sequences: 20, length: 20, programs: 20)
}
