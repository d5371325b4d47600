import Understudy
import Foundation
import UnderstudyRecording

/// `validate`: whether files are HAR 1.2, and what they lack.
struct ValidateCommand {
  let tool: CommandLineTool

  /// What is known of a file.
  private struct Result: Encodable {
    struct Problem: Encodable {
      let message: String
      let line: Int?
      let byte: Int?
      let field: String?
    }

    let file: String
    /// How many there are, unless the file is broken.
    var exchanges: Int?
    var error: Problem?
    var warnings: [FormatCheck.Warning] = []
    /// The error in a line.
    private let sentence: String

    private enum CodingKeys: CodingKey {
      case file
      case exchanges
      case error
      case warnings
    }

    init(_ data: Data, of file: String) {
      self.file = file
      do {
        let archive = try HTTPArchive(data)
        exchanges = archive.entries.count
        warnings = FormatCheck.warnings(about: archive, in: data)
        sentence = ""
      } catch {
        self.error = Problem(
          message: error.message, line: error.line, byte: error.byteOffset, field: error.field)
        sentence = error.description
      }
    }

    var lines: [String] {
      guard let exchanges else { return ["\(file): broken: \(sentence)".visible] }
      let lines = ["\(file): ok, \(Words.count(exchanges, "exchange"))"]
      return
        (lines
        + warnings.map { "  warning: \($0.message) (\($0.count) ×, first at \($0.place), line \($0.line))" })
        .map(\.visible)
    }
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    var files: [InputFile] = []
    var format = "table"
    var reader = OptionReader(words, of: "\(tool.name) validate")
    while let option = reader.next() {
      switch option {
      case "--help", "-h":
        try console.write(usage)
        return 0
      case "--format": format = try reader.value(among: ["table", "json"], "format")
      default: files.append(try InputFile(try reader.operand(option)))
      }
    }
    guard !files.isEmpty else {
      throw CommandError("validate needs a file. See \(tool.name) validate --help.")
    }
    let progress = ProgressBar("Validating", of: files.count, on: tool.surroundings.time, console: console)
    defer { progress.end() }
    var results: [Result] = []
    for file in files {
      progress.show(file.path)
      results.append(Result(try file.contents(), of: file.path))
      progress.advance()
      // What takes long is told as it comes, between two lines of progress.
      if format == "table", let last = results.last {
        progress.end()
        try console.write(last.lines.joined(separator: "\n"))
      }
    }
    if format == "json" {
      progress.end()
      try console.write(json: results)
    }
    return results.allSatisfy { $0.error == nil } ? 0 : 1
  }

  private var usage: String {
    """
    usage: \(tool.name) validate <file> … [--format table|json]

    Tells of each file whether it is a HAR document that can be read: ok and how many exchanges there are, or the line,
    the byte and the field where it is broken. What HAR 1.2 demands and a file lacks is a warning, once with how often it
    is and where first; a file with warnings can be read and replayed.

      --format table|json  How it is printed; a table unless said otherwise.
      --help               This text.

    The JSON document is a list of {file, exchanges, error {message, line, byte, field}, warnings}, of which a warning is
    {message, count, place, line}; what does not apply is left out.

    Exit status: 0 when all files can be read, 1 when one is broken, 2 when the arguments cannot be understood, a file is
    not there, or nothing can be written.
    """
  }
}
