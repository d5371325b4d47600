#if !canImport(Darwin)
  import Foundation
  public import UnderstudyHTTP
  import Understudy

  /// A factory of WebSockets over its own sockets, which share one thread that starts with the first of them.
  final class WebSocketLoop: Sendable {
    /// A thread that ends when its last user is released.
    private final class Running: Sendable {
      let loop: EventLoop

      init() throws(SocketError) {
        loop = try EventLoop.start(named: "WebSocket")
      }

      deinit {
        loop.stop()
      }
    }

    /// A socket that retains its thread.
    private struct Stream: ByteStream {
      let socket: TCPSocket
      let running: Running

      func read() async throws(SocketError) -> [UInt8]? { try await socket.read() }
      func write(_ bytes: [UInt8]) async throws(SocketError) { try await socket.write(bytes) }
      func endWriting() { socket.endWriting() }
      func close() async { await socket.close() }
      func abort() { socket.abort() }
    }

    private let running = Locked<Running?>(nil)

    /// - Parameter request: A request with an `http` URL; `https` is refused.
    func open(_ request: HTTP.Request) async throws(TransportError) -> StreamWebSocket {
      guard request.url.scheme?.lowercased() == "http" else {
        throw TransportError(
          .invalidRequest,
          "\(request.url) requires TLS, which WebSockets do not support on this platform. Use ws:// to a "
            + "server on this machine, or to a proxy on it that speaks TLS to the server.")
      }
      guard let host = request.url.host(percentEncoded: false),
        let port = UInt16(exactly: request.url.port ?? 80)
      else { throw TransportError(.invalidRequest, "\(request.url) has no host and port to connect to.") }
      do {
        let running = try self.running.withLock { running throws(SocketError) in
          if let running { return running }
          let started = try Running()
          running = started
          return started
        }
        // The connection and the handshake share the request's timeout.
        let settings = WebSocketSettings()
        return try await settings.time.withTimeout(request.timeout) {
          let socket = try await TCPSocket.connect(
            to: host.trimmingCharacters(in: ["[", "]"]), port: port, on: running.loop)
          var handshake = request
          handshake.timeout = nil
          return try await StreamWebSocket.open(
            handshake, over: Stream(socket: socket, running: running), settings)
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
      let sockets = sockets.withLock { sockets in
        if let sockets = sockets as? WebSocketLoop { return sockets }
        let opened = WebSocketLoop()
        sockets = opened
        return opened
      }
      return try await sockets.open(request)
    }
  }
#endif
