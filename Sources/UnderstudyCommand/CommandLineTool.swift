import Foundation
public import UnderstudyDoubles
import UnderstudyTransport

/// The command line of a package's contracts, as a library.
///
/// ```swift
/// @main enum Main {
///   static func main() async {
///     await CommandLineTool("todos", contracts: RegisteredContract(.todoService, .inMemory, .live)).main()
///   }
/// }
/// ```
public struct CommandLineTool: Sendable {
  let name: String
  let contracts: [RegisteredContract]
  let scenes: [Scene]
  let agreements: [RegisteredAgreement]
  let scenarios: [Scenario]
  let serving: ServedBackend?
  var surroundings = Surroundings()

  /// A tool of this name for these contracts.
  ///
  /// - Parameters:
  ///   - name: The name of the program.
  ///   - contracts: What `verify` tries, and `mutants` where they have some; there are no such commands without any.
  ///   - scenes: What `demo` shows after the contracts; there is no such command without any.
  ///   - agreements: What `faults` tries; there is no such command without any.
  ///   - scenarios: What `sweep` runs; there is no such command without any.
  ///   - serving: What `serve` serves unless it is told a file.
  public init(
    _ name: String, contracts: RegisteredContract..., scenes: [Scene] = [],
    agreements: [RegisteredAgreement] = [], scenarios: [Scenario] = [], serving: ServedBackend? = nil
  ) {
    self.name = name
    self.contracts = contracts
    self.scenes = scenes
    self.agreements = agreements
    self.scenarios = scenarios
    self.serving = serving
  }

  /// Runs the process's arguments and ends the process with the status of ``run(_:console:)``.
  ///
  /// SIGINT and SIGTERM stop `serve` and `replay`, which then tell what there was.
  public func main() async -> Never {
    var tool = self
    tool.surroundings.heedsSignals = true
    exit(await tool.run(Array(CommandLine.arguments.dropFirst()), console: .standard))
  }

  /// Runs one command.
  ///
  /// `serve` and `replay` go on until the task is cancelled.
  ///
  /// - Parameters:
  ///   - arguments: The words after the name of the program.
  ///   - console: Where it writes.
  /// - Returns: The exit status: 0 when nothing failed, 1 when a clause failed, an invariant does not hold, a file is
  ///   broken or something differs,
  ///   2 when the arguments cannot be understood or the result cannot be written; then one line on standard error says
  ///   why.
  public func run(_ arguments: [String], console: Console) async -> Int32 {
    do throws(CommandError) {
      guard let word = arguments.first, !["help", "--help", "-h"].contains(word) else {
        try console.write(usage)
        return 0
      }
      guard let command = commands.first(where: { $0.name == word }) else {
        let names = commands.map(\.name).joined(separator: ", ")
        throw CommandError("\"\(word)\" is not a command. Commands: \(names). See \(name) --help.")
      }
      return try await command.run(Array(arguments.dropFirst()), console)
    } catch {
      console.writeError("\(name): \(error.description)")
      return 2
    }
  }

  private struct Command {
    let name: String
    let abstract: String
    /// Whether there is anything for it to do.
    var isOffered = true
    let run: ([String], Console) async throws(CommandError) -> Int32
  }

  /// The commands that there are.
  private var commands: [Command] {
    let all = [
      Command(
        name: "demo", abstract: "Show in a minute what the package does; nothing to install.",
        isOffered: !scenes.isEmpty, run: DemoCommand(tool: self).run),
      Command(
        name: "diff", abstract: "Tell how a recording differs from another, or from the service today.",
        run: DiffCommand(tool: self).run),
      Command(
        name: "export", abstract: "Write recordings as Pact files or as OpenAPI.",
        run: ExportCommand(tool: self).run),
      Command(
        name: "faults", abstract: "Put every fault in at every seam, and show what is seen of it.",
        isOffered: !agreements.isEmpty, run: FaultsCommand(tool: self).run),
      Command(
        name: "generate",
        abstract: "Write doubles of protocols, or check whether they are as they should be.",
        run: generate),
      Command(
        name: "inspect", abstract: "Show what is in a recording.", run: InspectCommand(tool: self).run),
      Command(
        name: "mutants", abstract: "Try wrong implementations under the contracts that must notice them.",
        isOffered: contracts.contains { $0.tryMutants != nil }, run: MutantsCommand(tool: self).run),
      Command(
        name: "record", abstract: "Record what any client says to a service, through a proxy.",
        run: RecordCommand(tool: self).run),
      Command(
        name: "redact", abstract: "Replace the secrets of a recording, or look for them.",
        run: RedactCommand(tool: self).run),
      Command(
        name: "replay", abstract: "Serve a recording over HTTP, with faults on the wire.",
        run: ReplayCommand(tool: self).run),
      Command(
        name: "report", abstract: "Join what several runs found, and show it as a page or for a CI system.",
        run: ReportCommand(tool: self).run),
      Command(
        name: "serve", abstract: "Serve a backend over HTTP, with faults on the wire.",
        run: ServeCommand(tool: self).run),
      Command(
        name: "sweep", abstract: "Run scenarios under every fault at every call, and under pairs of them.",
        isOffered: !scenarios.isEmpty, run: SweepCommand(tool: self).run),
      Command(
        name: "validate", abstract: "Check whether files are HAR 1.2.", run: ValidateCommand(tool: self).run),
      Command(
        name: "verify", abstract: "Run the contracts against their implementations and print the matrix.",
        isOffered: !contracts.isEmpty, run: VerifyCommand(tool: self).run),
    ]
    return all.filter(\.isOffered)
  }

  private var usage: String {
    """
    usage: \(name) <command> [<option> …]

    Commands:
    \(commands.map { "  \($0.name.padding(toLength: 8, withPad: " ", startingAt: 0))  \($0.abstract)" }
      .joined(separator: "\n"))

    \(name) <command> --help tells more of a command.
    """
  }
}

/// What a command has around it, for tests to choose.
struct Surroundings: Sendable {
  /// What everything that lasts runs on, and what tells the date.
  var time = Time.system
  /// In which the time of day is told.
  var timeZone = TimeZone.current
  /// Whether SIGINT and SIGTERM stop what would go on for ever.
  var heedsSignals = false
}
