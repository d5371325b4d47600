import UnderstudyConsole
import UnderstudyRecording
import UnderstudyHTTP
import Understudy
import UnderstudyText

/// `inspect`: shows the contents of a recording, or of one exchange.
struct InspectCommand {
  let tool: CommandLineTool

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    var path: String?
    var number: Int?
    var format = "table"
    var reader = OptionReader(words, of: "\(tool.name) inspect")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h":
        try console.write(usage)
        return 0
      case "--entry": number = try reader.number()
      case "--format": format = try reader.value(among: ["table", "json"], "format")
      default: path = try reader.operand(option, after: path)
      }
    }
    guard let path else {
      throw CommandError("inspect requires a recording. See \(tool.name) inspect --help.")
    }
    let progress = ProgressBar("Inspecting", of: 2, on: tool.environment.time, console: console)
    defer { progress.end() }
    let archive = try await progress.during("reading \(path)") { () throws(CommandError) in
      try InputFile(recording: path).archive { console.writeError("\(tool.name): \($0)") }
    }
    if let number {
      guard number < archive.entryCount else {
        let known = archive.entryCount == 0 ? "none" : "0 to \(archive.entryCount - 1)"
        throw CommandError("Exchange \(number) of \(path) not found. Valid values: \(known).")
      }
      let entry = archive.entry(at: number)
      progress.end()
      let lines =
        format == "json" ? entry.json.indentedLines : ExchangeDetail(entry, number: number, of: path).lines
      try console.write(lines.joined(separator: "\n"))
    } else {
      let summary = try await progress.during("listing \(Words.count(archive.entryCount, "exchange"))") {
        RecordingSummary(archive, file: path, now: tool.environment.time.now)
      }
      progress.end()
      if format == "json" {
        try console.write(json: summary)
      } else {
        try console.write(summary.lines(width: console.width).joined(separator: "\n"))
      }
    }
    return 0
  }

  private var usage: String {
    """
    usage: \(tool.name) inspect <file> [--entry <n>] [--format table|json]

    Show the creator and the date of a HAR file, and a row for each exchange. Of the journal of a killed recorder
    (session.har.journal), its exchanges are shown. Standard input is -.

      --entry <n>          Show one exchange in full: headers, bodies, the times of chunks and WebSocket messages.
      --format table|json  The format (default: table). Lines of a table are cut at the width of the terminal.
      --help               Show this help.

    In the table, start is the time after the first exchange. The kind is json, events with their number, socket with
    the numbers of messages ↑ sent and ↓ received, — without a body, or a short name of the media type. If an exchange
    did not end normally, ended is dropped, unfinished (the reader stopped), timed out, closed with a status, or another
    code.

    The JSON document has file, creator {name, version}, startedDateTime, ageInDays, bytes, hosts, placeholders (their
    number) and exchanges, a list of {number, start, method, url, status, error, duration, bytes, kind, events, sent,
    received, ended}: times in milliseconds, members that do not apply are omitted. With --entry it is the HAR entry.

    Example: \(tool.name) inspect session.har --entry 3

    Exit status: 0 on success, 2 if the arguments or the file are invalid or the output cannot be written.
    """
  }
}
