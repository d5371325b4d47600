import Foundation

/// A benchmark of loading a recording, compared with other JSON parsers, and of finding an exchange in it.
enum ArchiveBenchmark {
  private static let seed: UInt64 = 1

  static func run(rounds: Int) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("understudy-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var files: [(entries: Int, file: URL, size: Int)] = []
    for count in [10_000, 100_000] {
      let file = folder.appendingPathComponent("\(count).har")
      files.append((count, file, try SyntheticArchive.write(to: file, entries: count, seed: seed)))
    }
    let first = files[0]
    say(
      "Loading \(first.entries) entries, \(megabytes(first.size)) MB, seed \(seed); median of \(rounds) rounds:"
    )
    try compare(first.file, size: Double(first.size), rounds: rounds)
    say("Finding the last entry, in microseconds; median of \(LookupBenchmark.rounds):")
    for file in files {
      for line in try await LookupBenchmark.run(file.file, entries: file.entries) { say("  \(line)") }
    }
  }

  /// Runs each reader in turn, for several rounds.
  private static func compare(_ file: URL, size: Double, rounds: Int) throws {
    var reports: [(reader: ArchiveReader, figures: [Double], memory: Double?)] = []
    for reader in ArchiveReader.allCases {
      do {
        _ = try reader.report(file)
        reports.append((reader, [], nil))
      } catch {
        say("  left out: \(error)")
      }
    }
    for _ in 0..<rounds {
      for index in reports.indices {
        let report = try reports[index].reader.report(file)
        reports[index].figures += [median(report.seconds)]
        reports[index].memory = report.memory
      }
    }
    let own = reports.first { $0.reader == .indexedArchive }.map { median($0.figures) }
    say("  " + row("", "ms", "MB/s", "IndexedArchive is", "memory, MB", "of the file"))
    for (reader, figures, memory) in reports {
      let seconds = median(figures)
      say(
        "  "
          + row(
            reader.rawValue, "\(Int((seconds * 1_000).rounded()))",
            "\(Int((size / seconds / 1e6).rounded()))",
            own.map { "\(twoPlaces(seconds / $0)) times as fast" } ?? "?",
            memory.map { twoPlaces($0 / 1e6) } ?? "?", memory.map { "\(twoPlaces(100 * $0 / size)) %" } ?? "?"
          ))
    }
  }

  private static func row(_ columns: String...) -> String {
    zip(columns, [18, 6, 7, 24, 12, 12]).enumerated().map { index, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return index == 0 ? cell.0 + padding : padding + cell.0
    }.joined(separator: " ")
  }

  private static func median(_ figures: [Double]) -> Double {
    figures.isEmpty ? 0 : figures.sorted()[figures.count / 2]
  }

  private static func megabytes(_ count: Int) -> String { "\((count + 500_000) / 1_000_000)" }

  private static func twoPlaces(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

  /// Prints without buffering, also to a pipe.
  private static func say(_ text: String) {
    print(text)
    fflush(nil)
  }
}
