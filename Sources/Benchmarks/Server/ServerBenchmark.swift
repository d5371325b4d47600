import Foundation

extension Benchmark {
  static let server = Benchmark(
    "server", "1 KB of JSON over \(Load.connections) connections, beside other servers; and what a log takes."
  ) { extent in
    let wrk = try Tool.find("wrk", "apt-get install wrk")
    return try await withTemporaryFolder { folder in
      let own = try await UnderstudyPeer.peer().start()
      defer { own.stop() }
      let nginx: Result<RunningPeer, Missing>
      do { nginx = .success(try await NginxPeer.peer(folder).start()) } catch let missing as Missing {
        nginx = .failure(missing)
      }
      defer { try? nginx.get().stop() }
      // Optional, because few machines have Go.
      let go: RunningPeer?
      do { go = try await GoPeer.peer(folder).start() } catch is Missing { go = nil }
      defer { go?.stop() }

      let seconds = extent.size(5, short: 1)
      var requests = 0
      var rows = try await extent.rounds(5) {
        let load = try Load.drive(own.url, with: wrk, seconds: seconds)
        requests += load.requests
        var rows: [Row] = []
        let names = ("requests, beside nginx", "99th percentile of the latency")
        switch nginx {
        case .success(let peer):
          let other = try Load.drive(peer.url, with: wrk, seconds: seconds)
          rows.append(
            Row(
              names.0, load.requestsPerSecond, .perSecond, beside: ("nginx", other.requestsPerSecond), aim: 1)
          )
          rows.append(Row(names.1, load.p99, .milliseconds, beside: ("nginx", other.p99), aim: 2))
        case .failure(let missing):
          rows.append(Row(names.0, load.requestsPerSecond, .perSecond, skipped: missing))
          rows.append(Row(names.1, load.p99, .milliseconds, skipped: missing))
        }
        if let go {
          let other = try Load.drive(go.url, with: wrk, seconds: seconds)
          rows.append(
            Row(
              "requests, beside Go", load.requestsPerSecond, .perSecond,
              beside: ("net/http", other.requestsPerSecond)))
        }
        return rows
      }
      // It has logged what was requested so far.
      let most = extent.size(1_000_000, short: 100_000)
      while requests < most { requests += try Load.drive(own.url, with: wrk, seconds: 1).requests }
      rows.append(Row("memory with a log after \(most) requests", try own.memory, .megabytes, aim: 200))
      return rows
    }
  }
}
