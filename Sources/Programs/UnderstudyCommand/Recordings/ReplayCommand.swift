import UnderstudyConsole

/// `replay`: serves a recording over HTTP, for clients in any language, until it is stopped.
struct ReplayCommand {
  let tool: CommandLineTool

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    var options = ServeOptions()
    var pauses = false
    var isStrict = false
    var proxy = ProxyOptions()
    var path: String?
    var reader = OptionReader(words, of: "\(tool.name) replay")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h":
        try console.write(usage)
        return 0
      case "--pauses": pauses = true
      case "--strict": isStrict = true
      default:
        if try options.take(option, from: &reader) { continue }
        // A replay never forwards anything to the network.
        if option != "--passthrough", try proxy.take(option, from: &reader) { continue }
        path = try reader.operand(option, after: path)
      }
    }
    guard let path else {
      throw CommandError("replay requires a recording. See \(tool.name) replay --help.")
    }
    let file = try InputFile(recording: path)
    let archive = try file.archive(strict: isStrict) { console.writeError("\(tool.name): \($0)") }
    let backend = ServedBackend.recording(
      archive, at: file.path, pauses: pauses ? tool.environment.time : nil,
      proxy: try proxy.terminator(tool, port: options.port))
    return try await BackendServer(environment: tool.environment, options: options)
      .run(backend, console: console)
  }

  private var usage: String {
    """
    usage: \(tool.name) replay <file> [--pauses] [--strict] [--proxy [--ca <folder>]] [--fault <rule>] … [--port <n>]
           [--seed <n>]

    Serve the responses of a HAR file over HTTP on 127.0.0.1 until it is stopped with Ctrl-C. Identical requests receive
    their responses in recorded order, and the last one again after that. The first line of the output is the address. A
    line for each request follows, and a summary at the end. An entry that violates HAR 1.2 gives a warning on standard
    error, and is left out if its meaning is not plain. Standard input is -.

      --pauses            Keep the recorded pauses, before a response and between the chunks of its body.
      --strict            Refuse a file with an entry that violates HAR 1.2.
      --proxy             Answer as a forward proxy, for clients whose URLs cannot be changed: set HTTP_PROXY and
                          HTTPS_PROXY to the address. The hosts of requests are then compared with those of the
                          recording. Nothing is forwarded to the network. Requires OpenSSL 3 for https.
    \(ProxyOptions.authorityUsage)
    \(ServeOptions.usage(example: "\(tool.name) replay session.har --fault 'GET /todos call=2 timeout'"))
    """
  }
}
