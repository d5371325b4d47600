import Foundation
public import Understudy
public import UnderstudyHTTP

/// A server made of a recording: each request gets the recorded answer.
///
/// Where the requests were sent in the recording does not matter. The last answer to a request comes again when it is
/// asked more often than recorded, as people who try an app do. A request that the recording has no answer for gets
/// status 501, and a text that says what is nearest and what differs.
///
/// A recorded WebSocket is played to the client. One that sends what the recorded client did not is told so by a close
/// frame with 1008; ``ReplayingTransport/unansweredRequests`` has the message in full.
///
/// What ended without an answer, or in the midst of one, ends so again, as far as a server can bring it about.
public struct ReplayHandler: HTTPHandler {
  /// What answers, and knows what was never asked for.
  public let transport: ReplayingTransport

  /// A server of a recording.
  ///
  /// - Parameters:
  ///   - archive: The recording, which may be any tool's.
  ///   - pauses: The time on which the recorded pauses pass; `nil` leaves them out.
  public init(_ archive: IndexedArchive, pauses: Time? = nil) {
    transport = ReplayingTransport(
      archive, matching: RequestMatching(parts: .all.subtracting(.origin)), repetition: .repeatsLast,
      pauses: pauses)
  }

  /// A server of a recording that is in memory; the parameters are those of the other initialiser.
  public init(_ archive: HTTPArchive, pauses: Time? = nil) {
    self.init(IndexedArchive(archive), pauses: pauses)
  }

  /// The recorded answer.
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
      // Whoever answers this handshake writes its own, and a 101 has no body.
      let own: Set = [
        "connection", "upgrade", "sec-websocket-accept", "sec-websocket-extensions", "content-length",
        "transfer-encoding", "date",
      ]
      response.fields = HTTP.Fields(fields.filter { !own.contains($0.name.lowercased()) })
      return response
    }
  }

  /// A recorded body is plain, whatever it was on the wire (HAR 1.2, `content`), so its length may be another; and a
  /// redirect or a cookie of the recorded service must not lead the client there.
  private static func sendable(
    _ recorded: HTTP.Response, recordedAt url: String, to request: HTTP.Request
  ) -> HTTP.Response {
    var response = recorded
    if let source = URL(string: url), var origin = URLComponents(url: source, resolvingAgainstBaseURL: true) {
      (origin.path, origin.query, origin.fragment) = ("", nil, nil)
      if let origin = origin.url {
        response.fields = ProxyScope(upstream: origin)
          .visible(recorded.fields, from: source, to: request.url)
      }
    }
    let isWhole = response.body.chunksInMemory != nil && request.method != .head
    if isWhole || response.fields["Content-Encoding"] != nil {
      response.fields["Content-Encoding"] = nil
      response.fields["Content-Length"] = nil
    }
    return response
  }
}
