import Foundation
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyServer
import UnderstudyText

/// `record`: runs a proxy that records the exchanges of any client with a service, until it is stopped.
struct RecordCommand {
  let tool: CommandLineTool

  private struct Options {
    var upstream: URL?
    var output: String?
    var mode: RecordingMode?
    var secrets: [String] = []
    var keepsSecrets = false
    var bodyLimit = RecordingOptions.defaultBodyLimit
    var proxy = ProxyOptions()
    var serving = ServeOptions()
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    guard let options = try parse(words) else {
      try console.write(usage)
      return 0
    }
    guard let output = options.output, options.upstream != nil || options.proxy.isWanted else {
      throw CommandError(
        "record requires --output, and --upstream or --proxy. See \(tool.name) record --help.")
    }
    guard options.upstream == nil || !options.proxy.isWanted else {
      throw CommandError("--upstream cannot be combined with --proxy.")
    }
    if let upstream = options.upstream {
      guard ["", "/"].contains(upstream.path()), upstream.query() == nil else {
        throw CommandError(
          "--upstream requires a URL without a path, because a replay has the paths of the service, found \(upstream)."
        )
      }
    }
    let file = URL(filePath: output, directoryHint: .notDirectory)
    let source = options.upstream.map { "--upstream \($0)" } ?? "--proxy"
    let place = RecordingPlace(
      file: file, madeBy: "\(tool.name) record \(source) --output \(output)")
    if options.mode == nil, place.hasRecording {
      throw existing(output, file)
    }
    if let upstream = options.upstream { try await checkLoop(upstream, port: options.serving.port) }
    var redaction = options.keepsSecrets ? Redaction.off : .standard
    redaction.literals = options.secrets
    let terminator = try options.proxy.terminator(tool, port: options.serving.port)
    let loops = LoopGuard()
    let transport = loops.marking(UpstreamTransport(usesProxies: terminator == nil))
    let session = try open(
      place,
      RecordingOptions(
        mode: options.mode ?? .once,
        matching: RequestMatching(parts: terminator == nil ? .all.subtracting(.origin) : .all),
        repetition: .repeatsLast, redaction: redaction, time: tool.environment.time,
        bodyLimit: options.bodyLimit), transport
    ) { [name = tool.name] in console.writeError("\(name): \($0.description.visible)") }
    if options.upstream?.scheme?.lowercased() != "http" {
      UpstreamTransport.explainCrashes(isProcess: tool.environment.handlesSignals)
    }
    // If the command fails from here on, the journal keeps the recorded exchanges for the next recorder.
    let backend =
      if let upstream = options.upstream {
        ServedBackend("\(upstream), recorded to \(output)") {
          ServedBackend.Running(loops.protecting(ReverseProxy(to: upstream, over: session)))
        }
      } else {
        ServedBackend("any host, recorded to \(output)") {
          let hosts = options.proxy.passthroughHosts
          var running = ServedBackend.Running(
            loops.protecting(ForwardProxy(recording: session, passingThrough: hosts, over: transport)),
            notes: (terminator?.authority.notes ?? []) + hosts.sorted().map { "not recorded: \($0)" })
          running.tunnels = terminator
          return running
        }
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
      // Exchanges that were not written have been reported before, and are indented here.
      let lines = "\(error)".split(separator: "\n").filter { !$0.hasPrefix("  ") }
      throw CommandError(lines.joined(separator: " "))
    }
    return 0
  }

  private func open(
    _ place: RecordingPlace, _ options: RecordingOptions, _ transport: any HTTPTransport,
    warn: @escaping @Sendable (RecordingError) -> Void
  ) throws(CommandError) -> RecordingSession {
    do {
      return try RecordingSession(place, options: options, upstream: transport, warn: warn)
    } catch {
      throw CommandError("\(error)")
    }
  }

  /// The error for a file, or the journal of a killed recorder, that exists.
  private func existing(_ output: String, _ file: URL) -> CommandError {
    guard !FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
      return CommandError("\(output) exists. Choose another file, or --mode new, replace or all.")
    }
    let journal = RecordingJournal.url(of: file).path(percentEncoded: false)
    return CommandError(
      """
      \(journal) has the exchanges of a recorder that was killed. To make \(output) of them: \(tool.name) redact \
      \(Words.shell(output)). To add more exchanges to them, choose --mode new; to discard them, --mode replace.
      """)
  }

  /// Refuses the address of the proxy itself.
  private func checkLoop(_ upstream: URL, port: UInt16) async throws(CommandError) {
    let standard = upstream.scheme?.lowercased() == "https" ? 443 : 80
    guard port > 0, (upstream.port ?? standard) == Int(port),
      let host = upstream.host(percentEncoded: false)?.trimmingCharacters(in: ["[", "]"]),
      await TCPSocket.isLoopback(host)
    else { return }
    throw CommandError(
      "--upstream \(upstream) is the address of the proxy itself. Choose another --port, or the address of the service."
    )
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
      case "--body-limit": options.bodyLimit = try reader.number(upTo: 1_000_000) * 1_000_000
      default:
        if try options.proxy.take(option, from: &reader) { continue }
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
           [--keep-secrets] [--body-limit <MB>] [--fault <rule>] … [--port <n>] [--seed <n>]
           \(tool.name) record --proxy [--passthrough <host>] … [--ca <folder>] --output <file> …

    Run a proxy on 127.0.0.1, for one service or for all hosts, and record the exchanges of its clients until it is
    stopped with Ctrl-C.
    Streams are recorded with their pauses and their ends, WebSockets with their messages. The first line of the output
    is the address of the proxy. A line for each request follows. Each exchange is written when it is complete, so that a
    crash loses no complete exchange. What cannot be recorded, such as on a full disk, is reported on standard error at
    once. A request that comes back to the proxy receives status 508. Bodies of many megabytes take ten times as long in
    a debug build as in one of swift run -c release.

      --upstream <url>    The service. The proxy requests uncompressed bodies, and forwards redirects to the client. On
                          Linux, a response with trailers over https ends the process; over http it is recorded.
      --proxy             Run a forward proxy: set HTTP_PROXY and HTTPS_PROXY of a client to the address. Requests for
                          all hosts are recorded with their URLs. For https, the client must trust the certificate
                          authority whose path is printed. Requires OpenSSL 3, as openssl on the PATH.
      --passthrough <host>  Forward the requests for a host without recording them. Can be repeated.
    \(ProxyOptions.authorityUsage)
      --output <file>     The HAR file. If it exists, --mode is required.
      --mode <mode>       once: replay the file if it exists, otherwise record it.
                          new: replay recorded requests, and add other ones.
                          replace: re-record the file. all: replace recorded requests, and keep the others.
      --secret <text>     Replace this secret too. Can be repeated. Credentials, cookies, API keys, passwords and tokens
                          are replaced by placeholders by default.
      --keep-secrets      Do not replace secrets.
      --body-limit <MB>   The part of a body, or of the messages of a WebSocket, that is recorded (default: 64). The client
                          receives all of it, and a replay fails where the recording ends.
    \(ServeOptions.usage(example: "\(tool.name) record --upstream https://api.example.com --output session.har"))
    """
  }
}
