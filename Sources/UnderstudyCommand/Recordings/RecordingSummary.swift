import Understudy
import UnderstudyHTTP
import Foundation
import UnderstudyRecording

/// Who recorded what and when, and a row for each exchange: what `inspect` shows of a file.
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
  /// How many placeholders stand for secrets.
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
    startedDateTime = started.map(Words.date)
    ageInDays = started.flatMap { Int(exactly: (now.timeIntervalSince($0) / 86_400).rounded(.down)) }
    // What a file says of its bytes may be any number.
    bytes = exchanges.reduce(0) { sum, exchange in
      let (next, overflows) = sum.addingReportingOverflow(exchange.bytes)
      return overflows ? .max : next
    }
    var known: Set<String> = []
    hosts = exchanges.map { RecordedURL($0.url).host }.filter { !$0.isEmpty && known.insert($0).inserted }
    placeholders = log.placeholders.count
  }

  // MARK: - Words

  /// Two lines on the whole, and the table.
  ///
  /// - Parameter width: Where lines are cut; `nil` cuts none.
  func lines(width: Int?) -> [String] {
    var lines = [origin, contents].map { $0.visible.cut(to: width) }
    guard !exchanges.isEmpty else { return lines }
    // A column of its own for what is the same in all rows would push the paths out of sight.
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
        case ..<0: "on \(date), which is still to come"
        case 0: "on \(date), less than a day ago"
        case let days: "on \(date), \(Words.count(days, "day")) ago"
        }
      } ?? "at a time that it does not tell"
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
