import Foundation

extension Benchmark {
  static let server = Benchmark(
    "server", "1 KB of JSON over \(Load.connections) connections, beside other servers; and what a log takes."
  ) { extent in
    let wrk = try Tool.find("wrk", "apt-get install wrk")
    return try await withTemporaryFolder { folder in
      let own = try await UnderstudyPeer.peer().start()
      defer { own.stop() }
      let nginx = try await ifInstalled { try await NginxPeer.peer(folder).start() }
      defer { try? nginx.get().stop() }
      // Optional, because few machines have Go.
      let go = try? await ifInstalled { try await GoPeer.peer(folder).start() }.get()
      defer { go?.stop() }
      var requests = 0
      func drive(_ url: String) throws -> Load {
        try Load.drive(url, with: wrk, seconds: extent.size(5, short: 1))
      }
      var rows = try await extent.rounds(5) {
        let load = try drive(own.url)
        requests += load.requests
        let other = try await ifInstalled { try drive(nginx.get().url) }
        var rows = [
          Row(
            "requests, beside nginx", load.requestsPerSecond, .perSecond, beside: "nginx",
            other.map(\.requestsPerSecond), aim: 1, reached: 0.6),
          // It is not steady enough to be judged after one second.
          Row(
            "99th percentile of the latency", load.p99, .milliseconds, beside: "nginx", other.map(\.p99),
            aim: extent.isShort ? nil : 2),
        ]
        if let go {
          let peer = ("net/http", try drive(go.url).requestsPerSecond)
          rows.append(Row("requests, beside Go", load.requestsPerSecond, .perSecond, beside: peer))
        }
        return rows
      }
      // It has logged what was requested so far.
      let most = extent.size(1_000_000, short: 100_000)
      while requests < most { requests += try drive(own.url).requests }
      rows.append(Row("memory with a log after \(most) requests", try own.memory, .megabytes, aim: 60))
      return rows
    }
  }
}
