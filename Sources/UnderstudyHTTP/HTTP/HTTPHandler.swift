/// Answers requests: a backend without the network, which an ``InProcessTransport`` or a server puts before clients.
public protocol HTTPHandler: HTTPErrorStyling {
  /// The response to one request.
  ///
  /// - Throws: `TransportError` to break the exchange off as that error; any other error closes the connection
  ///   without an answer.
  func respond(to request: HTTP.Request) async throws -> HTTP.Response
}

/// What answers over HTTP, and so has a style in which a fault refuses a request there.
public protocol HTTPErrorStyling: Sendable {
  /// How the backend writes its refusals; ``HTTPErrorStyle/problemDetails`` by default.
  var errorStyle: HTTPErrorStyle { get }
}

extension HTTPErrorStyling {
  /// Plain problem details.
  public var errorStyle: HTTPErrorStyle { .problemDetails }
}
