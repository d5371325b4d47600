import Foundation
import UnderstudyRecording
import UnderstudyHTTP

/// A benchmark of finding an entry, whose duration must not depend on the number of entries.
enum LookupBenchmark {
  static let rounds = 1_001

  /// Finds the last entry, and returns whether it is the right one.
  private typealias Find = @Sendable () async throws -> Bool

  /// The lookups; each is created once for an archive.
  private static let lookups: [(name: String, make: @Sendable (IndexedArchive) throws -> Find)] = [
    (
      "decoded by its number",
      { archive in { archive.entry(at: archive.entryCount - 1).response.status == 200 } }
    ),
    (
      "answered by a replay",
      { archive in
        let replay = ReplayingTransport(archive, repetition: .repeatsLast)
        guard let request = SyntheticArchive.request(archive.entryCount - 1) else {
          throw Missing("the request of the last entry")
        }
        return { try await replay.send(request).status == 200 }
      }
    ),
  ]

  static func run(_ file: URL, entries: Int) async throws -> [String] {
    let archive = try IndexedArchive(contentsOf: file)
    guard archive.entryCount == entries else { throw Missing("an archive of \(entries) entries") }
    var lines: [String] = []
    for (name, make) in lookups {
      let find = try make(archive)
      var measurement = Measurement(name: "last of \(entries), \(name)")
      for _ in 0..<rounds {
        let start = ContinuousClock.now
        guard try await find() else { throw Missing("the response in entry \(entries - 1)") }
        measurement.figures.append(start.duration(to: .now) / .microseconds(1))
      }
      lines.append(measurement.line)
    }
    return lines
  }
}
