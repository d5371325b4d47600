import Foundation
package import Understudy

extension Fault.Spoiling {
  /// The answer in a form that cannot be read.
  ///
  /// Only the wire has the form itself. Anywhere else the reader meets the error that a client makes of it.
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
    .unreadableResponse, "What arrived cannot be read as HTTP.")

  /// A head as RFC 1952 §2.3 has it, and a block of the type that RFC 1951 §3.2.3 calls an error.
  private static let noGzip = Data(
    [0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0xFF] + [UInt8](repeating: 0xFF, count: 32))

  /// No status line begins like this, and no TLS record either.
  private static let noHTTP = Data(
    (0..<64).map { UInt8(truncatingIfNeeded: 0x80 &+ $0 &* 37) | 0x80 } + [13, 10])
}

extension Fault {
  /// Where ``redirectLoop`` leads on the wire, whatever the rule that began it: the server answers it by itself.
  package static let redirectLoopPath = "/.understudy/redirect-loop"

  /// The answer to every request for it; 307, so that the method stays (RFC 9110 §15.4.8).
  package static var redirectToItself: HTTP.Response {
    HTTP.Response(status: 307, fields: ["Location": redirectLoopPath])
  }
}
