import Understudy
import UnderstudyHTTP
import Foundation
import UnderstudyRecording

/// One exchange of a recording in a few words: a row of `inspect`.
struct ExchangeSummary: Encodable {
  /// Its place in the file, from 0.
  let number: Int
  /// Milliseconds after the first exchange.
  let start: Double?
  let method: String
  let url: String
  let status: Int?
  /// Why there was no answer.
  let error: String?
  /// In milliseconds.
  let duration: Double?
  let bytes: Int
  let kind: String
  /// How many events a stream has.
  var events: Int?
  /// How many messages of a WebSocket the client sent, and how many it received.
  var sent: Int?
  var received: Int?
  /// How it ended, if not well.
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
