import Foundation
import UnderstudyContracts
import UnderstudyReports

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
      throw CommandError("There is no recorded implementation here, so --record has nothing to make.")
    }
    if options.choice.server != nil, !tool.contracts.contains(where: \.runsRemotely) {
      throw CommandError(
        "No implementation here runs on a server somewhere else, so --against has nothing to try.")
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
      throw CommandError(
        """
        None of the chosen services has one of the chosen implementations\
        \(options.choice.clause.isEmpty ? "" : " and a clause that begins with \(options.choice.clause)"). \(known).
        """)
    }
    try options.output.write(report, of: tool, on: console)
    return report.isClean ? 0 : 1
  }

  /// The options, or `nil` when help is asked for.
  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options()
    var reader = OptionReader(words, of: "\(tool.name) verify")
    while let option = reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--service":
        options.services.append(try reader.value(among: services, "service"))
      case "--implementation":
        options.choice.names.append(try reader.value(among: implementations, "implementation"))
      case "--record": options.choice.records = true
      case "--against": options.choice.server = RemoteServer(url: try reader.address(), keys: [:])
      case "--key":
        let written = try reader.value()
        let pair = written.split(separator: "=", maxSplits: 1).map(String.init)
        guard pair.count == 2 else {
          throw CommandError(
            "--key takes a name and a value, such as --key api-key=…, and not \"\(written)\".")
        }
        options.keys[pair[0]] = pair[1]
      case "--recordings":
        let records = options.choice.records || reader.isFollowed(by: "--record")
        options.choice.recordings = try folder(try reader.value(), isRead: !records)
      case "--clause":
        options.choice.clause = try reader.value()
        guard tool.contracts.contains(where: { $0.hasClause(options.choice) }) else {
          throw CommandError(
            "No clause here begins with \"\(options.choice.clause)\". See \(tool.name) verify.")
        }
      case "--seed": options.seed = try reader.number()
      default: guard try options.output.take(option, from: &reader) else { throw reader.unknownOption }
      }
    }
    if let server = options.choice.server {
      guard !options.choice.records, options.choice.names.isEmpty else {
        throw CommandError(
          "--against tries one server and nothing else; leave out --implementation and --record.")
      }
      options.choice.server = RemoteServer(url: server.url, keys: options.keys)
    } else if !options.keys.isEmpty {
      throw CommandError("--key opens the server that --against names, and there is none.")
    }
    return options
  }

  /// A folder that is read must be there.
  private func folder(_ path: String, isRead: Bool) throws(CommandError) -> URL {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if exists ? !isFolder.boolValue : isRead {
      throw CommandError("--recordings takes a folder, and \(path) is \(exists ? "none" : "not there").")
    }
    return URL(filePath: path, directoryHint: .isDirectory)
  }

  private var services: [String] { tool.contracts.map(\.name) }

  /// Every implementation of any contract, once, in the order of registration.
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
    usage: \(tool.name) verify [--service <name>] … [--implementation <name>] … [--clause <beginning>] [--seed <n>]
           [--recordings <folder>] [--record] [--format table|json|html|junit] [--output <file>]
       \(tool.name) verify --against <url> [--key <name>=<value>] … [--service <name>] …

    Runs each contract against each implementation of its service and prints the matrix.

      --service <name>          Only this service; can be given several times.
                                \(services.joined(separator: ", "))
      --implementation <name>   Only this implementation; can be given several times.
                                \(implementations.joined(separator: ", "))
      --clause <beginning>      Only clauses whose identifiers begin so, such as children.create.
    \(ReportOutput.help)
      --seed <n>                What everything random comes from, a whole number from 0; 0 unless said otherwise.
      --recordings <folder>     Where recordings are read, or made; where the package has them unless said otherwise.
      --record                  Make the recordings: run each clause through a recording transport, and write a file
                                for each clause that was kept. Nothing else is tried.
      --against <url>           Run the contracts on a server somewhere else, and nothing else. They make accounts of
                                their own there, and remove them with everything that belongs to them.
      --key <name>=<value>      A key to that server; can be given several times. A Supabase project has api-key and
                                service-key, which are the emulator's unless said otherwise.
      --help                    This text.

    In the table, ✓ is a clause that is kept, ✗ one that is broken, – one that could not be tried.
    Exit status: 0 when nothing failed, 1 when a clause failed, 2 when the arguments cannot be understood
    or the matrix cannot be written.
    """
  }
}

extension RegisteredContract {
  /// Whether there is anything to try.
  fileprivate func has(_ choice: Choice) -> Bool {
    guard hasClause(choice) else { return false }
    if choice.records && recordings == nil { return false }
    if choice.server != nil { return runsRemotely }
    return choice.names.isEmpty || implementations.contains { choice.names.contains($0) }
  }

  /// Whether one of its clauses is chosen.
  fileprivate func hasClause(_ choice: Choice) -> Bool {
    choice.clause.isEmpty || clauses.contains { $0.hasPrefix(choice.clause) }
  }
}
