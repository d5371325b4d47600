import Foundation
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudyServer

/// `record`: a proxy before a service that records what any client says to it, until it is stopped.
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
      throw CommandError("record needs --upstream and --output. See \(tool.name) record --help.")
    }
    guard ["", "/"].contains(upstream.path()), upstream.query() == nil else {
      throw CommandError(
        "--upstream takes an address without a path, because a replay answers at the paths of the service.")
    }
    let file = URL(filePath: output, directoryHint: .notDirectory)
    let place = RecordingPlace(
      file: file, madeBy: "\(tool.name) record --upstream \(upstream) --output \(output)")
    if options.mode == nil, place.hasRecording {
      throw CommandError(
        "\(output) is there already. Say what becomes of it with --mode new, replace or all, or choose another file."
      )
    }
    var redaction = options.keepsSecrets ? Redaction.off : .standard
    redaction.literals = options.secrets
    let session = try open(place, options.mode ?? .once, redaction)
    // Every way out but the last leaves what was recorded in the journal, where the next recorder finds it.
    let backend = ServedBackend("\(upstream), recorded to \(output)") {
      ServedBackend.Running(ReverseProxy(to: upstream, over: session), notes: [])
    }
    _ = try await BackendServer(surroundings: tool.surroundings, options: options.serving)
      .run(backend, console: console)
    do {
      _ = try session.finish()
      guard place.hasRecording else {
        try console.write("Nothing was asked, so \(output) was not made.")
        return 0
      }
      let archive = try IndexedArchive(contentsOf: file)
      try console.write(
        "\(session.isRecording ? "Recorded to" : "Replayed") \(output): \(archive.entryCount) exchange(s), \(archive.log.placeholders.count) placeholder(s)."
      )
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError(inOneLine: error)
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
          repetition: .repeatsLast, redaction: redaction, time: tool.surroundings.time),
        upstream: URLSessionTransport(followsRedirects: false))
    } catch {
      throw CommandError(inOneLine: error)
    }
  }

  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options()
    var reader = OptionReader(words, of: "\(tool.name) record")
    while let option = reader.next() {
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
      throw CommandError("--keep-secrets keeps every secret, so it goes without --secret.")
    }
    return options
  }

  private var usage: String {
    """
    usage: \(tool.name) record --upstream <url> --output <file> [--mode once|new|replace|all] [--secret <text>] …
           [--keep-secrets] [--fault <rule>] … [--port <n>] [--seed <n>]

    Stands before a service on 127.0.0.1 and records what any client says to it, until it is stopped with Ctrl-C. Streams
    are recorded with their pauses and how they ended, WebSockets with their messages. The first line is its address;
    then comes a line for each request. Each exchange is written as soon as it is over, so that a crash costs none.

      --upstream <url>    The service; it is asked for bodies without compression. Redirects are the client's.
      --output <file>     The HAR file. One that is there needs --mode.
      --mode <mode>       once: replays a file that is there, and makes one that is not.
                          new: replays what is recorded, and adds what is not.
                          replace: makes the file anew. all: replaces answers to the same requests, the others stay.
      --secret <text>     A secret that no rule knows; can be given several times. Credentials, cookies, API keys,
                          passwords and tokens are replaced by placeholders anyway.
      --keep-secrets      Replace no secret.
    \(ServeOptions.usage)
    """
  }
}
