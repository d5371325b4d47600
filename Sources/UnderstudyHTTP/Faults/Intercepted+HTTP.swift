public import UnderstudyTransport

extension Intercepted: HTTPTransport where Base: HTTPTransport {
  /// Sends a request through the interceptors; a fault becomes the response, or the error, that a client would see.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    do {
      return try await exchange(request, at: .transport) { try await base.send(request) }
    } catch {
      throw TransportError(wrapping: error)
    }
  }
}

extension Intercepted: HTTPHandler where Base: HTTPHandler {
  /// Answers a request through the interceptors; a fault becomes the response, or breaks the exchange off.
  public func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    try await exchange(request, at: .handler) { try await base.respond(to: request) }
  }

  /// Answers a request for a server, which carries out on its socket how a fault breaks the exchange off.
  ///
  /// - Throws: `ConnectionBreak` for a fault; what the base throws.
  package nonisolated(nonsending) func respondOnWire(
    to request: HTTPRequest
  ) async throws -> HTTPResponse {
    try await exchange(request, at: .wire) { try await base.respond(to: request) }
  }
}

extension Intercepted {
  private nonisolated(nonsending) func exchange(
    _ request: HTTPRequest, at seam: Seam, _ forward: nonisolated(nonsending) () async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    let call = CallCore(request)
    let passage = chain.enter(call)
    do {
      let response: HTTPResponse
      if let fault = await chain.wait(passage.detour) {
        response = try await fault.respond(to: request, at: seam, on: chain.time, forwarding: forward)
      } else {
        response = try await forward()
      }
      chain.end(passage)
      return response
    } catch {
      chain.end(passage, error)
      throw error
    }
  }
}
