import Foundation
import UnderstudyCommand

/// Benchmarks of this package, compared with other programs: `swift run -c release benchmarks --help`.
///
/// The subjects of a comparison are measured in turn in each round of the same run, so that load on the machine affects
/// all of them. The results are the medians of the rounds.
@main struct Benchmarks {
  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      let line = "benchmarks: \(CommandError("\(error)"))\n"
      try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
      exit(2)
    }
  }

  private static func run(_ words: [String]) async throws {
    var rounds = 5
    var operands: [String] = []
    var reader = OptionReader(words, of: "benchmarks")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h": return print(usage)
      case "--rounds": rounds = max(1, try reader.number())
      default: operands.append(try reader.operand(option))
      }
    }
    switch (operands.first, operands.dropFirst().first) {
    case ("server", nil):
      print(
        "Requests a second over \(Load.connections) connections, \(Load.seconds) seconds each; median of \(rounds) "
          + "rounds:")
      try await ServerBenchmark.run(rounds: rounds)
    case ("archive", nil):
      try await ArchiveBenchmark.run(rounds: rounds)
    case ("recording", nil):
      print(
        "Recording exchanges of JSON, in microseconds of processor time each; median of \(rounds) rounds:")
      for line in try await RecordingBenchmark.run(rounds: rounds) { print("  \(line)") }
    case ("threads", nil):
      print("Threads in SQLite; median of \(ThreadsBenchmark.rounds) rounds:")
      for line in try await ThreadsBenchmark.run() { print(line) }
    case ("sweep", nil):
      print("Schedules of faults in a second of processor time; median of \(SweepBenchmark.rounds) rounds:")
      for line in try await SweepBenchmark.run() { print("  \(line)") }
    case ("exploration", nil):
      print(
        "Commands in a second of processor time, children in memory; median of \(ExplorationBenchmark.rounds) rounds:"
      )
      for line in try await ExplorationBenchmark.run() { print("  \(line)") }
    case (nil, nil): try await measureInProcess()
    // The worker processes of some benchmarks.
    case ("load", let reader?):
      guard let reader = ArchiveReader(rawValue: reader), operands.count == 3 else {
        throw CommandError("load requires a reader and a file.")
      }
      try reader.run(operands[2])
    case ("serve", let port?): try await UnderstudyPeer.run(port: UInt16(port) ?? 0)
    case ("idle", let port?): try await IdleConnections.run(port: UInt16(port) ?? 0)
    case (let name?, _):
      throw CommandError("Unknown benchmark \"\(name)\". See benchmarks --help.")
    default: throw CommandError("Unexpected arguments. See benchmarks --help.")
    }
  }

  private static let usage = """
    usage: benchmarks [server|archive|recording|threads|sweep|exploration] [--rounds <n>]

    Measure interception, test clocks and server-sent events (default), or:

      server       The server, compared with other servers.
      archive      The loading of recordings, compared with other parsers of JSON.
      recording    The recorder.
      threads      The store of threads, compared with plain SQLite.
      sweep        The schedules of faults that a sweep tries in a second.
      exploration  The commands that are explored in a second.

      --rounds <n>  The number of rounds of server, archive and recording (default: 5).
      --help        Show this help.

    Exit status: 0 on success, 2 if the arguments are invalid or a program is missing.
    """

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

/// A measured value.
struct Measurement {
  let name: String
  /// The upper limit, in the unit of the values.
  var aim: Double?
  /// The lower limit, in the unit of the values.
  var atLeast: Double?
  var figures: [Double] = []
  /// The number of decimal places.
  var places = 1

  var line: String {
    let sorted = figures.sorted()
    let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    let spread = "(\(rounded(sorted.first ?? 0)) to \(rounded(sorted.last ?? 0)))"
    let result =
      (aim.map { ", aim \(rounded($0)): \(median < $0 ? "met" : "MISSED")" } ?? "")
      + (atLeast.map { ", aim at least \(rounded($0)): \(median >= $0 ? "met" : "MISSED")" } ?? "")
    return "\(name): \(rounded(median)) \(spread)\(result)"
  }

  private func rounded(_ value: Double) -> String {
    let scale = pow(10, Double(places))
    return "\((value * scale).rounded() / scale)"
  }
}
