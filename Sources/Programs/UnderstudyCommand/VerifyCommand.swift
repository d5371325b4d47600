import Foundation
import Understudy
import UnderstudyConsole

/// `verify`: runs contracts and prints the matrix of clauses and implementations.
struct VerifyCommand {
  let tool: CommandLineTool

  private struct Options {
    var services: [String] = []
    var choice = RegisteredContract.Choice()
    var output = ReportOutput()
    var seed: UInt64 = 0
    var keys: [String: String] = [:]
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    guard let options = try parse(words) else {
      try console.write(usage)
      return 0
    }
    if options.choice.records, tool.contracts.allSatisfy({ $0.recordings == nil }) {
      throw CommandError(
        "--record requires a contract with a recorded implementation, but none is registered.")
    }
    if options.choice.server != nil, !tool.contracts.contains(where: \.runsRemotely) {
      throw CommandError(
        "--against requires a contract with a remote implementation, but none is registered.")
    }
    var report = UnderstudyReport()
    for contract in tool.contracts
    where (options.services.isEmpty || options.services.contains(contract.name))
      && contract.has(options.choice)
    {
      report.contracts.append(await contract.report(options.choice, options.seed, console.showProgress))
    }
    console.showProgress("")
    guard !report.contracts.isEmpty else {
      let clause =
        options.choice.clause.isEmpty ? "" : " and clauses that start with \(options.choice.clause)"
      throw CommandError("No chosen service has the chosen implementations\(clause). Valid values: \(known).")
    }
    try options.output.write(report, of: tool, on: console)
    // With fewer implementations, some clauses cannot be tested, which is the choice of whoever runs the command.
    let isWhole = options.choice.names.isEmpty && options.choice.server == nil && !options.choice.records
    let untested = isWhole ? report.contracts.flatMap(\.untested) : []
    for clause in untested {
      console.writeError(
        "\(tool.name): No implementation could be tested under \(clause), so the clause checks nothing. Set up its "
          + "condition in one of them, or delete the clause.")
    }
    return report.isClean && untested.isEmpty && !report.isEmpty ? 0 : 1
  }

  /// Returns the options, or `nil` for help.
  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options()
    var recordings: String?
    var reader = OptionReader(words, of: "\(tool.name) verify")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--service":
        options.services.append(try reader.value(among: services, "service"))
      case "--implementation":
        options.choice.names.append(try reader.value(among: implementations, "implementation"))
      case "--record": options.choice.records = true
      case "--against": options.choice.server = (try reader.address(), [:])
      case "--key":
        let written = try reader.value()
        let pair = written.split(separator: "=", maxSplits: 1).map(String.init)
        guard pair.count == 2 else {
          // The argument may be a secret, so it is not printed.
          throw CommandError("--key requires a name and a value, such as --key api-key=…")
        }
        options.keys[pair[0]] = pair[1]
      case "--recordings": recordings = try reader.value()
      case "--clause":
        options.choice.clause = try reader.value()
        guard tool.contracts.contains(where: { $0.hasClause(options.choice) }) else {
          throw CommandError(
            "No clause starts with \"\(options.choice.clause)\". List the clauses with: \(tool.name) verify")
        }
      case "--seed": options.seed = try reader.number()
      default: guard try options.output.take(option, from: &reader) else { throw reader.unknownOption }
      }
    }
    if let recordings { options.choice.recordings = try folder(recordings, isRead: !options.choice.records) }
    if let server = options.choice.server {
      guard !options.choice.records, options.choice.names.isEmpty else {
        throw CommandError("--against cannot be combined with --implementation or --record.")
      }
      options.choice.server = (server.url, options.keys)
    } else if !options.keys.isEmpty {
      throw CommandError("--key requires --against.")
    }
    return options
  }

  /// Returns the URL of a folder, which must exist if it is read.
  private func folder(_ path: String, isRead: Bool) throws(CommandError) -> URL {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard exists || !isRead else { throw CommandError("--recordings: folder not found: \(path).") }
    guard !exists || isFolder.boolValue else {
      throw CommandError("--recordings requires a folder, but \(path) is a file.")
    }
    return URL(filePath: path, directoryHint: .isDirectory)
  }

  private var services: [String] { tool.contracts.map(\.name) }

  /// The implementations of all contracts, each once, in the order of registration.
  private var implementations: [String] {
    tool.contracts.flatMap(\.implementations).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  private var known: String {
    tool.contracts.map { "\($0.name): \($0.implementations.joined(separator: ", "))" }.joined(separator: "; ")
  }

  private var usage: String {
    """
    usage: \(tool.name) verify [--service <name>] … [--implementation <name>] … [--clause <prefix>] [--seed <n>]
           [--recordings <folder>] [--record] [--format table|json|html|junit] [--output <file>]
           \(tool.name) verify --against <url> [--key <name>=<value>] … [--service <name>] …

    Run each contract against each implementation of its service, and print the matrix.

      --service <name>          Try only this service. Can be repeated.
                                \(HelpText.list(services))
      --implementation <name>   Try only this implementation. Can be repeated.
                                \(HelpText.list(implementations))
      --clause <prefix>         Try only clauses whose identifiers start with this, such as children.create.
    \(ReportOutput.help)
      --seed <n>                The seed of everything random, a whole number from 0 (default: 0).
      --recordings <folder>     The folder to read recordings from, or to write them to (default: the recordings of the
                                package).
      --record                  Record: run each clause through a recording transport, and write a file for each clause
                                that passes. Do not try other implementations.
      --against <url>           Run the contracts only on this server. They create accounts on it, and delete them with
                                all their data.
      --key <name>=<value>      A key of that server. Can be repeated. A Supabase project has api-key and service-key
                                (default: those of the emulator).
      --help                    Show this help.

    In the table, ✓ is a clause that passed, ✗ one that failed, – one that was skipped.

    Example: \(tool.name) verify --format html --output report.html

    Exit status: 0 if no clause failed, 1 if one failed or could be tested with none of all implementations, 2 if the
    arguments are invalid or the report cannot be written.
    """
  }
}

extension RegisteredContract {
  /// Returns whether the choice leaves anything to try.
  fileprivate func has(_ choice: Choice) -> Bool {
    guard hasClause(choice) else { return false }
    if choice.records && recordings == nil { return false }
    if choice.server != nil { return runsRemotely }
    return choice.names.isEmpty || implementations.contains { choice.names.contains($0) }
  }

  /// Returns whether the choice includes one of its clauses.
  fileprivate func hasClause(_ choice: Choice) -> Bool {
    choice.clause.isEmpty || clauses.contains { $0.hasPrefix(choice.clause) }
  }
}
