import Foundation

/// Measures what interception, manual time and server-sent events cost: `swift run -c release benchmarks`.
///
/// `swift run -c release benchmarks server [rounds]` measures the server beside others, each a program of its own, and
/// `swift run -c release benchmarks archive [rounds]` the loading of recordings beside other readers of JSON.
/// `swift run -c release benchmarks recording [rounds]` measures the recorder,
/// `swift run -c release benchmarks threads` the store of threads beside SQLite without it, and
/// `swift run -c release benchmarks sweep` how many schedules of faults a second a sweep tries.
///
/// What is compared is measured in turn in each round of the same run, so that a busy machine slows all of it, and
/// the medians of the rounds are shown.
@main struct Benchmarks {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let number = arguments.dropFirst().first
    switch arguments.first {
    case "server":
      let rounds = max(1, number.flatMap(Int.init) ?? 5)
      print(
        "Requests a second over \(Load.connections) connections, \(Load.seconds) seconds each; median of \(rounds) "
          + "rounds:")
      try await ServerBenchmark.run(rounds: rounds)
    case "archive":
      try await ArchiveBenchmark.run(rounds: max(1, number.flatMap(Int.init) ?? 5))
    case "load":
      guard let reader = number.flatMap(ArchiveReader.init), let file = arguments.last else {
        throw Missing("reader and file to load")
      }
      try reader.run(file)
    case "recording":
      let rounds = max(1, number.flatMap(Int.init) ?? 5)
      print(
        "Recording exchanges of JSON, in microseconds of processor time each; median of \(rounds) rounds:")
      for line in try await RecordingBenchmark.run(rounds: rounds) { print("  \(line)") }
    case "threads":
      print("Threads in SQLite; median of \(ThreadsBenchmark.rounds) rounds:")
      for line in try await ThreadsBenchmark.run() { print(line) }
    case "sweep":
      print("Schedules of faults in a second of processor time; median of \(SweepBenchmark.rounds) rounds:")
      for line in try await SweepBenchmark.run() { print("  \(line)") }
    case "serve":
      try await UnderstudyPeer.run(port: number.flatMap(UInt16.init) ?? 0)
    case "idle":
      try await IdleConnections.run(port: number.flatMap(UInt16.init) ?? 0)
    default:
      try await measureInProcess()
    }
  }

  private static func measureInProcess() async throws {
    let (rounds, calls) = (CallBenchmark.rounds, CallBenchmark.doubles * CallBenchmark.calls)
    print("Calls, in nanoseconds each; median of \(rounds) rounds of \(calls):")
    for line in try await CallBenchmark.run() { print("  \(line)") }
    print("Sleepers, in milliseconds; median of \(TimeBenchmark.rounds) rounds of \(TimeBenchmark.sleepers):")
    for line in try await TimeBenchmark.run() { print("  \(line)") }
    print(
      "Events of \(EventBenchmark.eventSize) bytes, in MB a second; median of \(EventBenchmark.rounds) rounds "
        + "of \(EventBenchmark.events):")
    for line in try await EventBenchmark.run() { print("  \(line)") }
  }
}

/// One thing that is measured.
struct Measurement {
  let name: String
  /// What it should stay below, in the unit of the figures.
  var aim: Double?
  /// What it should stay above, in the unit of the figures.
  var atLeast: Double?
  var figures: [Double] = []
  /// How many places behind the point are shown.
  var places = 1

  var line: String {
    let sorted = figures.sorted()
    let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    let spread = "(\(rounded(sorted.first ?? 0)) to \(rounded(sorted.last ?? 0)))"
    let verdict =
      (aim.map { ", aim \(rounded($0)): \(median < $0 ? "met" : "MISSED")" } ?? "")
      + (atLeast.map { ", aim at least \(rounded($0)): \(median >= $0 ? "met" : "MISSED")" } ?? "")
    return "\(name): \(rounded(median)) \(spread)\(verdict)"
  }

  private func rounded(_ value: Double) -> String {
    let scale = pow(10, Double(places))
    return "\((value * scale).rounded() / scale)"
  }
}
