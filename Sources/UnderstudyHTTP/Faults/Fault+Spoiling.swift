import Foundation
package import Understudy

extension Fault.Spoiling {
  /// The answer in a form that cannot be parsed.
  ///
  /// Only the wire sends the form itself. At other injection points the reader receives the error that a client reports
  /// for it.
  func spoil(_ response: HTTP.Response, _ breaks: Breaks, _ request: HTTP.Request) async throws
    -> HTTP.Response
  {
    var response = response
    guard case .wire = breaks else {
      switch self {
      case .chunk(let count) where response.hasBody(inAnswerTo: request):
        response.body = response.body.cut(afterBytes: count) { Self.unreadable }
        return response
      case .gzip:
        if !response.hasBody(inAnswerTo: request) { response.status = 200 }
        response.webSocketSession = nil
        response.body = HTTP.Body(chunks: [], endingWith: Self.unreadable)
        return response
      case .garbage, .chunk: throw Self.unreadable
      }
    }
    switch self {
    case .chunk(let count) where response.hasBody(inAnswerTo: request):
      response.fields["Content-Length"] = nil
      response.body = response.body.cut(afterBytes: count) { ConnectionBreak.malformedChunk }
      return response
    case .gzip:
      if !response.hasBody(inAnswerTo: request) { response.status = 200 }
      response.webSocketSession = nil
      response.fields["Content-Length"] = nil
      response.fields["Content-Encoding"] = "gzip"
      response.body = HTTP.Body(Self.noGzip)
      return response
    case .garbage, .chunk: throw ConnectionBreak.bytes(Self.noHTTP)
    }
  }

  private static let unreadable = TransportError(
    .unreadableResponse, "The received bytes are not a valid HTTP response.")

  /// A gzip header (RFC 1952 §2.3), followed by a block of the reserved type, which is an error (RFC 1951 §3.2.3).
  private static let noGzip = Data(
    [0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0xFF] + [UInt8](repeating: 0xFF, count: 32))

  /// Bytes that begin neither a status line nor a TLS record.
  private static let noHTTP = Data(
    (0..<64).map { UInt8(truncatingIfNeeded: 0x80 &+ $0 &* 37) | 0x80 } + [13, 10])
}

extension Fault {
  /// The target of ``redirectLoop`` on the wire, for any rule: the server answers it itself.
  package static let redirectLoopPath = "/.understudy/redirect-loop"

  /// The answer to every request for this target; 307 preserves the method (RFC 9110 §15.4.8).
  package static var redirectToItself: HTTP.Response {
    HTTP.Response(status: 307, fields: ["Location": redirectLoopPath])
  }
}
