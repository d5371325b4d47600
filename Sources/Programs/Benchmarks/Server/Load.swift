import Foundation
import UnderstudyConsole

/// The results of `wrk` for a server.
struct Load {
  let requests: Int
  let requestsPerSecond: Double
  /// The 99th percentile of the latency in milliseconds.
  let p99: Double

  static let connections = 64

  /// Sends requests to a server from one thread.
  static func drive(_ url: String, with wrk: URL, seconds: Int) throws -> Load {
    let output = try Tool.output(
      wrk.path, ["-t1", "-c\(connections)", "-d\(seconds)s", "--latency", url])
    let lines = output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    func value(after name: String) -> String? {
      lines.first { $0.hasPrefix(name) }.map { $0.dropFirst(name.count).trimmingCharacters(in: .whitespaces) }
    }
    if let errors = lines.first(where: { $0.hasPrefix("Non-2xx") || $0.hasPrefix("Socket errors") }) {
      throw CommandError("\(url): \(errors)")
    }
    guard let rate = value(after: "Requests/sec:").flatMap(Double.init),
      let p99 = value(after: "99%").flatMap(milliseconds),
      let requests = lines.first(where: { $0.contains(" requests in ") })?.split(separator: " ").first
        .flatMap({
          Int($0)
        })
    else { throw CommandError("The output of wrk has no figures:\n\(output)") }
    return Load(requests: requests, requestsPerSecond: rate, p99: p99)
  }

  private static func milliseconds(_ text: String) -> Double? {
    for (unit, factor) in [("us", 0.001), ("ms", 1), ("s", 1_000), ("m", 60_000)] where text.hasSuffix(unit) {
      return Double(text.dropLast(unit.count)).map { $0 * factor }
    }
    return nil
  }
}
