public import Foundation

/// Answers requests with what another server says to them: it stands before an upstream as if it were it.
///
/// Served by a `MockServer`, it lets any client on this machine talk to the upstream, while a transport between them
/// records, or fails:
///
/// ```swift
/// let recorder = RecordingTransport(around: URLSessionTransport(followsRedirects: false))
/// let server = try await MockServer(ReverseProxy(to: upstream, over: recorder))
/// ```
///
/// - The path and the query of a request are appended to the path of the upstream. The upstream is asked for a body
///   without encoding (`Accept-Encoding: identity`), so that a recording holds what it means.
/// - Each chunk of a body is passed on when it comes, and a client that reads slowly holds the upstream back as far as
///   the transport can. A body that breaks off breaks off for the client too.
/// - Fields that speak of one connection alone are left out on both ways (RFC 9110 §7.6.1).
/// - A redirect is the client's to follow, if the transport does not. A `Location` at the upstream, and the scope of
///   its cookies, are rewritten to where the client sees them.
/// - Without an answer from the upstream, the client gets a 504 after a time-out, else a 502, with the reason as text.
/// - WebSockets are opened at the upstream first, and then messages, goodbyes and breaks are passed on both ways, if
///   the transport is a ``WebSocketTransport`` too; else they are answered 501. Of an upstream's agreement, only the
///   subprotocol is passed on.
/// - A gzip, deflate or br that comes all the same is taken to be decoded, as ``URLSessionTransport`` does.
public struct ReverseProxy: HTTPHandler {
  /// Where requests go.
  public let upstream: URL
  let transport: any HTTPTransport
  let timeout: Duration?

  /// A proxy before an upstream.
  ///
  /// - Parameters:
  ///   - upstream: An absolute http or https URL; its path is put before that of each request, its query is not used.
  ///   - transport: What carries the requests there, best without following redirects.
  ///   - timeout: The longest silence of the upstream that is borne, before the head and between two chunks.
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

  /// What the client is told when the upstream has said nothing.
  ///
  /// - Throws: The error, if it is the client that has gone.
  private func failure(_ error: TransportError) throws -> HTTP.Response {
    switch error.code {
    case .cancelled: throw error
    case .timedOut: .text("\(upstream) has not answered. \(error.message)", status: 504)
    default: .text("\(upstream) could not be asked: \(error.code). \(error.message)", status: 502)
    }
  }
}

extension HTTP.Response {
  static func text(_ text: String, status: Int) -> HTTP.Response {
    HTTP.Response(status: status, body: Data("\(text)\n".utf8), contentType: "text/plain; charset=utf-8")
  }
}
