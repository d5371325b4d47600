import Understudy
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyServer
import Foundation

/// A server that serves a backend and logs each request until it is stopped, for `serve`, `replay` and `record`.
///
/// If its task is cancelled, it stops without waiting for open requests.
struct BackendServer {
  let environment: CommandEnvironment
  let options: ServeOptions

  func run(_ backend: ServedBackend, console: Console) async throws(CommandError) -> Int32 {
    let time = environment.time
    let running = try await start(backend)
    let plan = FaultPlan<AnyHandler>(rules: options.rules, seed: options.seed)
    let lines = LineWriter()
    let log = RequestLog(
      time: time, timeZone: environment.timeZone, showsURLs: running.tunnels != nil, write: lines.write)
    let server: MockServer<AnyHandler>
    do {
      server = try await MockServer(
        AnyHandler(base: running.handler), by: [.faults(plan)], port: options.port, time: time,
        observer: log.observer, tunnels: running.tunnels)
    } catch {
      throw CommandError(error.message)
    }
    try console.write(introduction(server.url, backend, running, plan))
    try await serve(server, lines, console)
    try console.write(log.counts.summary(plan, unused: running.unused()))
    return 0
  }

  private func start(_ backend: ServedBackend) async throws(CommandError) -> ServedBackend.Running {
    do {
      return try await backend.start()
    } catch {
      throw CommandError("\(backend.title) cannot be started: \(error)")
    }
  }

  /// Serves until it is stopped or the log cannot be written.
  private func serve(
    _ server: MockServer<AnyHandler>, _ lines: LineWriter, _ console: Console
  ) async throws(CommandError) {
    let latch = StopLatch()
    let writing = Task { () -> CommandError? in
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
      guard environment.handlesSignals else { return await serving.value }
      await StopSignals.handled {
        // A second signal does not wait for open requests.
        if latch.stop() > 1 { serving.cancel() }
      } during: {
        await serving.value
      }
    } onCancel: {
      latch.stop()
      serving.cancel()
    }
    lines.end()
    if let error = await writing.value { throw error }
  }

  // MARK: - Words

  private func introduction(
    _ url: URL, _ backend: ServedBackend, _ running: ServedBackend.Running, _ plan: FaultPlan<AnyHandler>
  ) -> String {
    // The first line contains only the address, for scripts.
    var lines = [url.absoluteString, "Serving \(backend.title). Stop with Ctrl-C."]
    lines += running.notes.map { "  \($0)" }
    lines += options.rules.map { "  fault: \($0)" }
    if !options.rules.isEmpty { lines.append("  seed: \(options.seed)") }
    if Interceptor.faults(plan).plans.contains(where: \.refusesConnections) {
      lines.append("  Every connection is refused.")
    }
    return lines.joined(separator: "\n")
  }
}
