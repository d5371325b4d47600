import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyRecording

/// `record`: runs a proxy that records the exchanges of any client with a service, until it is stopped.
struct RecordCommand {
  let tool: CommandLineTool

  private struct Options {
    var upstream: URL?
    var output: String?
    var mode: RecordingMode?
    var secrets: [String] = []
    var keepsSecrets = false
    var serving = ServeOptions()
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    guard let options = try parse(words) else {
      try console.write(usage)
      return 0
    }
    guard let upstream = options.upstream, let output = options.output else {
      throw CommandError("record requires --upstream and --output. See \(tool.name) record --help.")
    }
    guard ["", "/"].contains(upstream.path()), upstream.query() == nil else {
      throw CommandError(
        "--upstream requires a URL without a path, because a replay has the paths of the service, found \(upstream)."
      )
    }
    let file = URL(filePath: output, directoryHint: .notDirectory)
    let place = RecordingPlace(
      file: file, madeBy: "\(tool.name) record --upstream \(upstream) --output \(output)")
    if options.mode == nil, place.hasRecording {
      throw CommandError(
        "\(output) exists. Choose another file, or --mode new, replace or all."
      )
    }
    var redaction = options.keepsSecrets ? Redaction.off : .standard
    redaction.literals = options.secrets
    let session = try open(place, options.mode ?? .once, redaction)
    UpstreamTransport.explainCrashes(
      of: upstream, name: tool.name, isProcess: tool.environment.handlesSignals)
    // If the command fails from here on, the journal keeps the recorded exchanges for the next recorder.
    let backend = ServedBackend("\(upstream), recorded to \(output)") {
      ServedBackend.Running(ReverseProxy(to: upstream, over: session), notes: [])
    }
    _ = try await BackendServer(environment: tool.environment, options: options.serving)
      .run(backend, console: console)
    do {
      _ = try session.finish()
      guard place.hasRecording else {
        try console.write("No request was received, so \(output) was not written.")
        return 0
      }
      let archive = try IndexedArchive(contentsOf: file)
      let counts = [
        Words.count(archive.entryCount, "exchange"),
        Words.count(archive.log.placeholders.count, "placeholder"),
      ]
      try console.write(
        "\(session.isRecording ? "Recorded to" : "Replayed") \(output): \(counts.joined(separator: ", ")).")
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError("\(error)")
    }
    return 0
  }

  private func open(
    _ place: RecordingPlace, _ mode: RecordingMode, _ redaction: Redaction
  ) throws(CommandError) -> RecordingSession {
    do {
      return try RecordingSession(
        place,
        options: RecordingOptions(
          mode: mode, matching: RequestMatching(parts: .all.subtracting(.origin)),
          repetition: .repeatsLast, redaction: redaction, time: tool.environment.time),
        upstream: UpstreamTransport())
    } catch {
      throw CommandError("\(error)")
    }
  }

  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options()
    var reader = OptionReader(words, of: "\(tool.name) record")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--upstream": options.upstream = try reader.address()
      case "--output": options.output = try reader.value()
      case "--mode":
        options.mode = RecordingMode(
          rawValue: try reader.value(among: ["once", "new", "replace", "all"], "mode"))
      case "--secret": options.secrets.append(try reader.value())
      case "--keep-secrets": options.keepsSecrets = true
      default:
        guard try options.serving.take(option, from: &reader) else { throw reader.unknownOption }
      }
    }
    if options.keepsSecrets, !options.secrets.isEmpty {
      throw CommandError("--keep-secrets cannot be combined with --secret.")
    }
    return options
  }

  private var usage: String {
    """
    usage: \(tool.name) record --upstream <url> --output <file> [--mode once|new|replace|all] [--secret <text>] …
           [--keep-secrets] [--fault <rule>] … [--port <n>] [--seed <n>]

    Run a proxy for a service on 127.0.0.1, and record the exchanges of its clients until it is stopped with Ctrl-C.
    Streams are recorded with their pauses and their ends, WebSockets with their messages. The first line of the output
    is the address of the proxy. A line for each request follows. Each exchange is written when it is complete, so that a
    crash loses no complete exchange.

      --upstream <url>    The service. The proxy requests uncompressed bodies, and forwards redirects to the client. On
                          Linux, a response with trailers over https ends the process; over http it is recorded.
      --output <file>     The HAR file. If it exists, --mode is required.
      --mode <mode>       once: replay the file if it exists, otherwise record it.
                          new: replay recorded requests, and add other ones.
                          replace: re-record the file. all: replace recorded requests, and keep the others.
      --secret <text>     Replace this secret too. Can be repeated. Credentials, cookies, API keys, passwords and tokens
                          are replaced by placeholders by default.
      --keep-secrets      Do not replace secrets.
    \(ServeOptions.usage(example: "\(tool.name) record --upstream https://api.example.com --output session.har"))
    """
  }
}
