/// The result of an exploration.
package struct ExplorationReport<Command: ExplorationCommand>: Sendable {
  /// The number of commands that were run, without those of shrinking.
  package internal(set) var commands = 0
  /// The number of programs that were run.
  package internal(set) var programs = 0
  /// The failure, shrunk; `nil` if service and model agree.
  package internal(set) var failure: ExplorationFailure<Command>?
}
