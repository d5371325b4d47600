public import Foundation

/// A type that sends HTTP requests and returns responses: the interface between a service and the network.
///
/// A custom transport implements one method. A fake that answers every request:
///
/// ```swift
/// struct Teapot: HTTPTransport {
///   func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
///     HTTP.Response(status: 418, body: Data("short and stout".utf8), contentType: "text/plain")
///   }
/// }
/// ```
public protocol HTTPTransport: Sendable {
  /// Sends a request, and returns when the head of the response has arrived.
  ///
  /// Every status is an answer, 500 as well as 200; only a missing answer is an error. Cancelling the task ends the
  /// exchange.
  ///
  /// - Throws: `TransportError`; `.cancelled` when the task is cancelled.
  func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response
}

extension HTTPTransport {
  /// Sends a request, and reads the complete body.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - limit: The maximum number of bytes of the body.
  /// - Returns: The bytes of the body, and the response.
  public func data(
    for request: HTTP.Request, upTo limit: Int = .max
  ) async throws(TransportError) -> (Data, HTTP.Response) {
    let response = try await send(request)
    return (try await response.body.collect(upTo: limit), response)
  }
}
