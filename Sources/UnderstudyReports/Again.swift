import UnderstudyContracts

/// The commands that run again what a report tells of.
struct Again {
  /// The program that has the contracts; `nil` where only tests have them.
  let tool: String?

  /// Runs a clause on every implementation: in the tests, and with the program.
  func commands(for clause: String, of contract: String, seed: UInt64) -> [String] {
    let test = "UNDERSTUDY_CLAUSE=\(Self.word(clause)) UNDERSTUDY_SEED=\(seed) swift test"
    return command(["verify", "--service", contract, "--clause", clause, "--seed", "\(seed)"]) + [test]
  }

  /// Puts every fault into a call.
  func commands(forFaultsOf call: String) -> [String] { command(["faults", "--call", call]) }

  /// What is said behind the name of the program, as a whole.
  func commands(behindTool words: String) -> [String] {
    tool.map { ["swift run \(Self.word($0)) \(words)"] } ?? []
  }

  private func command(_ words: [String]) -> [String] {
    commands(behindTool: words.map(Self.word).joined(separator: " "))
  }

  /// A word as a shell reads it back.
  static func word(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || "-_./:=,+@%".utf8.contains(byte)
      }
    return isPlain
      ? word
      : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
