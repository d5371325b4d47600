import Foundation
import UnderstudyGeneration

/// `understudy-generate`: the command `generate` alone, which builds when doubles do not.
@main struct UnderstudyGenerator {
  static func main() {
    let status = GenerateCommand("understudy-generate").run(
      Array(CommandLine.arguments.dropFirst()),
      write: { print($0) },
      writeError: { try? FileHandle.standardError.write(contentsOf: Data(($0 + "\n").utf8)) })
    exit(status)
  }
}
