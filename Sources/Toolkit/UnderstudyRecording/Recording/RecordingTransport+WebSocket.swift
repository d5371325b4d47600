import Foundation
public import UnderstudyHTTP
import Understudy

extension RecordingTransport: WebSocketTransport {
  /// Opens a WebSocket through the base transport, and records its messages.
  ///
  /// A response that opens no WebSocket is recorded with its status and its fields.
  ///
  /// - Throws: `TransportError` with `.invalidRequest` if the base is not a `WebSocketTransport`, or the error of the
  ///   base.
  public func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    let base = try base.openingWebSockets()
    var exchange = RecordedExchange(request, sent: time.now)
    exchange.isWebSocket = true
    let number = recorder.begin(exchange)
    let sinceRequest = time.clock.stopwatch()
    do {
      let connection = try await base.connect(to: request)
      let wait = sinceRequest()
      var fields = HTTP.Fields()
      fields["Sec-WebSocket-Protocol"] = connection.subprotocol
      let head = RecordedExchange.Head(status: 101, fields: fields)
      let now = time.now
      recorder.change(number) {
        $0.wait = wait
        $0.head = head
        $0.socket = RecordedExchange.Socket(latest: now)
      }
      return RecordedWebSocket(connection, number, recorder, time)
    } catch {
      let wait = sinceRequest()
      recorder.end(number) {
        $0.wait = wait
        if let refusal = error.cause as? WebSocketRefusal {
          $0.head = .init(status: refusal.status, fields: refusal.fields)
        } else {
          $0.failure = error
        }
      }
      throw error
    }
  }
}

extension HTTPTransport {
  /// Returns the transport, which must be one that opens WebSockets.
  ///
  /// - Throws: `.invalidRequest` if it is not.
  func openingWebSockets() throws(TransportError) -> any WebSocketTransport {
    if let transport = self as? any WebSocketTransport { return transport }
    throw TransportError(
      .invalidRequest,
      "The recorded transport, \(type(of: self)), does not support WebSockets. Record with a transport that does."
    )
  }
}
