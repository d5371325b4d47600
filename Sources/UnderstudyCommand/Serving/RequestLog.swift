import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyRecording

/// Tells of each request in a line, and counts them for the summary.
final class RequestLog: Sendable {
  private let time: Time
  private let timeZone: TimeZone
  private let write: @Sendable (String) -> Void
  private let tally = Locked(RequestTally())

  /// - Parameters:
  ///   - time: What tells the time of day.
  ///   - write: Takes one or more whole lines that belong together.
  init(time: Time, timeZone: TimeZone, write: @escaping @Sendable (String) -> Void) {
    self.time = time
    self.timeZone = timeZone
    self.write = write
  }

  /// What was counted.
  var counts: RequestTally { tally.withLock { $0 } }

  /// What the server calls.
  var observer: ServerObserver {
    ServerObserver { [self] in
      heard($0)
    } refusal: { [self] status, reason in
      tally.withLock { $0.count(route: "what is no request that can be served", status) }
      say(["a request that cannot be served", "\(status)", reason])
    }
  }

  private func heard(_ exchange: ServedExchange) {
    if exchange.stage != .begun {
      let route = "\(exchange.request.method) \(exchange.request.url.path(percentEncoded: true))"
      tally.withLock { $0.count(route: route, exchange.status) }
    }
    var parts = ["#\(exchange.number)", "\(exchange.request.method) \(Self.target(of: exchange.request))"]
    parts.append(exchange.status.map { "\($0)" } ?? "no answer")
    parts += Self.course(of: exchange)
    parts += exchange.faults.map { "fault: \($0)" }
    say(parts, explanation: Self.explanation(of: exchange))
  }

  private func say(_ parts: [String], explanation: [String] = []) {
    let line = ([timeOfDay] + parts).joined(separator: "  ")
    write(([line] + explanation.map { "    " + $0 }).joined(separator: "\n"))
  }

  // MARK: - Words

  private static func course(of exchange: ServedExchange) -> [String] {
    let thing = exchange.kind == .webSocket ? "WebSocket" : "stream"
    if exchange.stage == .begun { return ["\(thing) begins"] }
    var parts: [String] = []
    switch exchange.kind {
    case .whole: parts.append("\(exchange.bytes) B")
    case .stream: parts.append("stream ends: \(exchange.bytes) B in \(exchange.chunks) chunk(s)")
    case .webSocket:
      parts.append(
        "WebSocket ends: \(exchange.chunks) message(s) sent, \(exchange.messagesReceived) received")
    }
    parts.append(Words.duration(exchange.duration))
    switch exchange.stage {
    case .brokenOff(let how): parts.append("broken off: \(how)")
    case .abandoned: parts.append("the client left")
    case .begun, .complete: break
    }
    return parts
  }

  /// What a server of exchanges or of a recording says to a request that it has no answer for.
  private static func explanation(of exchange: ServedExchange) -> [String] {
    guard exchange.status == 501, let body = exchange.body, let json = try? JSONValue(parsing: body),
      let message = json["message"]?.stringValue
    else { return [] }
    return message.split(separator: "\n").map(String.init)
  }

  /// The path and the query, without secrets in it.
  private static func target(of request: HTTPRequest) -> String {
    let path = request.url.path(percentEncoded: true)
    guard let query = request.url.query(percentEncoded: true) else { return path }
    let items = query.split(separator: "&", omittingEmptySubsequences: false).map { item -> Substring in
      let name = item.prefix { $0 != "=" }
      return SecretNames.contain(name) ? name + "=…" : item
    }
    return "\(path)?\(items.joined(separator: "&"))"
  }

  private var timeOfDay: String {
    let now = time.now
    let seconds = now.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: now))
    let thousandths = Int((seconds * 1000).rounded(.down).truncatingRemainder(dividingBy: 86_400_000))
    func digits(_ number: Int, _ count: Int = 2) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let (hours, minutes) = (thousandths / 3_600_000, thousandths / 60_000 % 60)
    return
      "\(digits(hours)):\(digits(minutes)):\(digits(thousandths / 1000 % 60)).\(digits(thousandths % 1000, 3))"
  }
}
