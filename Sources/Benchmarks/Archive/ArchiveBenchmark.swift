import Foundation

extension Benchmark {
  static let archive = Benchmark(
    "archive", "Loading a recording for a replay, beside other readers of its file."
  ) { extent in
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "archive.har")
      try SyntheticArchive.write(to: file, entries: extent.size(10_000, short: 500), seed: 1)
      return try await extent.rounds(5) {
        let own = try ArchiveReader.indexedArchive.report(file)
        var rows: [Row] = []
        for reader in ArchiveReader.peers {
          let name = "loading, beside \(reader.rawValue)"
          let peer: ArchiveReader.Report
          do {
            peer = try reader.report(file)
          } catch let missing as Missing {
            rows.append(Row(name, own.milliseconds, .milliseconds, skipped: missing))
            continue
          }
          rows.append(
            Row(
              name, own.milliseconds, .milliseconds, beside: (reader.rawValue, peer.milliseconds),
              aim: reader.aim))
          guard reader != .newlines, let memory = own.megabytes, let other = peer.megabytes else { continue }
          rows.append(
            Row(
              "memory, beside \(reader.rawValue)", memory, .megabytes, beside: (reader.rawValue, other),
              aim: 1))
        }
        return rows
      }
    }
  }
}
