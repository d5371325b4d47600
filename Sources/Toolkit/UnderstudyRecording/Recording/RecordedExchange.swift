import Foundation
import UnderstudyHTTP

/// An observed exchange with its secrets; it never leaves the recorder.
struct RecordedExchange: Sendable {
  struct Head: Sendable {
    var status: Int
    var reason: String?
    var fields: HTTP.Fields
    var trailers: HTTP.Trailers?
    /// Whether the body still has the coding of its `Content-Encoding`.
    var hasEncodedBody = false
  }

  /// A part of the body that arrived at once.
  private struct Chunk: Sendable {
    /// The time since the head.
    var time: Duration
    var size: Int
  }

  /// The traffic of an open WebSocket.
  struct Socket: Sendable {
    /// The messages, each with a number to identify it until its transmission is confirmed.
    private(set) var messages: [(number: Int, message: HTTPArchive.WebSocketMessage)] = []
    /// The number of bytes of all messages.
    private(set) var size = 0
    var end: HTTPArchive.WebSocketEnd?
    /// The date of the last activity.
    var latest: Date

    init(latest: Date) {
      self.latest = latest
    }

    mutating func append(_ message: HTTPArchive.WebSocketMessage, _ number: Int) {
      messages.append((number, message))
      size += message.data.utf8.count
    }

    mutating func remove(_ number: Int) {
      messages.removeAll { $0.number == number }
    }
  }

  private(set) var request: HTTP.Request
  let sent: Date
  /// Whether the request is a WebSocket handshake.
  var isWebSocket = false
  /// The time until the head or the failure.
  var wait: Duration = .zero
  var head: Head?
  var failure: TransportError?
  private var body = Data()
  private var chunks: [Chunk] = []
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
    guard head.hasEncodedBody || head.fields["Content-Encoding"] == nil,
      let length = head.fields["Content-Length"].flatMap(Int.init)
    else { return false }
    return body.count >= length
  }

  /// The number of bytes of the bodies and messages.
  var size: Int { body.count + (request.body?.count ?? 0) + (socket?.size ?? 0) }

  /// The limit at which the body or the messages were cut off, in bytes.
  var cutOffLimit: Int? {
    if case .cutOff(let limit) = ending { return limit }
    if case .cutOff(let limit)? = socket?.end?.cause { return limit }
    return nil
  }

  /// The coding that the body still has; `nil` if it was decoded.
  var undecodedCoding: String? {
    head?.hasEncodedBody == true && !body.isEmpty ? head?.fields["Content-Encoding"] : nil
  }

  /// Appends a chunk.
  ///
  /// - Parameter limit: The length in bytes at which the body is cut off.
  /// - Returns: Whether the whole chunk was appended.
  @discardableResult mutating func append(_ bytes: Data, at time: Duration, limit: Int) -> Bool {
    endTime = time
    let part = bytes.prefix(max(0, limit - body.count))
    if !part.isEmpty || bytes.isEmpty {
      chunks.append(Chunk(time: time, size: part.count))
      // Most bodies have one chunk, which is not copied.
      if body.isEmpty { body = part } else { body.append(part) }
    }
    guard part.count < bytes.count else { return true }
    ending = .cutOff(limit: limit)
    return false
  }

  /// Whether the exchange has a response or a failure.
  var isAnswered: Bool { head != nil || failure != nil }

  /// Returns the exchange as a closure changes it; `nil` if it is not to be written.
  func edited(by edit: RecordingOptions.ExchangeEdit) -> RecordedExchange? {
    var edited = self
    var response = head.map { head in
      var response = HTTP.Response(status: head.status, fields: head.fields, body: HTTP.Body(body))
      response.hasEncodedBody = head.hasEncodedBody
      return response
    }
    guard edit(&edited.request, &response) else { return nil }
    guard let response else {
      // What had a response cannot become a failure, so without one it is left out.
      return head == nil ? edited : nil
    }
    edited.head = Head(
      status: response.status, fields: response.fields, hasEncodedBody: response.hasEncodedBody)
    // A body that is unchanged keeps its chunks.
    if let new = response.body.chunksInMemory, Data(new.joined()) != body {
      edited.chunks = new.map { Chunk(time: endTime, size: $0.count) }
      edited.body = Data(new.joined())
    }
    return edited
  }

  /// Returns the entry with its secrets, and releases the body.
  mutating func takeEntry() -> HTTPArchive.Entry {
    var entry = HTTPArchive.Entry(
      startedDateTime: sent, request: .init(request), response: response,
      timings: .init(wait: wait.milliseconds, receive: endTime.milliseconds))
    if isWebSocket { entry["_resourceType"] = .string("websocket") }
    if let socket {
      entry.webSocketMessages = socket.messages.map(\.message)
      entry.webSocketEnd = socket.end ?? .init(.unfinished, at: socket.latest)
    }
    (body, chunks, socket) = (Data(), [], nil)
    return entry
  }

  private var response: HTTPArchive.Response {
    guard let head else {
      return .init(failure: failure ?? TransportError(.unknown, "The request has no response yet."))
    }
    var content = HTTPArchive.Content(
      body, mimeType: head.fields["Content-Type"] ?? "", isEncoded: head.hasEncodedBody)
    if !isWebSocket {
      let chunks = chunks.map { HTTPArchive.Chunk(time: $0.time.milliseconds, size: $0.size) }
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
