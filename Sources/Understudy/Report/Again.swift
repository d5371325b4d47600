
/// The commands that run again what a report tells of.
struct Again {
  /// The program that has the contracts; `nil` where only tests have them.
  let tool: String?

  /// Runs a clause on every implementation: in the tests, and with the program.
  func commands(for clause: String, of contract: String, seed: UInt64) -> [String] {
    let test = "UNDERSTUDY_CLAUSE=\(Words.shell(clause)) UNDERSTUDY_SEED=\(seed) swift test"
    return command(["verify", "--service", contract, "--clause", clause, "--seed", "\(seed)"]) + [test]
  }

  /// Puts every fault into a call.
  func commands(forFaultsOf call: String) -> [String] { command(["faults", "--call", call]) }

  /// What is said behind the name of the program, as a whole.
  func commands(behindTool words: String) -> [String] {
    tool.map { ["swift run \(Words.shell($0)) \(words)"] } ?? []
  }

  private func command(_ words: [String]) -> [String] {
    commands(behindTool: words.map(Words.shell).joined(separator: " "))
  }
}
