public import Foundation

/// Sends requests and brings back responses: the injectionPoint between a service and the network.
///
/// A transport of your own is one method. A fake that answers every request:
///
/// ```swift
/// struct Teapot: HTTPTransport {
///   func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
///     HTTP.Response(status: 418, body: Data("short and stout".utf8), contentType: "text/plain")
///   }
/// }
/// ```
public protocol HTTPTransport: HTTPErrorStyling {
  /// Sends the request and returns once the head of the response is there.
  ///
  /// Every status is an answer, 500 as well as 200: only a missing answer is thrown. Cancelling the task ends
  /// the exchange and throws `.cancelled`.
  func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response
}

extension HTTPTransport {
  /// Sends the request and reads the whole body.
  ///
  /// - Parameter limit: The most bytes of body that are kept in memory.
  /// - Returns: The bytes, and the response they came with.
  public func data(
    for request: HTTP.Request, upTo limit: Int = .max
  ) async throws(TransportError) -> (Data, HTTP.Response) {
    let response = try await send(request)
    return (try await response.body.collect(upTo: limit), response)
  }
}
