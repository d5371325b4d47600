/// Answers requests: a backend without the network, which an ``InProcessTransport`` or a server puts before clients.
public protocol HTTPHandler: Sendable {
  /// The response to one request.
  ///
  /// - Throws: `TransportError` to break the exchange off as that error; any other error closes the connection
  ///   without an answer.
  func respond(to request: HTTPRequest) async throws -> HTTPResponse
}
