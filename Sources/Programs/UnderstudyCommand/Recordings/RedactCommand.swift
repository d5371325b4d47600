import Foundation
import Understudy
import UnderstudyConsole
import UnderstudyRecording
import UnderstudyText

/// `redact`: replaces the secrets of a recording, or finds them.
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

    struct Unread: Encodable {
      let mediaType: String
      let count: Int
    }

    let file: String
    let secrets: [Secret]
    let unread: [Unread]
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    guard let options = try parse(words) else {
      try console.write(usage)
      return 0
    }
    guard var path = options.path else {
      throw CommandError("redact requires a recording. See \(tool.name) redact --help.")
    }
    var file = try InputFile(recording: path)
    if file.isJournal, !options.isCheck, options.output == nil {
      // The next recorder would add the secrets of a journal to the recording.
      path = String(path.dropLast(".journal".count))
      file = try InputFile(recording: path)
    }
    if file.streamed != nil, !options.isCheck, options.output == nil {
      throw CommandError("redact requires --output for \(path), which is not a file that can be replaced.")
    }
    if file.streamed == nil, !options.isCheck { try recover(file) }
    let progress = ProgressBar(
      "Redacting", of: options.isCheck ? 2 : 3, on: tool.environment.time, console: console)
    defer { progress.end() }
    let archive = try await progress.during("reading \(path)") { () throws(CommandError) in
      HTTPArchive(try file.archive(strict: true) { _ in })
    }
    let found = try await progress.during("searching \(Words.count(archive.entries.count, "exchange"))") {
      archive.secrets(by: options.redaction)
    }
    if options.isCheck {
      progress.end()
      if options.format == "json" {
        try console.write(
          json: Report(
            file: path,
            secrets: found.map {
              .init(entry: $0.entryIndex, field: $0.field, rule: $0.rule, length: $0.length)
            }, unread: archive.unreadBodies.map { .init(mediaType: $0.mediaType, count: $0.count) }))
      } else {
        try console.write(
          (found.map(\.description) + [summary(of: found, in: path)] + scope(of: archive)).joined(
            separator: "\n"))
      }
      return found.isEmpty ? 0 : 1
    }
    let output = options.output ?? path
    try await progress.during("replacing \(Words.count(found.count, "secret"))") { () throws(CommandError) in
      do {
        try archive.redacted(by: options.redaction).write(
          to: URL(filePath: output, directoryHint: .notDirectory))
      } catch {
        throw CommandError(writing: output, error, cause: (error as? RecordingError)?.cause)
      }
    }
    progress.end()
    try console.write("\(output): \(Words.count(found.count, "secret")) replaced")
    return 0
  }

  /// Merges a journal beside the file, which has secrets too.
  private func recover(_ file: InputFile) throws(CommandError) {
    do {
      try RecordingJournal.recover(file.url)
    } catch {
      throw CommandError("\(error)")
    }
  }

  private func summary(of found: [SecretMatch], in path: String) -> String {
    found.isEmpty
      ? "\(path): no secrets found"
      : "\(path): \(Words.count(found.count, "secret")). Replace them with: \(tool.name) redact \(path)"
  }

  /// What was searched, and what could not be read.
  private func scope(of archive: HTTPArchive) -> [String] {
    let unread = archive.unreadBodies
    let searched =
      "Searched \(Words.count(archive.entries.count, "exchange")) for values with the name of a secret, tokens of "
      + "\(Redaction.issuerCount) issuers, web tokens, private keys, cookies, passwords in URLs, and copies of them."
    guard !unread.isEmpty else { return [searched] }
    let types = unread.map { "\($0.mediaType) \($0.count)" }.joined(separator: ", ")
    return [
      searched,
      "Not text, so searched only for copies: \(Words.count(unread.reduce(0) { $0 + $1.count }, "body", "bodies")) "
        + "(\(types)).",
    ]
  }

  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options()
    var reader = OptionReader(words, of: "\(tool.name) redact")
    while let option = try reader.next() {
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
      throw CommandError("--check cannot be combined with --output.")
    }
    return options
  }

  private var usage: String {
    """
    usage: \(tool.name) redact <file> [--check] [--output <file>] [--secret <text>] … [--format table|json]

    Replace the secrets of a recording by placeholders: credentials, cookies, API keys, passwords, tokens in URLs, forms
    and JSON, JSON Web Tokens, private keys, and every copy of them. Equal secrets have equal placeholders, so that a
    client that signs in can still be replayed. The journal of a killed recorder (session.har.journal) is added to its
    recording first. Standard input is -, and requires --check or --output.

      --check             Report the positions of secrets, and write nothing.
      --output <file>     The file for the result (default: the same file).
      --secret <text>     Replace this secret too. Can be repeated.
      --format table|json The format of --check (default: table). JSON is {"file", "secrets": [{"entry", "field", "rule",
                          "length"}], "unread": [{"mediaType", "count"}]}, the bodies that are not text.
      --help              Show this help.

    Example: \(tool.name) redact session.har --check

    Exit status: 0 if the file has no secrets or all were replaced, 1 if --check found secrets, 2 if the arguments or the
    file are invalid or the result cannot be written.
    """
  }
}
