import Testing
import UnderstudyTesting

// The commands of the small program, as they are called.
@Suite(.stallLimit()) struct ProgramTests {
  // Catches a command that an adopter's first call does not find.
  @Test func theHelpNamesTheCommands() async {
    let help = await ProgramRun("--help")
    #expect(help.status == 0 && help.error == "")
    let commands = help.lines.filter { $0.hasPrefix("  ") }.compactMap { $0.split(separator: " ").first }
    #expect(commands == ["adopt", "generate"])
  }

  @Test(arguments: [
    (
      "adop X",
      "Unknown command \"adop\". Did you mean adopt? Valid values: adopt, generate. See tool --help."
    ),
    ("generate --chek", "Unknown option \"--chek\". Did you mean --check? See tool generate --help."),
    ("generate x.swift --check", "File not found: x.swift"),
  ])
  func whatCannotBeDoneIsOneLine(_ line: String, _ message: String) async {
    let run = await ProgramRun(line)
    #expect(run.error.hasPrefix("tool: \(message)"))
    #expect(run.error.split(separator: "\n").count == 1)
    #expect(run.output == "" && run.status == 2)
  }
}
