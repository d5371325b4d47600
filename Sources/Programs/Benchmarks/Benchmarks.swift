import Foundation
import Understudy
import UnderstudyConsole

/// Benchmarks of this package, beside peers: `swift run -c release benchmarks --help`.
@main struct Benchmarks {
  /// The benchmarks, in the order of their rows.
  var benchmarks: [Benchmark] = [
    .calls, .sleepers, .events, .sweep, .exploration, .mutants, .recording, .replay, .archive, .threads,
    .server,
  ]
  /// Shows a line.
  var show: (String) -> Void = { line in
    print(line)
    // Also to a pipe, at once.
    fflush(nil)
  }

  static func main() async {
    do {
      // As in the command `sweep`.
      GlobalExecutor.returnJobs()
      let words = Array(CommandLine.arguments.dropFirst())
      if words.first == "worker" {
        try await Worker.run(Array(words.dropFirst()))
      } else {
        exit(try await Benchmarks().run(words))
      }
    } catch {
      let line = "benchmarks: \(CommandError("\(error)"))\n"
      try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
      exit(2)
    }
  }

  /// Runs the program with its arguments.
  ///
  /// - Returns: The exit status, unless it is 2.
  func run(_ words: [String]) async throws -> Int32 {
    if words.first == "compare" { return try compare(Array(words.dropFirst())) }
    var (extent, file, names) = (Extent(), String?.none, [String]())
    var reader = OptionReader(words, of: "benchmarks")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h":
        show(usage)
        return 0
      case "--list":
        benchmarks.forEach { show($0.name) }
        return 0
      case "--rounds":
        extent.chosenRounds = try reader.number()
        if extent.chosenRounds == 0 {
          throw CommandError("--rounds requires a whole number from 1, found \"0\".")
        }
      case "--short": extent.isShort = true
      case "--json": file = try reader.value()
      default: names.append(try reader.operand(option))
      }
    }
    return try await measure(names, extent, into: file)
  }

  private func measure(_ names: [String], _ extent: Extent, into file: String?) async throws -> Int32 {
    if let unknown = names.first(where: { name in !benchmarks.contains { $0.name == name } }) {
      throw CommandError(
        "Unknown benchmark \"\(unknown)\". Valid values: \(benchmarks.map(\.name).joined(separator: ", ")).")
    }
    var results = Results(isShort: extent.isShort)
    // Before anything is measured, so that a file that cannot be written costs no time.
    if let file { try results.write(to: file) }
    for benchmark in benchmarks where names.isEmpty || names.contains(benchmark.name) {
      show("\(benchmark.name): \(benchmark.summary)")
      let rows = try await benchmark.measure(extent)
      for line in Results.table(of: rows) { show("  " + line) }
      results.rows += rows
      if let file { try results.write(to: file) }
    }
    if !names.isEmpty, let row = results.rows.first(where: { $0.skipped != nil }) {
      throw CommandError("\(row.group): \(row.skipped ?? "")")
    }
    let farOff = results.rows.filter(\.isFarOff)
    for row in farOff {
      show(
        "\(row.group): \(row.name) has the ratio \(row.values.median.short), beyond its limit of \(row.limit?.short ?? "")."
      )
    }
    return farOff.isEmpty ? 0 : 1
  }

  private func compare(_ words: [String]) throws -> Int32 {
    var (files, reader) = ([String](), OptionReader(words, of: "benchmarks"))
    while let word = try reader.next() { files.append(try reader.operand(word)) }
    guard files.count == 2 else {
      throw CommandError("compare requires two files, found \(files.count). See benchmarks --help.")
    }
    let comparison = try Comparison(Results(contentsOf: files[0]), Results(contentsOf: files[1]))
    for line in comparison.table { show(line) }
    return comparison.isWorse ? 1 : 0
  }

  private var usage: String {
    """
    usage: benchmarks [<name> …] [--rounds <n>] [--short] [--json <file>]
           benchmarks compare <before> <after>
           benchmarks --list

    Measure the package beside peers, which are programs or code without it. A subject and its peer are measured in
    turns in the same rounds, so that the load of the machine affects both. Figures and ratios are medians of the
    rounds; the lowest and the highest ratio follow in parentheses. Without a peer, the aim is a limit of the figure.

    \(benchmarks.map { "  \($0.name.padding(toLength: 13, withPad: " ", startingAt: 0))\($0.summary)" }
      .joined(separator: "\n"))

      --rounds <n>   The number of rounds (default: the benchmark's).
      --short        Use small sizes and few rounds, which only find big differences.
      --json <file>  Write the figures of all rounds, for compare.
      --list         Print the names.
      --help         Show this help.

    compare shows the ratios before and after. A row is worse if each round after is worse than each round before, of at
    least \(Comparison.rounds) rounds each, and the medians differ by more than \(Int(Comparison.tolerance * 100)) %.

    Exit status: 0 on success; 1 if a ratio misses its aim by more than half (an aim of 2 above 3, one of at least 0.8
    below 0.4; a row that misses its aim today is held to what it has reached), or if compare finds a row that is worse;
    2 if the arguments or a file are invalid, or if a program is
    missing that a named benchmark requires. Without names, such rows are skipped.
    """
  }
}
