import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyServer

/// A way to a server on which one request meets a fault, at any injectionPoint but the service's.
struct FaultyWay<Server: HTTPHandler>: Sendable {
  let transport: any HTTPTransport & WebSocketTransport
  /// Where the way begins.
  let url: URL
  /// The longest silence that a client bears on it.
  let timeout: Duration

  /// Keeps the server up, where there is one.
  private let server: MockServer<Server>?
  /// What goes wrong on the server's socket, and since ``breakWire()``.
  private let plan = FaultPlan<Server>()
  private let rule: FaultPlan<Server>.Rule

  init(
    to base: Server, meeting fault: Fault, at injectionPoint: InjectionPoint, in method: HTTP.Method,
    _ path: String, time: Time
  ) async throws {
    // A server that refuses connections cannot know what they would have been for.
    rule = fault == .connectionRefused ? .on(.any, fault) : .on(.request(method, path), fault)
    guard let nowhere = URL(string: "http://server.invalid") else {
      throw TransportError(.invalidRequest, "The address of the server is none.")
    }
    switch injectionPoint {
    case .service:
      throw TransportError(.invalidRequest, "A fault that a service throws is on no way to a server.")
    case .transport:
      transport = Intercepted(
        InProcessTransport(to: base, time: time), by: .faults(.on(.request(method, path), fault)), time: time)
      (url, timeout, server) = (nowhere, .seconds(30), nil)
    case .handler:
      let handler = Intercepted(base, by: .faults(.on(.request(method, path), fault)), time: time)
      transport = InProcessTransport(to: handler, time: time)
      (url, timeout, server) = (nowhere, .seconds(30), nil)
    case .wire:
      let server = try await MockServer(base, by: .faults(plan), time: time)
      transport = URLSessionTransport()
      url = server.url
      // URLSession times out after whole seconds of real time. Where no time-out is waited for, a busy machine shall not
      // bring one about.
      timeout = .seconds(fault.symptom == .timedOut ? 1 : 300)
      self.server = server
    }
  }

  /// Lets the fault happen on the socket from now on, if that is its injectionPoint.
  func breakWire() {
    if server != nil { plan.add(rule) }
  }
}
