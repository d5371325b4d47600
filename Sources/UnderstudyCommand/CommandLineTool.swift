public import Foundation

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
  let exchanges: [Data]
  let agreements: [RegisteredAgreement]
  let serving: ServedBackend?

  /// A tool of this name for these contracts.
  ///
  /// - Parameters:
  ///   - name: The name of the program.
  ///   - contracts: What `verify` tries.
  ///   - scenes: What `demo` shows after the contracts; there is no such command without any.
  ///   - exchanges: The documents of exchanges that `export` writes, as JSON; there is no such command without any.
  ///   - agreements: What `faults` tries; there is no such command without any.
  ///   - serving: What `serve` serves unless it is told a file.
  public init(
    _ name: String, contracts: RegisteredContract..., scenes: [Scene] = [], exchanges: [Data] = [],
    agreements: [RegisteredAgreement] = [], serving: ServedBackend? = nil
  ) {
    self.name = name
    self.contracts = contracts
    self.scenes = scenes
    self.exchanges = exchanges
    self.agreements = agreements
    self.serving = serving
  }

  /// Runs the process's arguments and ends the process with the status of ``run(_:console:)``.
  ///
  /// SIGINT and SIGTERM stop `serve`, which then tells what there was.
  public func main() async -> Never {
    exit(await run(Array(CommandLine.arguments.dropFirst()), console: .standard, heedsSignals: true))
  }

  /// Runs one command.
  ///
  /// `serve` goes on until the task is cancelled.
  ///
  /// - Parameters:
  ///   - arguments: The words after the name of the program.
  ///   - console: Where it writes.
  /// - Returns: The exit status: 0 when nothing failed, 1 when a clause failed, 2 when the arguments cannot be
  ///   understood or the result cannot be written; then one line on standard error says why.
  public func run(_ arguments: [String], console: Console) async -> Int32 {
    await run(arguments, console: console, heedsSignals: false)
  }

  private func run(_ arguments: [String], console: Console, heedsSignals: Bool) async -> Int32 {
    do throws(CommandError) {
      switch arguments.first {
      case nil, "help", "--help", "-h":
        try console.write(usage)
        return 0
      case "verify":
        return try await VerifyCommand(tool: self).run(Array(arguments.dropFirst()), console: console)
      case "demo" where !scenes.isEmpty:
        return try await DemoCommand(tool: self).run(Array(arguments.dropFirst()), console: console)
      case "export" where !exchanges.isEmpty:
        return try await ExportCommand(tool: self).run(Array(arguments.dropFirst()), console: console)
      case "faults" where !agreements.isEmpty:
        return try await FaultsCommand(tool: self).run(Array(arguments.dropFirst()), console: console)
      case "serve":
        return try await ServeCommand(tool: self, heedsSignals: heedsSignals)
          .run(Array(arguments.dropFirst()), console: console)
      case let word?:
        let names = commands.map(\.name).joined(separator: ", ")
        throw CommandError("\"\(word)\" is not a command. Commands: \(names). See \(name) --help.")
      }
    } catch {
      console.writeError("\(name): \(error.description)")
      return 2
    }
  }

  /// The commands that there are, with what each does.
  private var commands: [(name: String, abstract: String)] {
    var commands = [
      ("serve", "Serve a backend, a recording or exchanges over HTTP, with faults on the wire."),
      ("verify", "Run the contracts against their implementations and print the matrix."),
    ]
    if !agreements.isEmpty {
      commands.insert(("faults", "Put every fault in at every seam, and show what is seen of it."), at: 0)
    }
    if !exchanges.isEmpty {
      commands.insert(("export", "Write the exchanges of the services as Pact files or as OpenAPI."), at: 0)
    }
    if !scenes.isEmpty {
      commands.insert(("demo", "Show in a minute what the package does; nothing to install."), at: 0)
    }
    return commands
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
