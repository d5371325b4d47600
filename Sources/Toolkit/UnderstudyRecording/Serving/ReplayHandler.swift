import Foundation
public import Understudy
public import UnderstudyHTTP

/// A handler that responds to each request from a recording.
///
/// The origin of recorded requests is ignored. If a request occurs more often than it was recorded, as when an app is
/// tried by hand, the last response is repeated. A request without a recorded response receives status 501, with the
/// nearest recorded request and the differences as text.
///
/// A recorded WebSocket is replayed to the client. A client that sends other messages than the recorded client receives
/// a close frame with code 1008.
///
/// An exchange that failed before or during its response fails in the same way, as far as a server can reproduce it.
public struct ReplayHandler: HTTPHandler {
  /// The transport that replays the recording, and lists unused entries.
  package let transport: ReplayingTransport

  /// - Parameter comparesOrigins: Whether requests have the URLs of the recorded service, as those to a forward proxy.
  package init(_ archive: IndexedArchive, pauses: Time? = nil, comparesOrigins: Bool = false) {
    transport = ReplayingTransport(
      archive, matching: RequestMatching(parts: comparesOrigins ? .all : .all.subtracting(.origin)),
      repetition: .repeatsLast,
      remedy: "record the session again with it", namesOptions: false, pauses: pauses)
  }

  /// Creates a handler from a recording.
  ///
  /// - Parameters:
  ///   - archive: The recording, of any tool.
  ///   - pauses: The clock for the recorded pauses; `nil` skips them.
  public init(_ archive: HTTPArchive, pauses: Time? = nil) {
    self.init(IndexedArchive(archive), pauses: pauses)
  }

  /// Returns the recorded response.
  ///
  /// - Throws: The recorded error, which aborts the exchange.
  public func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    do throws(TransportError) {
      if request.asksForWebSocket { return try await open(request) }
      let found = try transport.entry(for: AskedRequest(request, transport.keying, asksForWebSocket: false))
      let response = try await transport.response(of: found, to: request)
      return Self.sendable(response, recordedAt: found.entry.request.url, to: request)
    } catch {
      guard error.code == .invalidRequest else { throw error }
      let body = JSONValue.members(["message": .string(error.message)])
      return HTTP.Response(status: 501, body: Data(body.compactText.utf8), contentType: "application/json")
    }
  }

  private func open(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    let found = try transport.entry(for: AskedRequest(request, transport.keying, asksForWebSocket: true))
    switch try await transport.opening(of: found, for: request) {
    case .refused(let response):
      return Self.sendable(response, recordedAt: found.entry.request.url, to: request)
    case .agreed(let conversation, let fields, _):
      var response = HTTP.Response.webSocket { try await conversation.serve($0) }
      // The server writes its own handshake fields, and a 101 response has no body.
      let own: Set = [
        "connection", "upgrade", "sec-websocket-accept", "sec-websocket-extensions", "content-length",
        "transfer-encoding", "date",
      ]
      response.fields = HTTP.Fields(fields.filter { !own.contains($0.name.lowercased()) })
      return response
    }
  }

  /// Returns a response whose fields apply to the replay instead of the recorded service.
  ///
  /// Redirects and cookies must not lead the client to the recorded service. The length may differ, because a recorded
  /// body is decoded (HAR 1.2, `content`).
  private static func sendable(
    _ recorded: HTTP.Response, recordedAt url: String, to request: HTTP.Request
  ) -> HTTP.Response {
    var response = recorded
    if recorded.fields["Location"] != nil || recorded.fields["Set-Cookie"] != nil,
      let source = URL(string: url), var origin = URLComponents(url: source, resolvingAgainstBaseURL: true)
    {
      (origin.path, origin.query, origin.fragment) = ("", nil, nil)
      if let origin = origin.url {
        response.fields = ProxyScope(upstream: origin)
          .visible(recorded.fields, from: source, to: request.url)
      }
    }
    // The fields of a response to HEAD describe the body that GET would have (RFC 9110 §9.3.2).
    guard request.method != .head else { return response }
    if !response.hasEncodedBody,
      response.body.chunksInMemory != nil || response.fields["Content-Encoding"] != nil
    {
      response.fields["Content-Encoding"] = nil
      response.fields["Content-Length"] = nil
    }
    return response
  }
}
