public import Foundation

/// A handler that forwards requests to an upstream server.
///
/// Served by a `MockServer`, it lets any client on this machine use the upstream through a transport that records, or
/// injects faults:
///
/// ```swift
/// let recorder = RecordingTransport(around: URLSessionTransport(followsRedirects: false))
/// let server = try await MockServer(ReverseProxy(to: upstream, over: recorder))
/// ```
///
/// - The path and the query of a request are appended to the path of the upstream. The upstream is asked for an
///   unencoded body (`Accept-Encoding: identity`), so that a recording has readable content.
/// - Each chunk of a body is forwarded when it arrives. A slow client applies back-pressure to the upstream, as far as
///   the transport supports it. A truncated body is truncated for the client too.
/// - Hop-by-hop fields are removed in both directions (RFC 9110 §7.6.1), except that an upload in chunks is forwarded as
///   one, if the transport supports it.
/// - A redirect is returned to the client if the transport does not follow it. A `Location` at the upstream, and the
///   scope of its cookies, are rewritten to the client's view.
/// - If the upstream does not answer, the client receives a 504 after a timeout, otherwise a 502, with the reason as
///   text.
/// - A WebSocket is opened at the upstream first. Messages, close frames and connection failures are then forwarded in
///   both directions. Of the upstream's handshake only the subprotocol is forwarded. A transport that is not a
///   ``WebSocketTransport`` results in a 501.
/// - A body that is nevertheless encoded with gzip, deflate or br is assumed to be decoded by the transport, as
///   ``URLSessionTransport`` does.
public struct ReverseProxy: HTTPHandler {
  /// The URL of the upstream.
  package let upstream: URL
  let transport: any HTTPTransport
  let timeout: Duration?

  /// Creates a proxy for an upstream.
  ///
  /// - Parameters:
  ///   - upstream: An absolute http or https URL. Its path prefixes that of each request; its query is ignored.
  ///   - transport: The transport to the upstream, preferably one that does not follow redirects.
  ///   - timeout: The maximum silence of the upstream, before the head and between two chunks (default: 60 seconds).
  public init(to upstream: URL, over transport: any HTTPTransport, timeout: Duration? = .seconds(60)) {
    self.upstream = upstream
    self.transport = transport
    self.timeout = timeout
  }

  /// The upstream's response to one request.
  public func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    let forwarded = self.forwarded(request)
    do {
      if request.asksForWebSocket { return try await openWebSocket(forwarded, for: request) }
      return passedBack(try await transport.send(forwarded), from: forwarded, to: request)
    } catch {
      return try failure(TransportError(wrapping: error))
    }
  }

  /// The response for the client when the upstream has not answered.
  ///
  /// - Throws: The error, if the client has disconnected.
  private func failure(_ error: TransportError) throws -> HTTP.Response {
    switch error.code {
    case .cancelled: throw error
    case .timedOut: .text("\(upstream) has not answered. \(error.message)", status: 504)
    default: .text("The request to \(upstream) failed: \(error.code). \(error.message)", status: 502)
    }
  }
}

extension HTTP.Response {
  static func text(_ text: String, status: Int) -> HTTP.Response {
    HTTP.Response(status: status, body: Data("\(text)\n".utf8), contentType: "text/plain; charset=utf-8")
  }
}
