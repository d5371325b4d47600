/// The number and length of the programs of an exploration.
public struct ExplorationSize: Sendable, Hashable {
  /// The number of sequences, each in a fresh environment.
  package let sequences: Int
  /// The number of commands in a sequence.
  package let length: Int
  /// The number of programs with concurrent branches, each in a fresh environment.
  package let programs: Int

  /// Creates a size.
  ///
  /// Numbers are clamped to the range from 0 to 1,000,000,000.
  public init(sequences: Int = 100, length: Int = 30, programs: Int = 500) {
    self.sequences = Self.clamped(sequences)
    self.length = Self.clamped(length)
    self.programs = Self.clamped(programs)
  }

  /// A size for in-memory services: the exploration takes a fraction of a second.
  public static let standard: ExplorationSize = ExplorationSize()

  /// This size with the number of sequences and programs multiplied by a factor.
  package func times(_ factor: Int) -> ExplorationSize {
    func times(_ number: Int) -> Int {
      let (product, overflows) = number.multipliedReportingOverflow(by: Self.clamped(factor))
      return overflows ? .max : product
    }
    return ExplorationSize(sequences: times(sequences), length: length, programs: times(programs))
  }

  private static func clamped(_ number: Int) -> Int { min(max(0, number), 1_000_000_000) }
}
