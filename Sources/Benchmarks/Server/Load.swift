import Foundation

/// The results of `wrk` for a server.
struct Load {
  let requestsPerSecond: Double
  /// The median latency in milliseconds.
  let median: Double
  /// The 99th percentile of the latency in milliseconds.
  let p99: Double
  /// The errors reported by `wrk`.
  let trouble: String?

  static let connections = 64
  static let seconds = 5

  /// Sends requests to a server from one thread.
  static func drive(_ url: String, with wrk: URL) throws -> Load {
    let output = try Tool.output(
      wrk.path, ["-t1", "-c\(connections)", "-d\(seconds)s", "--latency", url])
    let lines = output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    func value(after name: String) -> String? {
      lines.first { $0.hasPrefix(name) }.map { $0.dropFirst(name.count).trimmingCharacters(in: .whitespaces) }
    }
    guard let rate = value(after: "Requests/sec:").flatMap(Double.init),
      let median = value(after: "50%").flatMap(milliseconds),
      let p99 = value(after: "99%").flatMap(milliseconds)
    else { throw Missing("a number in the output of wrk:\n\(output)") }
    return Load(
      requestsPerSecond: rate, median: median, p99: p99,
      trouble: lines.first { $0.hasPrefix("Non-2xx") || $0.hasPrefix("Socket errors") })
  }

  private static func milliseconds(_ text: String) -> Double? {
    for (unit, factor) in [("us", 0.001), ("ms", 1), ("s", 1_000), ("m", 60_000)] where text.hasSuffix(unit) {
      return Double(text.dropLast(unit.count)).map { $0 * factor }
    }
    return nil
  }
}
