import Foundation
import UnderstudyDoubles
import UnderstudyServer
import UnderstudyTransport

/// `serve`: a backend on a socket, for clients in any language, until it is stopped.
///
/// It stops when its task is cancelled too, and then waits for nobody.
struct ServeCommand {
  let tool: CommandLineTool
  var time = Time.system
  /// In which the time of day is told.
  var timeZone = TimeZone.current
  /// Whether SIGINT and SIGTERM stop it.
  var heedsSignals = false

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    guard let options = try ServeOptions.parse(words, tool.name, time: time) else {
      try console.write(usage)
      return 0
    }
    guard let backend = options.backend ?? tool.serving else {
      throw CommandError("serve needs --recording, --contract or --schema. See \(tool.name) serve --help.")
    }
    let running = try await start(backend)
    let plan = FaultPlan<AnyHandler>(rules: options.rules, seed: options.seed)
    let lines = LineWriter()
    let log = RequestLog(time: time, timeZone: timeZone, write: lines.write)
    let server: MockServer<AnyHandler>
    do {
      server = try await MockServer(
        AnyHandler(base: running.handler), by: [.faults(plan)], port: options.port, time: time,
        observer: log.observer)
    } catch {
      throw CommandError(error.message)
    }
    try console.write(introduction(server.url, backend, running, options))
    try await serve(server, lines, console)
    try console.write(log.counts.summary(plan, unused: running.unused()))
    return 0
  }

  private func start(_ backend: ServedBackend) async throws(CommandError) -> ServedBackend.Running {
    do {
      return try await backend.start()
    } catch {
      let reason = "\(error)".split(separator: "\n").joined(separator: " ")
      throw CommandError("\(backend.title) cannot be started: \(reason)")
    }
  }

  /// Serves and tells of it, until it is stopped or nobody takes what it tells.
  private func serve(
    _ server: MockServer<AnyHandler>, _ lines: LineWriter, _ console: Console
  ) async throws(CommandError) {
    let latch = StopLatch()
    let telling = Task { () -> CommandError? in
      do throws(CommandError) {
        try await lines.run(writing: console.write)
        return nil
      } catch {
        latch.stop()
        return error
      }
    }
    let serving = Task {
      await latch.wait()
      await server.close(grace: .seconds(1))
    }
    await withTaskCancellationHandler {
      guard heedsSignals else { return await serving.value }
      await StopSignals.handled {
        // Whoever asks again does not want to wait.
        if latch.stop() > 1 { serving.cancel() }
      } during: {
        await serving.value
      }
    } onCancel: {
      latch.stop()
      serving.cancel()
    }
    lines.end()
    if let error = await telling.value { throw error }
  }

  // MARK: - Words

  private func introduction(
    _ url: URL, _ backend: ServedBackend, _ running: ServedBackend.Running, _ options: ServeOptions
  ) -> String {
    // The address stands alone on the first line, for scripts.
    var lines = [url.absoluteString, "Serves \(backend.title). Ctrl-C stops it."]
    lines += running.notes.map { "  \($0)" }
    lines += options.rules.map { "  fault: \($0)" }
    if !options.rules.isEmpty { lines.append("  seed: \(options.seed)") }
    return lines.joined(separator: "\n")
  }

  private var usage: String {
    """
    usage: \(tool.name) serve [--recording <file> | --contract <file> | --schema <file.sql>] [--fault <rule>] …
           [--port <n>] [--seed <n>]

    Serves a backend over HTTP on 127.0.0.1 until it is stopped with Ctrl-C: \(tool.serving?.title ?? "a file").
    The first line is its address; then comes a line for each request, and in the end a summary.

      --recording <file>  Answers from a HAR file, with its pauses; the last answer to a request comes again.
      --contract <file>   Answers from a document of exchanges. Which conditions hold can be said over HTTP, at
                          /understudy/conditions.
      --schema <file.sql> A Supabase project in memory with the tables, constraints and policies of the file.
      --fault <rule>      What goes wrong on the socket; can be given several times, the first that applies wins.
                          [METHOD] [/path] [call=2|calls=2-4|calls=3-|every=10|probability=0.1] <fault>
      --port <n>          Where it listens; any port that is free unless said otherwise.
      --seed <n>          What the probabilities of rules come from, a whole number from 0; 1 unless said otherwise.
      --help              This text.

    Faults:
    \(faultNames)

    Exit status: 0 when it is stopped, 2 when the arguments or a file cannot be understood, the port is taken
    or nobody takes what it writes.
    """
  }

  /// The names of the catalogue, as many to a line as fit.
  private var faultNames: String {
    var lines = [""]
    for name in Fault.typedNames {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = "  " + name
      } else if last.count + name.count > 100 {
        lines.append("  " + name)
      } else {
        lines[lines.count - 1] = last + ", " + name
      }
    }
    return lines.joined(separator: "\n")
  }
}
