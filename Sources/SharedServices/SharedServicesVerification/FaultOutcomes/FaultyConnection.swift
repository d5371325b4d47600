import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyServer

/// A connection to a server with a fault injected into one request, at any injection point except the service.
struct FaultyConnection<Server: HTTPHandler>: Sendable {
  let transport: any HTTPTransport & WebSocketTransport
  /// The URL at which a client reaches the server.
  let url: URL
  /// The maximum time that a client waits without any data.
  let timeout: Duration

  /// Keeps the server running, if there is one.
  private let server: MockServer<Server>?
  /// The faults on the server's socket; active after ``breakWire()``.
  private let plan = FaultPlan<Server>()
  private let rule: FaultPlan<Server>.Rule

  /// A rule for a fault; an answer without a body cannot arrive in pieces.
  private static func rule<Base>(
    on operation: Intercepted<Base>.Operation, _ fault: Fault
  ) -> FaultPlan<Base>.Rule {
    if case .dribble = fault.effect { .on(operation, fault).optional } else { .on(operation, fault) }
  }

  init(
    to base: Server, meeting fault: Fault, at injectionPoint: InjectionPoint, in method: HTTP.Method,
    _ path: String, time: Time
  ) async throws {
    // A server that refuses a connection does not know its request.
    rule = Self.rule(on: fault == .connectionRefused ? .any : .request(method, path), fault)
    guard let nowhere = URL(string: "http://server.invalid") else {
      throw TransportError(.invalidRequest, "The server's URL is invalid.")
    }
    switch injectionPoint {
    case .service:
      throw TransportError(.invalidRequest, "A fault that a service throws is on no way to a server.")
    case .transport:
      transport = Intercepted(
        InProcessTransport(to: base, time: time), by: .faults(Self.rule(on: .request(method, path), fault)),
        time: time)
      (url, timeout, server) = (nowhere, .seconds(30), nil)
    case .handler:
      let handler = Intercepted(
        base, by: .faults(Self.rule(on: .request(method, path), fault)), time: time)
      transport = InProcessTransport(to: handler, time: time)
      (url, timeout, server) = (nowhere, .seconds(30), nil)
    case .wire:
      let server = try await MockServer(base, by: .faults(plan), time: time)
      transport = URLSessionTransport()
      url = server.url
      // URLSession measures time-outs in whole seconds of real time. Where no time-out is expected, a busy machine must
      // not cause one.
      timeout = .seconds(fault.symptom == .timedOut ? 1 : 300)
      self.server = server
    }
  }

  /// Injects the fault on the socket from now on, if that is its injection point.
  func breakWire() {
    if server != nil { plan.add(rule) }
  }
}
