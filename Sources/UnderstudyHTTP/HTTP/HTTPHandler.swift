/// A type that answers HTTP requests: a backend without the network, for an ``InProcessTransport`` or a server.
public protocol HTTPHandler: HTTPErrorStyling {
  /// Returns the response to a request.
  ///
  /// - Throws: `TransportError` to break the exchange with that error; any other error closes the connection without an
  ///   answer.
  func respond(to request: HTTP.Request) async throws -> HTTP.Response
}

/// A type that answers over HTTP, with a style for error answers.
public protocol HTTPErrorStyling: Sendable {
  /// The form of the backend's error answers (default: ``HTTPErrorStyle/problemDetails``).
  var errorStyle: HTTPErrorStyle { get }
}

extension HTTPErrorStyling {
  /// Problem details (RFC 9457).
  public var errorStyle: HTTPErrorStyle { .problemDetails }
}
