import UnderstudyConsole
import UnderstudyGeneration

/// The output of a run of the program, such as `adopt`.
struct ProgramRun {
  let status: Int32
  let output: String
  let error: String

  /// Runs `tool` with the words of a line.
  init(_ line: String) async {
    let written = WrittenText()
    let program = Program("tool", .adopt(of: "tool"), .generate(of: "tool"))
    status = await program.run(line.split(separator: " ").map(String.init), console: written.console)
    output = written.output.map { $0 + "\n" }.joined()
    error = written.errors.map { $0 + "\n" }.joined()
  }

  /// The lines of standard output.
  var lines: [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
}
