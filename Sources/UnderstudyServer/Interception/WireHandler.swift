import Foundation
import UnderstudyDoubles
import UnderstudyTransport

/// What answers on a socket, whatever the type of its handler.
protocol WireResponder: Sendable {
  /// The response to one request; what is thrown says how the connection is broken off.
  nonisolated(nonsending) func respondOnWire(to request: HTTPRequest) async throws -> HTTPResponse
}

/// A handler behind its interceptors, whose faults happen on the socket.
struct WireHandler<Handler: HTTPHandler>: WireResponder {
  private let intercepted: Intercepted<Handler>

  init(_ intercepted: Intercepted<Handler>) {
    self.intercepted = intercepted
  }

  nonisolated(nonsending) func respondOnWire(to request: HTTPRequest) async throws -> HTTPResponse {
    try await intercepted.respondOnWire(to: request)
  }
}
