/// How much is explored.
public struct ExplorationSize: Sendable, Hashable {
  /// How many sequences are tried, each on a fresh stage.
  public let sequences: Int
  /// How many commands a sequence has.
  public let length: Int
  /// How many programs with concurrent branches are tried, each on a fresh stage.
  public let programs: Int

  /// A size; numbers below 0 are 0, and those above a thousand million are that.
  public init(sequences: Int = 100, length: Int = 30, programs: Int = 500) {
    self.sequences = Self.clamped(sequences)
    self.length = Self.clamped(length)
    self.programs = Self.clamped(programs)
  }

  /// For services in memory: a fraction of a second.
  public static let standard: ExplorationSize = ExplorationSize()
  /// For services that take a millisecond for a call.
  public static let small: ExplorationSize = ExplorationSize(sequences: 20, length: 20, programs: 20)

  /// So many times as many sequences and programs.
  package func times(_ factor: Int) -> ExplorationSize {
    func times(_ number: Int) -> Int {
      let (product, overflows) = number.multipliedReportingOverflow(by: Self.clamped(factor))
      return overflows ? .max : product
    }
    return ExplorationSize(sequences: times(sequences), length: length, programs: times(programs))
  }

  private static func clamped(_ number: Int) -> Int { min(max(0, number), 1_000_000_000) }
}
