public import Foundation

/// A handler that forwards requests to an upstream server.
///
/// Served by a `MockServer`, it lets any client on this machine use the upstream with faults:
///
/// ```swift
/// let proxy = ReverseProxy(to: upstream, over: URLSessionTransport(followsRedirects: false))
/// let server = try await MockServer(proxy, faults: .on(.get("/notes"), call: 1, .answerLost))
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
///   ``/UnderstudyTransport/WebSocketTransport`` results in a 501.
/// - A body that is nevertheless encoded with gzip, deflate or br is assumed to be decoded by the transport, as
///   ``/UnderstudyTransport/URLSessionTransport`` does. A body with another coding is passed on with it.
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

extension ReverseProxy {
  /// The request for the upstream.
  func forwarded(_ request: HTTP.Request) -> HTTP.Request {
    var fields = request.fields.withoutHopByHop
    // The transport sets the host and the expectation of a 100; the encoding concerns only this connection.
    for name in ["Host", "Expect", "Accept-Encoding"] { fields[name] = nil }
    // The framing of an upload is part of what the client sent, and is recorded; a transport may choose another one.
    if request.body == nil {
      fields["Content-Length"] = nil
    } else if fields["Content-Length"] == nil {
      fields["Transfer-Encoding"] = request.fields["Transfer-Encoding"]
    }
    for name in ["Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Extensions"] {
      fields[name] = nil
    }
    if !request.asksForWebSocket { fields["Accept-Encoding"] = "identity" }
    return HTTP.Request(
      request.method, scope.upstreamURL(for: request.url), fields: fields, body: request.body,
      timeout: timeout)
  }

  /// The response for the client.
  func passedBack(_ response: HTTP.Response, from forwarded: HTTP.Request, to request: HTTP.Request)
    -> HTTP.Response
  {
    var response = response
    response.fields = passedBack(response.fields, from: forwarded, to: request)
    let codings = (response.fields["Content-Encoding"] ?? "").lowercased()
      .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    let isDecoded = codings.allSatisfy { ["gzip", "x-gzip", "deflate", "br", "identity"].contains($0) }
    if request.method != .head, !response.hasEncodedBody, !codings.isEmpty, isDecoded {
      response.fields["Content-Encoding"] = nil
      if codings != ["identity"] { response.fields["Content-Length"] = nil }
    }
    return response
  }

  func passedBack(_ fields: HTTP.Fields, from forwarded: HTTP.Request, to request: HTTP.Request)
    -> HTTP.Fields
  {
    scope.visible(fields.withoutHopByHop, from: forwarded.url, to: request.url)
  }

  private var scope: ProxyScope { ProxyScope(upstream: upstream) }
}

extension HTTP.Fields {
  /// The fields without those for a single connection (RFC 9110 §7.6.1).
  var withoutHopByHop: HTTP.Fields {
    var names: Set<String> = [
      "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "proxy-connection",
      "proxy-authenticate", "proxy-authorization", "proxy-authentication-info",
    ]
    for list in values(of: "Connection") {
      for name in list.split(separator: ",") {
        names.insert(name.trimmingCharacters(in: .whitespaces).lowercased())
      }
    }
    return HTTP.Fields(filter { !names.contains($0.name.lowercased()) })
  }
}

extension ReverseProxy {
  /// Opens a WebSocket at the upstream, and accepts the client's handshake if the upstream accepts.
  func openWebSocket(_ forwarded: HTTP.Request, for request: HTTP.Request) async throws -> HTTP.Response {
    guard let transport = transport as? any WebSocketTransport else {
      return .text(
        "The transport of this proxy, \(type(of: transport)), does not support WebSockets.", status: 501)
    }
    let upstream: any WebSocketConnection
    do {
      upstream = try await transport.connect(to: forwarded)
    } catch {
      guard let refusal = error.cause as? WebSocketRefusal, refusal.status >= 200 else { throw error }
      var fields = passedBack(refusal.fields, from: forwarded, to: request)
      // The body is no longer available.
      for name in ["Content-Length", "Content-Encoding"] { fields[name] = nil }
      return HTTP.Response(status: refusal.status, fields: fields)
    }
    return .webSocket(subprotocol: upstream.subprotocol) { client in
      try await Self.join(client, upstream)
    }
  }

  /// Forwards the messages of both sides until both have sent a close frame.
  ///
  /// - Throws: The error of the side that failed. The other side is cancelled, and receives no close frame.
  private static func join(
    _ client: any WebSocketConnection, _ upstream: any WebSocketConnection
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await pass(from: client, to: upstream) }
      group.addTask { try await pass(from: upstream, to: client) }
      // The first error cancels the other direction.
      for try await _ in group {}
    }
  }

  /// Forwards messages one after another, and then the close frame.
  private static func pass(
    from source: any WebSocketConnection, to target: any WebSocketConnection
  ) async throws {
    while let message = try await source.receive() {
      do {
        try await target.send(message)
      } catch {
        // After a close frame the target no longer receives messages; the source's close frame is still awaited.
        guard target.closure != nil, error.code == .connectionLost else { throw error }
      }
    }
    if let closure = source.closure { await target.close(closure) }
  }
}
