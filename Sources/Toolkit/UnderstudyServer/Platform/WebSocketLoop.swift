#if !canImport(Darwin)
  public import UnderstudyHTTP
  import Understudy
  import Foundation

  /// A factory of WebSockets over its own sockets.
  final class WebSocketLoop: Sendable {
    private let sockets = ClientSockets()

    /// - Parameter request: A request with an `http` URL; `https` is refused.
    func open(_ request: HTTP.Request) async throws(TransportError) -> StreamWebSocket {
      guard request.url.scheme?.lowercased() == "http" else {
        throw TransportError(
          .invalidRequest,
          "\(request.url) requires TLS, which WebSockets do not support on this platform. Use ws:// to a "
            + "server on this machine, or to a proxy on it that speaks TLS to the server.")
      }
      do {
        // The connection and the handshake share the request's timeout.
        let settings = WebSocketSettings()
        return try await settings.time.withTimeout(request.timeout) { [sockets] in
          let stream = try await sockets.connect(to: request.url)
          var handshake = request
          handshake.timeout = nil
          return try await StreamWebSocket.open(handshake, over: stream, settings)
        }
      } catch {
        if Task.isCancelled { throw TransportError(.cancelled, "The request was cancelled.", cause: error) }
        throw TransportError(ofStream: error)
      }
    }
  }

  extension URLSessionTransport: WebSocketTransport {
    /// Opens a WebSocket and returns once the server has accepted it.
    ///
    /// URLSession does not support WebSockets on Linux. A socket of this package is used there, over `ws` alone,
    /// because it does not support TLS. The session's proxy and cookies do not apply.
    ///
    /// - Throws: As `WebSocketTransport.connect(to:)`; `.invalidRequest` for `wss`.
    public func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
      let request = try request.forWebSocket()
      if Task.isCancelled {
        throw TransportError(.cancelled, "The request was cancelled before it was sent.")
      }
      return try await sockets { WebSocketLoop() }.open(request)
    }
  }
#endif
