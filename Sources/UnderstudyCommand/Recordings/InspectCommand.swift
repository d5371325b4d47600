import UnderstudyRecording
import UnderstudyHTTP
import Understudy

/// `inspect`: what is in a recording, or in one exchange of it.
struct InspectCommand {
  let tool: CommandLineTool

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    var path: String?
    var number: Int?
    var format = "table"
    var reader = OptionReader(words, of: "\(tool.name) inspect")
    while let option = reader.next() {
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
      throw CommandError("inspect needs the file of a recording. See \(tool.name) inspect --help.")
    }
    let archive = try InputFile(recording: path).archive()
    if let number {
      guard number < archive.entryCount else {
        let known = archive.entryCount == 0 ? "none" : "0 to \(archive.entryCount - 1)"
        throw CommandError("\(path) has no exchange \(number). Its exchanges: \(known).")
      }
      let entry = archive.entry(at: number)
      let lines =
        format == "json" ? entry.json.indentedLines : ExchangeDetail(entry, number: number, of: path).lines
      try console.write(lines.joined(separator: "\n"))
    } else {
      let summary = RecordingSummary(archive, file: path, now: tool.surroundings.time.now)
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

    Shows who recorded a HAR file and when, and what was said: a row for each exchange.

      --entry <n>          One exchange, whole: heads, bodies, the times of chunks and WebSocket messages.
      --format table|json  How it is printed; a table unless said otherwise, cut at the width of the terminal.
      --help               This text.

    In the table, start is the time after the first exchange. A kind is json, events with their number, socket with the
    messages ↑ sent and ↓ received, — for no body, or another word for the media type. Where something ended badly, ended
    says how: dropped, unfinished (the reader left), timed out, closed with a status, or another code.

    The JSON document has file, creator {name, version}, startedDateTime, ageInDays, bytes, hosts, placeholders (their
    number) and exchanges, a list of {number, start, method, url, status, error, duration, bytes, kind, events, sent,
    received, ended}: times in milliseconds, and what does not apply left out. With --entry it is the entry as HAR has it.

    Exit status: 0 when it is shown, 2 when the arguments or the file cannot be understood or nothing can be written.
    """
  }
}
