public import UnderstudyTransport

extension Intercepted: HTTPTransport where Base: HTTPTransport {
  /// Sends a request through the interceptors; a fault becomes the response, or the error, that a client would see.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await pass(Call(Operation(request), packing: request)) { fault throws(TransportError) in
      guard let fault else { return try await base.send(request) }
      do {
        return try await fault.respond(to: request, on: time) { try await base.send(request) }
      } catch {
        throw TransportError(wrapping: error)
      }
    }
  }
}

extension Intercepted: HTTPHandler where Base: HTTPHandler {
  /// Answers a request through the interceptors; a fault becomes the response, or breaks the exchange off.
  public func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    try await pass(Call(Operation(request), packing: request)) { fault in
      guard let fault else { return try await base.respond(to: request) }
      return try await fault.respond(to: request, on: time) { try await base.respond(to: request) }
    }
  }
}
