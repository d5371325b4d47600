import Foundation
import TestSupport
import Testing
import UnderstudyConsole
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct CompletionCommandTests {
  /// A tool with every command.
  private var tool: CommandLineTool {
    var tool = CommandLineTool(
      "my-tool", contracts: RegisteredContract(.numbers("good"), .number(1)))
    tool.demonstrations = [.init("A scene") { _ in }]
    return tool
  }

  // Catches words that bash does not offer, and a script that it does not accept.
  @Test(arguments: [
    (["re"], ["record", "recordings", "redact", "replay", "report"]), (["diff", "--f"], ["--format"]),
    (["inspect", "--format", ""], ["table", "json"]), (["report", "--format", "h"], ["html"]),
    (["export", "p"], ["pact"]), (["completion", ""], ["bash", "zsh", "fish", "--help"]),
    (["report", "m"], ["merge"]), (["redact", "--output", "x"], []), (["verify", "--cl"], ["--clause"]),
    (["sweep", "--"], []),
  ])
  func bashCompletesCommandsOptionsAndValues(_ words: [String], _ expected: [String]) async throws {
    let folder = try TemporaryFolder()
    try folder.write(await CommandResult("completion bash", of: tool).output, to: "completion.bash")
    let line = (["my-tool"] + words).map { "'\($0)'" }.joined(separator: " ")
    let output = try ChildProcess([
      "bash", "-c",
      """
      set -u; source '\(folder.path)/completion.bash'; COMP_WORDS=(\(line)); COMP_CWORD=\(words.count)
      complete -p my-tool > /dev/null && _my_tool && printf '%s\\n' "${COMPREPLY[@]}"
      """,
    ]).output()
    #expect(output.split(separator: "\n").map(String.init) == expected)
  }

  // Catches a quotation mark or a bracket of a description that ends a word of the script.
  @Test func zshAndFishHaveALineForEachCommand() async {
    let zsh = await CommandResult("completion zsh", of: tool).output
    #expect(zsh.hasPrefix("#compdef my-tool\n"))
    #expect(zsh.contains("\n    'diff:Compare a recording with another one, or with the service today.'\n"))
    #expect(zsh.contains("'--format[The format (default\\: table)]:value:(table json)'"))
    #expect(zsh.contains("(default\\: that of the module'\\''s test target)]"))
    let fish = await CommandResult("completion fish", of: tool).output
    #expect(
      fish.contains(
        "complete -c my-tool -n '__fish_seen_subcommand_from diff' -l format -x -a 'table json' -d 'The format (default: table)'\n"
      ))
    #expect(fish.contains("(default: that of the module\\'s test target)'"))
    #expect(!fish.contains(" -a '-"))
  }

  @Test(arguments: [
    ("completion", "my-tool: completion requires a shell: bash, zsh, fish. See my-tool completion --help.\n"),
    ("completion csh", "my-tool: Unknown shell \"csh\". Valid values: bash, zsh, fish.\n"),
  ])
  func theShellIsRequired(_ line: String, _ message: String) async {
    let result = await CommandResult(line, of: tool)
    #expect(result.status == 2 && result.output == "" && result.error == message)
  }

  // Catches an option that the help describes in a form that is not read, and help without an example.
  @Test func theHelpOfEveryCommandHasItsOptionsAndAnExample() async {
    for command in await tool.help {
      let help = await CommandResult("\(command.name) --help", of: tool).output
      #expect(command.options.contains { $0.name == "--help" }, "\(command.name)")
      let described = help.split(separator: "\n").filter { $0.hasPrefix("  --") }
      #expect(command.options.count == described.count, "\(command.name)")
      #expect(
        help.contains("\nExample: my-tool \(command.name)")
          || help.contains("\nExamples:\n  my-tool \(command.name) "), "\(command.name)")
      #expect(command.options.allSatisfy { !$0.summary.isEmpty }, "\(command.name)")
    }
    #expect(await tool.help.count == 16)
  }
}
