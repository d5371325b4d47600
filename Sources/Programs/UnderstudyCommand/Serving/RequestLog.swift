import Foundation
import Understudy
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyServer
import UnderstudyText

/// A log with a line for each request, which also counts requests for the summary.
final class RequestLog: Sendable {
  private let time: Time
  private let timeZone: TimeZone
  /// Whether a request is shown with its whole URL, because it may be for any host.
  private let showsURLs: Bool
  private let write: @Sendable (String) -> Void
  private let tally = Locked(RequestTally())

  /// - Parameters:
  ///   - time: The source of the time of day.
  ///   - write: Receives one or more whole lines that belong together.
  init(
    time: Time, timeZone: TimeZone, showsURLs: Bool = false, write: @escaping @Sendable (String) -> Void
  ) {
    self.time = time
    self.timeZone = timeZone
    self.showsURLs = showsURLs
    self.write = write
  }

  /// The counts so far.
  var counts: RequestTally { tally.withLock { $0 } }

  /// The observer that the server calls.
  var observer: ServerObserver {
    ServerObserver { [self] in
      log($0)
    } refusal: { [self] status, reason in
      tally.withLock { $0.count(route: "invalid requests", status) }
      log(["invalid request", status.map { "\($0)" } ?? "no response", reason])
    }
  }

  private func log(_ exchange: ServedExchange) {
    if exchange.stage != .begun {
      let url = exchange.request.url
      let route = "\(exchange.request.method) \(origin(of: url))\(url.path(percentEncoded: true))"
      tally.withLock { $0.count(route: route, exchange.status) }
    }
    let target = origin(of: exchange.request.url) + Self.target(of: exchange.request)
    var parts = ["#\(exchange.number)", "\(exchange.request.method) \(target)"]
    parts.append(exchange.status.map { "\($0)" } ?? "no response")
    parts += Self.course(of: exchange)
    parts += exchange.faults.map { "fault: \($0)" }
    log(parts, explanation: Self.explanation(of: exchange))
  }

  private func log(_ parts: [String], explanation: [String] = []) {
    let line = ([timeOfDay] + parts).joined(separator: "  ")
    write(([line] + explanation.map { "    " + $0 }).joined(separator: "\n"))
  }

  // MARK: - Words

  private static func course(of exchange: ServedExchange) -> [String] {
    let thing = exchange.kind == .webSocket ? "WebSocket" : "stream"
    if exchange.stage == .begun { return ["\(thing) started"] }
    var parts: [String] = []
    switch exchange.kind {
    case .whole: parts.append("\(exchange.bytes) B")
    case .stream:
      parts.append("stream ended: \(exchange.bytes) B in \(Words.count(exchange.chunks, "chunk"))")
    case .webSocket:
      parts.append(
        "WebSocket ended: \(Words.count(exchange.chunks, "message")) sent, \(exchange.messagesReceived) received"
      )
    }
    parts.append(Words.duration(exchange.duration))
    switch exchange.stage {
    case .brokenOff(let how): parts.append("interrupted: \(how)")
    case .abandoned: parts.append("client disconnected")
    case .begun, .complete: break
    }
    return parts
  }

  /// Returns why a fault that the line names has no effect, and the message of a replay without a response for the
  /// request.
  private static func explanation(of exchange: ServedExchange) -> [String] {
    let obstacles = exchange.faults.compactMap { fault in
      exchange.obstacles[fault].map { "\(fault) had no effect: \($0)" }
    }
    return obstacles + replayMessage(of: exchange)
  }

  private static func replayMessage(of exchange: ServedExchange) -> [String] {
    guard exchange.status == 501, let body = exchange.body, let json = try? JSONValue(parsing: body),
      let message = json["message"]?.stringValue
    else { return [] }
    return message.split(separator: "\n").map(String.init)
  }

  /// Returns the scheme and the authority of a URL, if they are shown.
  private func origin(of url: URL) -> String {
    guard showsURLs, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "" }
    (parts.percentEncodedPath, parts.percentEncodedQuery, parts.fragment) = ("", nil, nil)
    return parts.string ?? ""
  }

  /// Returns the path and the query without secrets.
  private static func target(of request: HTTP.Request) -> String {
    let path = request.url.path(percentEncoded: true)
    guard let query = request.url.query(percentEncoded: true) else { return path }
    let items = query.split(separator: "&", omittingEmptySubsequences: false).map { item -> Substring in
      let name = item.prefix { $0 != "=" }
      return Redaction.isSecret(named: String(name)) ? name + "=…" : item
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

/// The number of requests of each route and status.
struct RequestTally: Sendable {
  private struct Key: Hashable {
    let route: String
    let status: Int?
  }

  /// The maximum number of routes, which limits the memory that a client with random paths can use.
  private static let mostRoutes = 1000
  private var counts: [Key: Int] = [:]
  private var keys: [Key] = []
  private var total = 0

  mutating func count(route: String, _ status: Int?) {
    total += 1
    var key = Key(route: Self.withoutIDs(route), status: status)
    if counts[key] == nil {
      if keys.count >= Self.mostRoutes { key = Key(route: "other paths", status: status) }
      if counts[key] == nil { keys.append(key) }
    }
    counts[key, default: 0] += 1
  }

  /// Returns the route without identifiers and numbers.
  private static func withoutIDs(_ route: String) -> String {
    route.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      let isID =
        UUID(uuidString: String(segment)) != nil || !segment.isEmpty && segment.allSatisfy(\.isNumber)
      return isID ? "{id}" : segment
    }.joined(separator: "/")
  }

  /// Returns the summary that is printed when the server stops.
  ///
  /// - Parameter unused: The responses that no client has requested.
  func summary(_ plan: FaultPlan<AnyHandler>, unused: [String]) -> String {
    var lines = ["Stopped after \(Words.count(total, "request"))."]
    var table = TextTable(.right, .left, .left)
    for key in keys {
      table.append("\(counts[key] ?? 0) ×", key.status.map { "\($0)" } ?? " – ", key.route)
    }
    lines += table.lines().map { "  " + $0 }
    lines += Self.list("Faults injected", plan.injectionCounts.map { "\($0.count) ×  \($0.rule)" })
    lines += Self.list("Rules without an effect", plan.reasonsOfUnfiredRules)
    lines += Self.list("Never requested", unused)
    return lines.joined(separator: "\n")
  }

  private static func list(_ title: String, _ items: [String]) -> [String] {
    items.isEmpty ? [] : ["\(title):"] + items.map { "  \($0)" }
  }
}

/// A writer of lines in order that does not block their senders.
///
/// Pending lines are written at once, so that lines do not mix and a slow terminal does not block a busy server.
/// Beyond a limit, pending lines are dropped, and a line reports their number.
final class LineWriter: Sendable {
  fileprivate struct State: Sendable {
    var lines: [String] = []
    var omitted = 0
    var isOver = false
    var isAwaited: CheckedContinuation<Void, Never>?
  }

  private static let limit = 100_000
  private let state = Locked(State())

  /// Adds a line, which ``run(writing:)`` will write.
  func write(_ line: String) {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.lines.count < Self.limit { state.lines.append(line) } else { state.omitted += 1 }
      return state.takeWaiter()
    }?.resume()
  }

  /// Lets ``run(writing:)`` return once all lines are written.
  func end() {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.isOver = true
      return state.takeWaiter()
    }?.resume()
  }

  /// Writes lines until the end.
  ///
  /// - Throws: The error of `write`, after which no more lines are written.
  func run(writing write: (String) throws(CommandError) -> Void) async throws(CommandError) {
    while true {
      await waitForLines()
      let (lines, omitted, isOver) = state.withLock { state in
        defer { (state.lines, state.omitted) = ([], 0) }
        return (state.lines, state.omitted, state.isOver)
      }
      let note =
        omitted == 0
        ? [] : ["… and \(Words.count(omitted, "more line")), dropped because the output is too slow"]
      if !lines.isEmpty { try write((lines + note).joined(separator: "\n")) }
      if isOver, lines.isEmpty { return }
    }
  }

  private func waitForLines() async {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        if state.isOver || !state.lines.isEmpty { return true }
        state.isAwaited = continuation
        return false
      }
      if isDue { continuation.resume() }
    }
  }
}

extension LineWriter.State {
  fileprivate mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
    defer { isAwaited = nil }
    return isAwaited
  }
}
