import Foundation
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyText

/// The creator and the date of a recording, and a row for each exchange.
struct RecordingSummary: Encodable {
  struct Creator: Encodable {
    let name: String?
    let version: String?
  }

  let file: String
  let creator: Creator
  let startedDateTime: String?
  let ageInDays: Int?
  let bytes: Int
  let hosts: [String]
  /// The number of placeholders for secrets.
  let placeholders: Int
  let exchanges: [ExchangeSummary]

  init(_ archive: IndexedArchive, file: String, now: Date) {
    let log = archive.log
    let entries = (0..<archive.entryCount).lazy.map { archive.entry(at: $0) }
    let first = entries.first?.startedDateTime
    exchanges = entries.enumerated().map { ExchangeSummary($1, number: $0, first: first) }
    self.file = file
    creator = Creator(name: log.creatorName, version: log["creator"]?["version"]?.stringValue)
    let started = log.startedDateTime ?? first
    startedDateTime = started.map(\.inUTC)
    ageInDays = started.flatMap { Int(exactly: (now.timeIntervalSince($0) / 86_400).rounded(.down)) }
    // The sizes in a file may overflow.
    bytes = exchanges.reduce(0) { sum, exchange in
      let (next, overflows) = sum.addingReportingOverflow(exchange.bytes)
      return overflows ? .max : next
    }
    var known: Set<String> = []
    hosts = exchanges.map { RecordedURL($0.url).host }.filter { !$0.isEmpty && known.insert($0).inserted }
    placeholders = log.placeholders.count
  }

  // MARK: - Words

  /// Returns two lines about the file, and the table.
  ///
  /// - Parameter width: The maximum width of lines; `nil` for no limit.
  func lines(width: Int?) -> [String] {
    var lines = [origin, contents].map { $0.visible.cut(to: width) }
    guard !exchanges.isEmpty else { return lines }
    // An origin that is equal in all rows is omitted to save space.
    let isOneOrigin = Set(exchanges.map { RecordedURL($0.url).origin }).count == 1
    var table = TextTable(
      ("#", .right), ("start", .right), ("method", .left), ("status", .left), ("duration", .right),
      ("size", .right), ("kind", .left), ("ended", .left), ("url", .left))
    for exchange in exchanges {
      table.append(
        "\(exchange.number)", exchange.start.map { "+" + Words.duration(milliseconds: $0) } ?? "—",
        exchange.method, exchange.error ?? exchange.status.map { "\($0)" } ?? "—",
        exchange.duration.map { Words.duration(milliseconds: $0) } ?? "—", Words.bytes(exchange.bytes),
        exchange.kindInWords, exchange.ended ?? "",
        isOneOrigin ? RecordedURL(exchange.url).target : exchange.url)
    }
    lines += [""] + table.lines(width: width)
    return lines
  }

  private var origin: String {
    let who = [creator.name, creator.version].compactMap(\.self).joined(separator: " ")
    let when =
      startedDateTime.map { date in
        switch ageInDays ?? 0 {
        case ..<0: "on \(date), in the future"
        case 0: "on \(date), less than a day ago"
        case let days: "on \(date), \(Words.count(days, "day")) ago"
        }
      } ?? "at an unknown date"
    return "\(file): recorded by \(who.isEmpty ? "an unknown tool" : who) \(when)"
  }

  private var contents: String {
    let named = hosts.isEmpty ? "" : ": \(Words.list(hosts))"
    return [
      Words.count(exchanges.count, "exchange"), Words.bytes(bytes), Words.count(placeholders, "placeholder"),
      Words.count(hosts.count, "host") + named,
    ].joined(separator: ", ")
  }
}

/// A row of `inspect`: a summary of one exchange.
struct ExchangeSummary: Encodable {
  /// Its index in the file.
  let number: Int
  /// The milliseconds after the first exchange.
  let start: Double?
  let method: String
  let url: String
  let status: Int?
  /// The reason why there was no response.
  let error: String?
  /// The duration in milliseconds.
  let duration: Double?
  let bytes: Int
  let kind: String
  /// The number of events of a stream.
  var events: Int?
  /// The numbers of messages that the client of a WebSocket sent and received.
  var sent: Int?
  var received: Int?
  /// How it ended, if not normally.
  let ended: String?

  init(_ entry: HTTPArchive.Entry, number: Int, first: Date?) {
    let answer = RecordedAnswer(entry)
    self.number = number
    start = first.flatMap { first in
      entry.startedDateTime.map { (($0.timeIntervalSince(first)) * 1000).rounded() }
    }
    method = entry.request.method.rawValue
    url = entry.request.url
    status = answer.status
    error = status == nil ? answer.statusInWords : nil
    duration = entry.time
    bytes = answer.byteCount
    ended = answer.badEnd
    switch answer.kind {
    case .none: kind = "none"
    case .json: kind = "json"
    case .other(let name): kind = name
    case .events:
      kind = "events"
      events = answer.events.count
    case .socket:
      kind = "socket"
      let directions = entry.webSocketMessages.map(\.direction)
      sent = directions.count { $0 == .send }
      received = directions.count { $0 == .receive }
    }
  }

  /// The kind as a cell of the table.
  var kindInWords: String {
    switch (events, sent, received) {
    case (let events?, _, _): "events \(events)"
    case (_, let sent?, let received?): "socket \(sent)↑ \(received)↓"
    default: kind == "none" ? "—" : kind
    }
  }
}

extension Date {
  /// The date in UTC, to the second.
  var inUTC: String { Date.ISO8601FormatStyle().format(self) }
}
