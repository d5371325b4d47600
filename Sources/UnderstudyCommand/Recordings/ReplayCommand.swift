/// `replay`: a recording on a socket, for clients in any language, until it is stopped.
struct ReplayCommand {
  let tool: CommandLineTool

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    var options = ServeOptions()
    var pauses = false
    var path: String?
    var reader = OptionReader(words, of: "\(tool.name) replay")
    while let option = reader.next() {
      switch option {
      case "--help", "-h":
        try console.write(usage)
        return 0
      case "--pauses": pauses = true
      default:
        if try options.take(option, from: &reader) { continue }
        path = try reader.operand(option, after: path)
      }
    }
    guard let path else {
      throw CommandError("replay needs the file of a recording. See \(tool.name) replay --help.")
    }
    let backend = try ServedBackend.recording(
      try InputFile(recording: path), pauses: pauses ? tool.surroundings.time : nil)
    return try await BackendServer(surroundings: tool.surroundings, options: options)
      .run(backend, console: console)
  }

  private var usage: String {
    """
    usage: \(tool.name) replay <file> [--pauses] [--fault <rule>] … [--port <n>] [--seed <n>]

    Serves the answers of a HAR file over HTTP on 127.0.0.1 until it is stopped with Ctrl-C. Identical requests are
    answered in recorded order, and the last answer comes again. The first line is its address; then comes a line for
    each request, and in the end a summary.

      --pauses            The recorded pauses pass, before an answer and between the chunks of its body.
    \(ServeOptions.usage)
    """
  }
}
