import Foundation
public import Understudy
package import UnderstudyConsole
import UnderstudyGeneration

/// A command line for recordings, and for the registered contracts and scenarios of a package.
///
/// ```swift
/// @main enum Main {
///   static func main() async {
///     await CommandLineTool("todos", contracts: RegisteredContract(.todoService, .inMemory, .live)).main()
///   }
/// }
/// ```
///
/// A tool with only a name has the commands for recordings and doubles: `record`, `replay`, `inspect` and others.
public struct CommandLineTool: Sendable {
  let name: String
  let contracts: [RegisteredContract]
  let scenarios: [Scenario]
  let serving: ServedBackend?
  /// The demonstrations that `demo` shows after the contracts.
  package var demonstrations: [Demonstration] = []
  /// The agreements for `faults`.
  package var agreements: [RegisteredAgreement] = []
  var environment = CommandEnvironment()

  /// Creates a tool with the commands for its registered values.
  ///
  /// - Parameters:
  ///   - name: The name of the program.
  ///   - contracts: The contracts for `verify`, and for `mutants` if any contract has mutants.
  ///   - scenarios: The scenarios for `sweep`.
  ///   - serving: The default backend of `serve`.
  public init(
    _ name: String, contracts: RegisteredContract..., scenarios: [Scenario] = [],
    serving: ServedBackend? = nil
  ) {
    self.name = name
    self.contracts = contracts
    self.scenarios = scenarios
    self.serving = serving
  }

  /// Runs the command in the arguments of the process, then exits.
  ///
  /// The exit status is 0 on success, 1 if a check failed, and 2 if the arguments or a file are invalid or the result
  /// cannot be written; one line on standard error then contains the reason. SIGINT and SIGTERM stop `serve`, `replay`
  /// and `record`, which then print a summary.
  public func main() async -> Never {
    // Other commands end at once.
    if ["serve", "replay", "record"].contains(CommandLine.arguments.dropFirst().first) { StopSignals.keep() }
    GlobalExecutor.returnJobs()
    var tool = self
    tool.environment.handlesSignals = true
    tool.environment.program = Bundle.main.executablePath ?? CommandLine.arguments[0]
    await tool.program.main()
  }

  /// Runs one command; `serve`, `replay` and `record` run until the task is cancelled.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the name of the program.
  ///   - console: The output.
  /// - Returns: The exit status, as for ``main()``.
  package func run(_ arguments: [String], console: Console) async -> Int32 {
    await program.run(arguments, console: console)
  }

  /// The commands with their options.
  var help: [CommandHelp] {
    get async { await program.help }
  }

  private var program: Program {
    Program(
      name,
      .adopt(of: name),
      Command(
        name: "completion", abstract: "Write the completion of commands and options for a shell.",
        run: CompletionCommand(tool: self).run),
      Command(
        name: "demo", abstract: "Show what the package does, in less than a minute.",
        isOffered: !demonstrations.isEmpty, run: DemoCommand(tool: self).run),
      Command(
        name: "diff", abstract: "Compare a recording with another one, or with the service today.",
        run: DiffCommand(tool: self).run),
      Command(
        name: "export", abstract: "Write recordings for Pact, OpenAPI or WireMock.",
        run: ExportCommand(tool: self).run),
      Command(
        name: "faults", abstract: "Inject every fault at every injection point and check the outcome.",
        isOffered: !agreements.isEmpty, run: FaultsCommand(tool: self).run),
      .generate(of: name),
      Command(
        name: "import", abstract: "Write the recordings of other tools as a HAR file.",
        run: ImportCommand(tool: self).run),
      Command(
        name: "inspect", abstract: "Show the contents of a recording.", run: InspectCommand(tool: self).run),
      Command(
        name: "mutants", abstract: "Check that the contracts detect wrong implementations.",
        isOffered: contracts.contains { $0.tryMutants != nil }, run: MutantsCommand(tool: self).run),
      Command(
        name: "record", abstract: "Record the exchanges of any client with a service, through a proxy.",
        run: RecordCommand(tool: self).run),
      Command(
        name: "recordings", abstract: "List the recordings of a folder, or those that no test uses.",
        run: RecordingsCommand(tool: self).run),
      Command(
        name: "redact", abstract: "Replace the secrets of a recording, or find them.",
        run: RedactCommand(tool: self).run),
      Command(
        name: "replay", abstract: "Serve a recording over HTTP, with faults on the wire.",
        run: ReplayCommand(tool: self).run),
      Command(
        name: "report", abstract: "Merge the reports of several runs, as a page or for a CI system.",
        run: ReportCommand(tool: self).run),
      Command(
        name: "serve", abstract: "Serve a backend over HTTP, with faults on the wire.",
        run: ServeCommand(tool: self).run),
      Command(
        name: "sweep",
        abstract: "Run scenarios under every fault and interruption at every call, and under combinations.",
        isOffered: !scenarios.isEmpty, run: SweepCommand(tool: self).run),
      Command(
        name: "validate", abstract: "Check that files are valid HAR 1.2.",
        run: ValidateCommand(tool: self).run),
      Command(
        name: "verify", abstract: "Run the contracts against their implementations.",
        isOffered: !contracts.isEmpty, run: VerifyCommand(tool: self).run))
  }
}

/// The dependencies of a command, which tests can replace.
struct CommandEnvironment: Sendable {
  /// The clock and the date.
  var time = Time.system
  /// The time zone of the time of day in logs.
  var timeZone = TimeZone.current
  /// Whether SIGINT and SIGTERM stop a command that runs until it is stopped.
  var handlesSignals = false
  /// The file of this program, which `sweep` starts for its runs; `nil` to make them in this process.
  var program: String?
  /// The program that terminates TLS for a forward proxy.
  var openSSL = "openssl"
}
