import UnderstudyContracts

/// `demo`: the contracts in brief, then the scenes.
struct DemoCommand {
  let tool: CommandLineTool

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    if let word = words.first {
      guard ["--help", "-h"].contains(word), words.count == 1 else {
        throw CommandError("\"\(word)\" is not an option of demo. See \(tool.name) demo --help.")
      }
      try console.write(usage)
      return 0
    }
    try console.write(heading(1, "The contracts: what every implementation of a service must do"))
    var hasFailed = false
    for contract in tool.contracts {
      let section = await contract.report(RegisteredContract.Choice(), 0, console.showProgress)
      console.showProgress("")
      try console.write(brief(section))
      hasFailed = hasFailed || section.outcomes.contains { $0.name == "failed" }
    }
    try console.write("  Every clause with its sentence: \(tool.name) verify")
    for (number, scene) in zip(2..., tool.scenes) {
      try console.write("\n" + heading(number, scene.title))
      do {
        try await scene.play(console)
      } catch {
        console.writeError("\(tool.name): the scene \"\(scene.title)\" failed: \(error)")
        hasFailed = true
      }
    }
    return hasFailed ? 1 : 0
  }

  private func heading(_ number: Int, _ title: String) -> String {
    "\(number)  \(title)\n"
  }

  /// The contract's name, one of its sentences, and how many clauses each implementation keeps.
  private func brief(_ section: ContractReport) -> String {
    let names = section.clauses.first?.outcomes.map(\.implementation) ?? []
    let width = names.map(\.count).max() ?? 0
    let clauses = section.clauses.count == 1 ? "1 clause" : "\(section.clauses.count) clauses"
    var lines = ["  \(section.name), \(clauses), such as:"]
    if let clause = section.clauses.first { lines.append("  “\(clause.statement)”") }
    for name in names {
      let outcomes = section.clauses.flatMap(\.outcomes).filter { $0.implementation == name }.map(
        \.outcome.name)
      let counts = ["passed", "failed", "skipped"].compactMap { kind in
        let count = outcomes.count { $0 == kind }
        return count == 0 ? nil : "\(count) \(kind)"
      }
      let padding = String(repeating: " ", count: width - name.count)
      lines.append("    \(name)\(padding)  \(counts.joined(separator: ", "))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var usage: String {
    """
    usage: \(tool.name) demo

    Shows in a minute what the package does, on what is built in: nothing to install, and no network.

    \(zip(1..., ["The contracts in brief"] + tool.scenes.map(\.title)).map { "  \($0)  \($1)" }
      .joined(separator: "\n"))

      --help    This text.

    Exit status: 0 when nothing failed, 1 when a clause or a scene failed, 2 when the arguments cannot be understood.
    """
  }
}

extension ContractReport {
  fileprivate var outcomes: [Outcome] { clauses.flatMap(\.outcomes).map(\.outcome) }
}
