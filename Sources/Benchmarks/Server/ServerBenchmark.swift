import Foundation

/// A comparison of servers: 1 KB of JSON over keep-alive connections, driven by `wrk` in turn, and with idle
/// connections.
enum ServerBenchmark {
  private struct Result {
    let peer: RunningPeer
    let memoryAtStart: Double?
    var loads: [Load] = []

    /// The value of the median round.
    func middle(_ figure: (Load) -> Double) -> Double { ServerBenchmark.median(loads.map(figure)) }
  }

  static func run(rounds: Int) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("understudy-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let wrk = try Tool.find("wrk", "apt-get install wrk")
    var results: [Result] = []
    defer { for result in results { result.peer.stop() } }
    for make in [UnderstudyPeer.peer, NginxPeer.peer, GoPeer.peer, MitmproxyPeer.peer] {
      do {
        let peer = try await make(folder).start()
        results.append(Result(peer: peer, memoryAtStart: peer.memory))
      } catch {
        say("  left out: \(error)")
      }
    }
    for _ in 0..<rounds {
      for index in results.indices {
        let load = try Load.drive(results[index].peer.url, with: wrk)
        if let trouble = load.trouble { say("  \(results[index].peer.name): \(trouble)") }
        results[index].loads.append(load)
      }
    }
    for result in results { say("  \(line(result))") }
    for (name, aim) in [("Go net/http", 1), ("nginx", 0.5)] {
      if let line = comparison(with: name, aim: aim, results) { say("  \(line)") }
    }
    say(
      "With \(IdleConnections.count) idle connections beside the load; memory in MB at the start, now and then:"
    )
    for result in results {
      do { say("  \(try idleLine(result, wrk))") } catch { say("  \(result.peer.name): \(error)") }
    }
  }

  private static func line(_ result: Result) -> String {
    let rates = result.loads.map(\.requestsPerSecond)
    return
      "\(result.peer.name): \(whole(median(rates))) (\(whole(rates.min() ?? 0)) to \(whole(rates.max() ?? 0)))"
      + ", p50 \(short(result.middle(\.median))) ms, p99 \(short(result.middle(\.p99))) ms"
  }

  /// The ratio of requests per second of this package's server and another server in the same round.
  private static func comparison(with name: String, aim: Double, _ results: [Result]) -> String? {
    guard let own = results.first(where: { $0.peer.name == "Understudy" }),
      let other = results.first(where: { $0.peer.name == name })
    else { return nil }
    let ratios = zip(own.loads, other.loads).map { $0.requestsPerSecond / $1.requestsPerSecond }
    return Measurement(name: "Understudy, in times of \(name)", atLeast: aim, figures: ratios, places: 2).line
  }

  private static func idleLine(_ result: Result, _ wrk: URL) throws -> String {
    let memoryBefore = result.peer.memory
    let idle = try IdleConnections.open(at: result.peer.port)
    defer { idle.close() }
    let memory = result.peer.memory
    let load = try Load.drive(result.peer.url, with: wrk)
    let answers = idle.countAnswers()
    return "\(result.peer.name): \(whole(load.requestsPerSecond)), p50 \(short(load.median)) ms, "
      + "p99 \(short(load.p99)) ms\(load.trouble.map { ", \($0)" } ?? ""), "
      + "\(answers) of \(IdleConnections.count) answered afterwards, memory "
      + [result.memoryAtStart, memoryBefore, memory].map { $0.map(whole) ?? "?" }.joined(separator: ", ")
  }

  private static func median(_ figures: [Double]) -> Double {
    figures.isEmpty ? 0 : figures.sorted()[figures.count / 2]
  }

  /// Prints without buffering, also to a pipe.
  private static func say(_ text: String) {
    print(text)
    fflush(nil)
  }

  private static func whole(_ value: Double) -> String { "\(Int(value.rounded()))" }

  private static func short(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
