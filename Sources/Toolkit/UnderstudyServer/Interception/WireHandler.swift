import Foundation
import Understudy
import UnderstudyHTTP

/// A type-erased handler that responds on a socket.
protocol WireResponder: Sendable {
  /// The response to a request; an error specifies how to abort the connection.
  nonisolated(nonsending) func respondOnWire(to request: HTTP.Request) async throws -> HTTP.Response
}

/// A handler behind its interceptors, whose faults take effect on the socket.
///
/// It is a class because each request copies the server's responder.
final class WireHandler<Handler: HTTPHandler>: WireResponder {
  private let intercepted: Intercepted<Handler>
  private let plans: ServerPlans

  init(_ intercepted: Intercepted<Handler>, _ plans: ServerPlans) {
    self.intercepted = intercepted
    self.plans = plans
  }

  nonisolated(nonsending) func respondOnWire(to request: HTTP.Request) async throws -> HTTP.Response {
    // All requests that entered a redirect loop are the same, whichever rule started it.
    if plans.sendInACircle, request.url.path() == Fault.redirectLoopPath { return Fault.redirectToItself }
    return try await intercepted.respondOnWire(to: request)
  }
}
