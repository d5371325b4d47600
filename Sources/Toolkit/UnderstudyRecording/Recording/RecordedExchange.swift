import Foundation
import UnderstudyHTTP

/// An observed exchange with its secrets; it never leaves the recorder.
struct RecordedExchange: Sendable {
  struct Head: Sendable {
    var status: Int
    var reason: String?
    var fields: HTTP.Fields
    var trailers: HTTP.Trailers?
  }

  struct Chunk: Sendable {
    /// The time since the head.
    var time: Duration
    var bytes: Data
  }

  /// The traffic of an open WebSocket.
  struct Socket: Sendable {
    /// The messages, each with a number to identify it until its transmission is confirmed.
    var messages: [(number: Int, message: HTTPArchive.WebSocketMessage)] = []
    var end: HTTPArchive.WebSocketEnd?
    /// The date of the last activity.
    var latest: Date
  }

  private(set) var request: HTTP.Request
  let sent: Date
  /// Whether the request is a WebSocket handshake.
  var isWebSocket = false
  /// The time until the head or the failure.
  var wait: Duration = .zero
  var head: Head?
  var failure: TransportError?
  private(set) var chunks: [Chunk] = []
  /// The size of all chunks in bytes.
  private var size = 0
  var ending: HTTPArchive.Ending = .unfinished
  /// The time from the head to the end.
  var endTime: Duration = .zero
  var socket: Socket?

  init(_ request: HTTP.Request, sent: Date) {
    self.request = request
    self.sent = sent
  }

  /// Whether the body has reached its announced length (RFC 9112 §6.3), so that a reader may stop.
  ///
  /// The encoded length of a decoded body is unknown.
  var hasWholeBody: Bool {
    guard let head else { return false }
    if request.method == .head || head.status == 204 || head.status == 304 { return true }
    guard head.fields["Content-Encoding"] == nil, let length = head.fields["Content-Length"].flatMap(Int.init)
    else { return false }
    return size >= length
  }

  /// Appends a chunk.
  mutating func append(_ bytes: Data, at time: Duration) {
    endTime = time
    chunks.append(.init(time: time, bytes: bytes))
    size += bytes.count
  }

  /// Whether the exchange has a response or a failure.
  var isAnswered: Bool { head != nil || failure != nil }

  /// Returns the exchange as a closure changes it; `nil` if it is not to be written.
  func edited(by edit: RecordingOptions.ExchangeEdit) -> RecordedExchange? {
    var edited = self
    let bytes = chunks.reduce(into: Data()) { $0 += $1.bytes }
    var response = head.map { HTTP.Response(status: $0.status, fields: $0.fields, body: HTTP.Body(bytes)) }
    guard edit(&edited.request, &response) else { return nil }
    guard let response else {
      // What had a response cannot become a failure, so without one it is left out.
      return head == nil ? edited : nil
    }
    edited.head = Head(status: response.status, fields: response.fields)
    // A body that is unchanged keeps its chunks.
    if let new = response.body.chunksInMemory, Data(new.joined()) != bytes {
      edited.chunks = new.map { Chunk(time: endTime, bytes: $0) }
      edited.size = new.reduce(0) { $0 + $1.count }
    }
    return edited
  }

  /// The entry, with its secrets.
  var entry: HTTPArchive.Entry {
    var entry = HTTPArchive.Entry(
      startedDateTime: sent, request: .init(request), response: response,
      timings: .init(wait: wait.milliseconds, receive: endTime.milliseconds))
    if isWebSocket { entry["_resourceType"] = .string("websocket") }
    if let socket {
      entry.webSocketMessages = socket.messages.map(\.message)
      entry.webSocketEnd = socket.end ?? .init(.unfinished, at: socket.latest)
    }
    return entry
  }

  private var response: HTTPArchive.Response {
    guard let head else {
      return .init(failure: failure ?? TransportError(.unknown, "The request has no response yet."))
    }
    let body = chunks.reduce(into: Data()) { $0.append($1.bytes) }
    var content = HTTPArchive.Content(body, mimeType: head.fields["Content-Type"] ?? "")
    if !isWebSocket {
      let chunks = chunks.map { HTTPArchive.Chunk(time: $0.time.milliseconds, size: $0.bytes.count) }
      content.stream = HTTPArchive.BodyStream(chunks: chunks, ending: ending, at: endTime.milliseconds)
    }
    return .init(
      status: head.status, reason: head.reason, fields: head.fields, trailers: head.trailers?.fields ?? [:],
      content: content)
  }
}

extension HTTPArchive.Entry {
  /// Whether it contains base64.
  var hasBase64: Bool {
    response.content["encoding"] != nil || request.postData?["_encoding"] != nil
      || webSocketMessages.contains { $0.opcode == 2 }
  }
}

extension Duration {
  /// The duration in milliseconds, rounded to the microsecond.
  var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1000 + Double(attoseconds / 1_000_000_000_000) / 1000
  }
}
