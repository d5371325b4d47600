import Foundation
import Understudy
import UnderstudyHTTP

/// What answers on a socket, whatever the type of its handler.
protocol WireResponder: Sendable {
  /// The response to one request; what is thrown says how the connection is broken off.
  nonisolated(nonsending) func respondOnWire(to request: HTTP.Request) async throws -> HTTP.Response
}

/// A handler behind its interceptors, whose faults happen on the socket.
struct WireHandler<Handler: HTTPHandler>: WireResponder {
  private let intercepted: Intercepted<Handler>
  private let plans: ServerPlans

  init(_ intercepted: Intercepted<Handler>, _ plans: ServerPlans) {
    self.intercepted = intercepted
    self.plans = plans
  }

  nonisolated(nonsending) func respondOnWire(to request: HTTP.Request) async throws -> HTTP.Response {
    // Whatever its rule is about, a circle is the same for all requests that have come into it.
    if plans.sendInACircle, request.url.path() == Fault.redirectLoopPath { return Fault.redirectToItself }
    return try await intercepted.respondOnWire(to: request)
  }
}
