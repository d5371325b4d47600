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
          let (name, peer) = (reader.rawValue, try await ifInstalled { try reader.report(file) })
          rows.append(
            Row(
              "loading, beside \(name)", own.milliseconds, .milliseconds, beside: name,
              peer.map(\.milliseconds), aim: reader.aim))
          guard reader != .newlines, let memory = own.megabytes, let other = try? peer.get().megabytes else {
            continue
          }
          rows.append(Row("memory, beside \(name)", memory, .megabytes, beside: (name, other), aim: 1))
        }
        return rows
      }
    }
  }
}
