import Foundation
import UnderstudyHTTP

/// The detection of requests that a proxy has sent and that come back to it.
///
/// What the proxy sends has its pseudonym in `Via`, the field for this purpose (RFC 9110 §7.6.3). The field is added
/// below the recorder, so that recordings have the fields of the client alone.
struct LoopGuard: Sendable {
  /// The name of this proxy, which differs between processes, so that one proxy can be the upstream of another.
  private let pseudonym = "understudy-\(String(UInt64.random(in: .min ... .max), radix: 36))"

  /// Returns the transport with the pseudonym in each request.
  func marking(_ transport: UpstreamTransport) -> some HTTPTransport & WebSocketTransport {
    MarkingTransport(base: transport, pseudonym: pseudonym)
  }

  /// Returns the handler, which no request with the pseudonym reaches.
  func protecting(_ handler: some HTTPHandler) -> some HTTPHandler {
    ProtectedHandler(base: handler, pseudonym: pseudonym)
  }
}

private struct MarkingTransport: HTTPTransport, WebSocketTransport {
  let base: UpstreamTransport
  let pseudonym: String

  func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    try await base.send(marked(request))
  }

  func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    try await base.connect(to: marked(request))
  }

  private func marked(_ request: HTTP.Request) -> HTTP.Request {
    var request = request
    request.fields.append(name: "Via", value: "1.1 \(pseudonym)")
    return request
  }
}

private struct ProtectedHandler<Base: HTTPHandler>: HTTPHandler {
  let base: Base
  let pseudonym: String

  func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    let proxies = request.fields.values(of: "Via").flatMap { $0.split(separator: ",") }
    let isOwn = proxies.contains { proxy in
      proxy.split(separator: " ").dropFirst().first.map { $0 == pseudonym } ?? false
    }
    guard !isOwn else {
      // RFC 5842 §7.2: Loop Detected.
      return HTTP.Response(
        status: 508,
        body: Data("The upstream leads back to this proxy, which has sent this request itself.\n".utf8),
        contentType: "text/plain; charset=utf-8")
    }
    return try await base.respond(to: request)
  }
}
