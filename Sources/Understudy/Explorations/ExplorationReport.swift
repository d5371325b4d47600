/// How an exploration ended.
public struct ExplorationReport<Command: ExplorationCommand>: Sendable {
  /// How many commands were carried out, those of shrinking not counted.
  public internal(set) var commands = 0
  /// How many programs they were in.
  public internal(set) var programs = 0
  /// What was found, shrunk; `nil` if service and model agree.
  public internal(set) var finding: ExplorationFinding<Command>?
}
