import Understudy
import Foundation
import UnderstudyRecording

/// `redact`: replaces the secrets of a recording, or looks whether there are any.
struct RedactCommand {
  let tool: CommandLineTool

  private struct Options {
    var path: String?
    var output: String?
    var isCheck = false
    var redaction = Redaction.standard
    var format = "table"
  }

  private struct Report: Encodable {
    struct Secret: Encodable {
      let entry: Int?
      let field: String
      let rule: String
      let length: Int
    }

    let file: String
    let secrets: [Secret]
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    guard let options = try parse(words) else {
      try console.write(usage)
      return 0
    }
    guard let path = options.path else {
      throw CommandError("redact needs the file of a recording. See \(tool.name) redact --help.")
    }
    let file = try InputFile(recording: path)
    if !options.isCheck { try finish(file) }
    let archive = HTTPArchive(try file.archive())
    let found = archive.secrets(by: options.redaction)
    if options.isCheck {
      if options.format == "json" {
        try console.write(
          json: Report(
            file: path,
            secrets: found.map {
              .init(entry: $0.entryIndex, field: $0.field, rule: $0.rule, length: $0.length)
            }))
      } else {
        try console.write((found.map(\.description) + [summary(of: found, in: path)]).joined(separator: "\n"))
      }
      return found.isEmpty ? 0 : 1
    }
    let output = options.output ?? path
    do {
      try archive.redacted(by: options.redaction).write(
        to: URL(filePath: output, directoryHint: .notDirectory))
    } catch {
      throw CommandError("\(output) cannot be written: \(error.localizedDescription)")
    }
    try console.write("\(output): \(Words.count(found.count, "secret")) replaced")
    return 0
  }

  /// A journal beside the file has the secrets too, so it must become a part of it.
  private func finish(_ file: InputFile) throws(CommandError) {
    do {
      try RecordingJournal.recover(file.url)
    } catch {
      throw CommandError(inOneLine: error)
    }
  }

  private func summary(of found: [SecretFinding], in path: String) -> String {
    found.isEmpty
      ? "\(path): no secret"
      : "\(path): \(Words.count(found.count, "secret")). Replace them with: \(tool.name) redact \(path)"
  }

  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options()
    var reader = OptionReader(words, of: "\(tool.name) redact")
    while let option = reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--check": options.isCheck = true
      case "--output": options.output = try reader.value()
      case "--secret": options.redaction.literals.append(try reader.value())
      case "--format": options.format = try reader.value(among: ["table", "json"], "format")
      default: options.path = try reader.operand(option, after: options.path)
      }
    }
    if options.isCheck, options.output != nil {
      throw CommandError("--check writes nothing, so it goes without --output.")
    }
    return options
  }

  private var usage: String {
    """
    usage: \(tool.name) redact <file> [--check] [--output <file>] [--secret <text>] … [--format table|json]

    Replaces the secrets of a recording by placeholders: credentials, cookies, API keys, passwords, tokens in URLs, forms
    and JSON, JSON Web Tokens, private keys, and every other copy of them. The same secret gets the same placeholder, so
    that a client which signs in still replays.

      --check             Write nothing, and tell where secrets stand.
      --output <file>     Where it is written; over the file unless said otherwise.
      --secret <text>     A secret that no rule knows; can be given several times.
      --format table|json How --check tells: a line for each, or {"file", "secrets": [{"entry", "field", "rule",
                          "length"}]}.
      --help              This text.

    Exit status: 0 when the file has no secret any more, 1 when --check found one, 2 when the arguments or the file
    cannot be understood, or nothing can be written.
    """
  }
}
