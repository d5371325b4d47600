import Foundation
package import Understudy
package import UnderstudyHTTP

/// A transport over sockets of this package, for `http` URLs alone.
///
/// It receives what other clients do where URLSession on Linux fails: trailers, which end the process there, several
/// equal lengths, a status line without a reason, header fields that are not UTF-8, and repeated fields in their order.
/// Each request has its own connection. Redirects are returned, and bodies keep their content coding.
package final class SocketTransport: HTTPTransport {
  private let sockets = ClientSockets()
  private let time: Time

  package init(time: Time = .system) {
    self.time = time
  }

  package func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    try request.checkTarget()
    guard request.url.scheme?.lowercased() == "http" else {
      throw TransportError(
        .invalidRequest, "\(request.url) requires TLS, which this transport does not support.")
    }
    let head = try request.withFraming.head()
    do {
      let exchange = try await time.withTimeout(request.timeout) { [sockets, time] in
        let exchange = ClientExchange(try await sockets.connect(to: request.url), request, time)
        try await exchange.send(head)
        return exchange
      }
      return try await exchange.response()
    } catch {
      if Task.isCancelled { throw TransportError(.cancelled, "The request was cancelled.", cause: error) }
      throw TransportError(ofStream: error)
    }
  }
}

extension HTTP.Request {
  /// Whether the body is sent in chunks.
  fileprivate var isChunked: Bool {
    body != nil && fields["Transfer-Encoding"]?.lowercased().hasSuffix("chunked") == true
  }

  /// The request with the framing of its body, and without keeping the connection.
  fileprivate var withFraming: HTTP.Request {
    var request = self
    request.fields["Connection"] = "close"
    request.fields["Transfer-Encoding"] = isChunked ? "chunked" : nil
    request.fields["Content-Length"] = isChunked ? nil : body.map { "\($0.count)" }
    return request
  }

  /// The bytes of the body in its framing.
  fileprivate var framedBody: [UInt8] {
    guard let body else { return [] }
    guard isChunked else { return [UInt8](body) }
    var bytes: [UInt8] = []
    if !body.isEmpty {
      bytes.appendChunkSize(body.count)
      bytes += body
      bytes += "\r\n".utf8
    }
    return bytes + Array("0\r\n\r\n".utf8)
  }
}

/// One request and its response on a connection, which is aborted when its last reader is released.
private final class ClientExchange: Sendable {
  private let stream: any ByteStream
  private let request: HTTP.Request
  private let time: Time
  private let reader: Locked<ResponseReader>
  private let trailers = HTTP.Trailers()

  init(_ stream: any ByteStream, _ request: HTTP.Request, _ time: Time) {
    self.stream = stream
    self.request = request
    self.time = time
    reader = Locked(ResponseReader(toHead: request.method == .head))
  }

  deinit {
    stream.abort()
  }

  /// Sends the request.
  func send(_ head: [UInt8]) async throws {
    do {
      try await stream.write(head + request.framedBody)
    } catch {
      // A server may answer and close before it has received the whole body.
      guard error.code == .connectionReset else { throw error }
    }
  }

  /// Returns the response when its head has arrived.
  func response() async throws -> HTTP.Response {
    while true {
      if case .head(let head) = try next() {
        var response = HTTP.Response(status: head.status, fields: head.fields, body: body())
        response.reason = head.reason
        response.trailers = trailers
        return response
      }
      try await receive()
    }
  }

  private func body() -> HTTP.Body {
    HTTP.Body(unfolding: { [self] in
      do {
        while true {
          switch try next() {
          case .bytes(let bytes): return Data(bytes)
          case .end(let fields):
            trailers.fields = fields
            await stream.close()
            return nil
          case .head, nil: try await receive()
          }
        }
      } catch {
        if Task.isCancelled { throw TransportError(.cancelled, "The request was cancelled.", cause: error) }
        throw TransportError(ofStream: error)
      }
    })
  }

  private func next() throws(TransportError) -> ResponseReader.Step? {
    try reader.withLock { reader throws(TransportError) in try reader.next() }
  }

  /// Waits for more bytes, also those of interim responses, within the timeout of the request.
  private func receive() async throws {
    let bytes = try await time.withTimeout(request.timeout) { [stream] in try await stream.read() }
    reader.withLock { if let bytes { $0.append(bytes) } else { $0.isEnded = true } }
  }
}
