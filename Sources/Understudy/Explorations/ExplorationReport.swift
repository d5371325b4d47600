/// The result of an exploration.
public struct ExplorationReport<Command: ExplorationCommand>: Sendable {
  /// The number of commands that were run, without those of shrinking.
  public internal(set) var commands = 0
  /// The number of programs that were run.
  public internal(set) var programs = 0
  /// The failure, shrunk; `nil` if service and model agree.
  public internal(set) var finding: ExplorationFinding<Command>?
}
