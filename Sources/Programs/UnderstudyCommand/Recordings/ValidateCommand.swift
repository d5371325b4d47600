import Foundation
import UnderstudyConsole
import UnderstudyRecording
import UnderstudyText

/// `validate`: checks that files are valid HAR 1.2.
struct ValidateCommand {
  let tool: CommandLineTool

  /// The result of a file.
  private struct Result: Encodable {
    struct Problem: Encodable {
      let message: String
      let line: Int?
      let byte: Int?
      let field: String?
    }

    let file: String
    /// Their number; `nil` if the file is invalid.
    var exchanges: Int?
    var error: Problem?
    var warnings: [FormatCheck.Warning] = []
    /// The error in one line.
    private let sentence: String

    private enum CodingKeys: CodingKey {
      case file
      case exchanges
      case error
      case warnings
    }

    init(_ data: Data, of file: String, strict isStrict: Bool) {
      self.file = file
      do {
        let url = URL(filePath: file)
        let isJournal = RecordingJournal.recording(of: url) != nil
        let archive = try isJournal ? HTTPArchive(journalAt: url) : HTTPArchive(data, strict: isStrict)
        exchanges = archive.entries.count
        warnings = archive.warnings.compactMap(\.violation).map(FormatCheck.Warning.init)
        if !isJournal { warnings += FormatCheck.warnings(about: archive, in: data) }
        sentence = ""
      } catch {
        self.error = Problem(
          message: error.violation?.problem ?? error.message, line: error.violation?.line,
          byte: error.violation?.byteOffset, field: error.violation?.field)
        sentence = error.description
      }
    }

    var lines: [String] {
      guard let exchanges else { return ["\(file): invalid: \(sentence)".visible] }
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
    var isStrict = false
    var reader = OptionReader(words, of: "\(tool.name) validate")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h":
        try console.write(usage)
        return 0
      case "--format": format = try reader.value(among: ["table", "json"], "format")
      case "--strict": isStrict = true
      default: files.append(try InputFile(try reader.operand(option)))
      }
    }
    guard !files.isEmpty else {
      throw CommandError("validate requires a file. See \(tool.name) validate --help.")
    }
    let progress = ProgressBar("Validating", of: files.count, on: tool.environment.time, console: console)
    defer { progress.end() }
    var results: [Result] = []
    for file in files {
      results.append(
        try await progress.during(file.path) { () throws(CommandError) in
          Result(try file.contents(), of: file.path, strict: isStrict)
        })
      // Printed immediately, because the next file may take a long time.
      if format == "table", let last = results.last {
        progress.end()
        try console.write(last.lines.joined(separator: "\n"))
      }
    }
    if format == "json" {
      progress.end()
      try console.write(json: results)
    }
    return results.allSatisfy { $0.error == nil } ? 0 : isStrict ? 2 : 1
  }

  private var usage: String {
    """
    usage: \(tool.name) validate <file> … [--strict] [--format table|json]

    Check whether each file is a readable HAR document, and print ok with the number of exchanges, or the line, the byte
    and the field of the error. Members that HAR 1.2 requires and a file lacks are warnings, with their number and the
    first place; a file with warnings can be read and replayed. An entry that violates HAR 1.2 in another way is a warning
    too: it is read where its meaning is plain, and left out otherwise. Standard input is -.

      --strict             Refuse a file with such an entry, with exit status 2.
      --format table|json  The format (default: table).
      --help               Show this help.

    The JSON document is a list of {file, exchanges, error {message, line, byte, field}, warnings}, in which a warning is
    {message, count, place, line}; members that do not apply are omitted.

    Example: \(tool.name) validate Recordings/*.har

    Exit status: 0 if all files are readable, 1 if one is invalid, 2 if the arguments are invalid, a file is not found or
    the output cannot be written.
    """
  }
}
