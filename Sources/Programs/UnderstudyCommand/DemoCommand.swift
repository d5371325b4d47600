import Understudy
package import UnderstudyConsole
import UnderstudyText

extension CommandLineTool {
  /// A part of `demo`, which shows one feature to a new user.
  package struct Demonstration: Sendable {
    let title: String
    let show: @Sendable (Console) async throws -> Void

    /// Creates a demonstration.
    ///
    /// - Parameters:
    ///   - title: The title, in a few words.
    ///   - show: A function that runs the feature and writes its output. If it throws an error, `demo` fails.
    package init(_ title: String, show: @escaping @Sendable (Console) async throws -> Void) {
      self.title = title
      self.show = show
    }
  }
}

/// `demo`: the contracts in brief, then the demonstrations.
struct DemoCommand {
  let tool: CommandLineTool

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    var reader = OptionReader(words, of: "\(tool.name) demo")
    while let option = try reader.next() {
      guard ["--help", "-h"].contains(option) else { throw reader.unknownOption }
      try console.write(usage)
      return 0
    }
    try console.write(heading(1, "The contracts: what every implementation of a service must do"))
    var hasFailed = false
    for contract in tool.contracts {
      // Two of them, the double and what it is compared with, take 10 seconds; all take a minute.
      let names = Array(contract.implementations.prefix(2))
      let section = await contract.report(RegisteredContract.Choice(names: names), 0, console.showProgress)
      console.showProgress("")
      try console.write(brief(section))
      hasFailed = hasFailed || section.outcomes.contains { $0.name == "failed" }
    }
    try console.write("  Every clause with its sentence, and the other implementations: \(tool.name) verify")
    for (number, demonstration) in zip(2..., tool.demonstrations) {
      try console.write("\n" + heading(number, demonstration.title))
      do {
        try await demonstration.show(console)
      } catch {
        console.writeError("\(tool.name): \(CommandError("\"\(demonstration.title)\" failed: \(error)"))")
        hasFailed = true
      }
    }
    return hasFailed ? 1 : 0
  }

  private func heading(_ number: Int, _ title: String) -> String {
    "\(number)  \(title)\n"
  }

  /// Returns the contract's name, one of its clauses, and the number of outcomes of each implementation.
  private func brief(_ section: ContractReport) -> String {
    var lines = ["  \(section.name), \(Words.count(section.clauses.count, "clause")), such as:"]
    if let clause = section.clauses.first { lines.append("  “\(clause.statement)”") }
    var table = TextTable(.left, .left)
    for name in section.clauses.first?.outcomes.map(\.implementation) ?? [] {
      let outcomes = section.clauses.flatMap(\.outcomes).filter { $0.implementation == name }.map(
        \.outcome.name)
      let counts = ["passed", "failed", "skipped"].compactMap { kind in
        let count = outcomes.count { $0 == kind }
        return count == 0 ? nil : "\(count) \(kind)"
      }
      table.append("    " + name, counts.joined(separator: ", "))
    }
    return (lines + table.lines()).joined(separator: "\n") + "\n"
  }

  private var usage: String {
    """
    usage: \(tool.name) demo

    Show what the package does, in less than a minute. Requires neither an installation nor a network.

    \(zip(1..., ["The contracts in brief"] + tool.demonstrations.map(\.title)).map { "  \($0)  \($1)" }
      .joined(separator: "\n"))

      --help    Show this help.

    Example: \(tool.name) demo

    Exit status: 0 on success, 1 if a clause or a demonstration failed, 2 if the arguments are invalid.
    """
  }
}

extension ContractReport {
  fileprivate var outcomes: [Outcome] { clauses.flatMap(\.outcomes).map(\.outcome) }
}
