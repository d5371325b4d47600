import Foundation
public import Understudy

/// A transport to an ``HTTPHandler`` in the same process, with the rules of HTTP and timeouts but without a socket.
///
/// - `request.timeout` runs on the injected ``/Understudy/Time`` and cancels the handler. It is structured: it waits for a handler
///   that ignores cancellation.
/// - A response to HEAD, and one with status 204 or 304, has no body (RFC 9110 §6.4.1).
/// - A request without a host, or with a scheme other than http and https, is `.invalidRequest`.
public struct InProcessTransport<Handler: HTTPHandler>: HTTPTransport {
  /// The handler that answers requests.
  package let handler: Handler
  private let time: Time

  /// Creates a transport to a handler.
  public init(to handler: Handler, time: Time = .system) {
    self.handler = handler
    self.time = time
  }

  /// Calls the handler, and returns when the head of its response is available.
  public func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    try request.checkTarget()
    do {
      try Task.checkCancellation()
      var response = try await time.withTimeout(request.timeout) { [handler] in
        try await handler.respond(to: request)
      }
      // The handler may not have checked for cancellation.
      try Task.checkCancellation()
      response = response.answeringHandshake(of: request)
      if request.method == .head || response.status == 204 || response.status == 304 {
        response.body = .empty
      } else if response.body.chunksInMemory == nil {
        response.body = timed(response.body, request.timeout)
      }
      return response
    } catch  where Task.isCancelled {
      // Independent of the handler's own error.
      throw TransportError(.cancelled, "The task was cancelled.", cause: error)
    } catch let error as TransportError {
      throw error
    } catch let error as TimeoutError {
      throw TransportError(wrapping: error)
    } catch {
      throw TransportError(
        .connectionLost, "The handler closed the connection without an answer.", cause: error)
    }
  }

  /// The same body, with a timeout for each chunk.
  private func timed(_ body: HTTP.Body, _ timeout: Duration?) -> HTTP.Body {
    HTTP.Body(perReader: { [time] in
      let next = body.makeReader()
      return {
        do {
          return try await time.withTimeout(timeout) { try await next() }
        } catch let error as TimeoutError {
          throw TransportError(wrapping: error)
        }
      }
    })
  }
}

extension InProcessTransport: ErrorStyled {
  package var errorStyle: HTTPErrorStyle { handler.errorStyle }
}

extension InProcessTransport: WebSocketTransport {
  /// Opens a WebSocket to the handler without a socket: messages are passed unencoded.
  ///
  /// The handler receives the fields of a handshake (RFC 6455 §4.1) with a constant key.
  public func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    let key = WebSocketKey { 0 }
    let request = try request.asWebSocketHandshake(key: key)
    let response = try await send(request)
    try request.checkAgreement(response.status, response.fields, key: key)
    guard let session = response.webSocketSession else {
      throw TransportError(.unreadableResponse, "The handler answered 101 without opening a WebSocket.")
    }
    return InProcessWebSocket.open(subprotocol: response.fields["Sec-WebSocket-Protocol"], session)
  }
}
