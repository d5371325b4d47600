import Foundation
import UnderstudyRecording
import UnderstudyHTTP

extension HTTPArchive.Entry {
  /// An exchange in the form of a recorder, at 2026-01-01T00:00:00Z or some seconds later.
  static func exchange(
    _ method: HTTP.Method = .get, _ url: String = "https://api.example.com/cakes",
    sending fields: HTTP.Fields = [:], _ body: String? = nil, after seconds: Double = 0,
    took milliseconds: Double = 12,
    status: Int = 200, answering answer: String = "", as type: String = "application/json",
    with others: HTTP.Fields = [:], stream: HTTPArchive.BodyStream? = nil
  ) -> Self {
    var content = HTTPArchive.Content(Data(answer.utf8), mimeType: type)
    content.stream = stream
    let fields = HTTP.Fields(
      Array(fields) + (body == nil ? [] : [.init(name: "Content-Type", value: "application/json")]))
    let answered = HTTP.Fields([.init(name: "Content-Type", value: type)] + others)
    return .init(
      startedDateTime: Date(timeIntervalSince1970: 1_767_225_600 + seconds),
      request: .init(
        HTTP.Request(
          method, URL(string: url) ?? URL(filePath: "/"), fields: fields, body: body.map { Data($0.utf8) })),
      response: .init(status: status, fields: answered, content: content),
      timings: .init(wait: milliseconds, receive: 0))
  }

  /// An exchange without a response.
  static func failed(_ code: TransportError.Code, _ url: String = "https://api.example.com/cakes") -> Self {
    .init(
      startedDateTime: Date(timeIntervalSince1970: 1_767_225_600),
      request: .init(.init(.get, URL(string: url) ?? URL(filePath: "/"))),
      response: .init(failure: TransportError(code, "It failed.")), timings: .init(wait: 12, receive: 0))
  }

  /// A WebSocket with these messages.
  static func socket(
    _ messages: [(HTTPArchive.WebSocketMessage.Direction, String)], end: HTTPArchive.WebSocketEnd.Cause
  ) -> Self {
    var entry = exchange(.get, "wss://api.example.com/socket", status: 101, as: "")
    let start = Date(timeIntervalSince1970: 1_767_225_600)
    entry.webSocketMessages = messages.enumerated().map {
      .init(.text($1.1), $1.0, at: start + Double($0 + 1))
    }
    entry.webSocketEnd = .init(end, at: start + 9)
    return entry
  }
}

extension HTTPArchive.BodyStream {
  /// Chunks of these sizes, ten milliseconds apart.
  static func chunks(_ sizes: Int..., ending: HTTPArchive.Ending = .complete) -> Self {
    .init(
      chunks: sizes.enumerated().map { .init(time: Double($0) * 10, size: $1) }, ending: ending,
      at: Double(sizes.count) * 10)
  }
}
