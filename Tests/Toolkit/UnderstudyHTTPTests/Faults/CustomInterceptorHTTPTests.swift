import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

/// Custom interceptors of a transport and a handler.
@Suite(.stallLimit()) struct CustomInterceptorHTTPTests {
  typealias Seen = FaultHTTPTests.Seen

  /// The result of a client for a handler with interceptors, and the number of the handler's requests.
  func atHandler(
    _ interceptors: Interceptor<Backend>...
  ) async throws -> (seen: Seen, requests: Int) {
    let time = TestClock(.immediate).time
    let handler = Intercepted(Backend(), by: interceptors, time: time)
    return (
      try await FaultHTTPTests.seen(through: InProcessTransport(to: handler, time: time)),
      handler.base.requests
    )
  }

  func atTransport(
    _ interceptors: Interceptor<InProcessTransport<Backend>>...
  ) async throws -> (seen: Seen, requests: Int) {
    let (time, backend) = (TestClock(.immediate).time, Backend())
    let transport = Intercepted(InProcessTransport(to: backend, time: time), by: interceptors, time: time)
    return (try await FaultHTTPTests.seen(through: transport), backend.requests)
  }

  @Test func aRequestIsMadeAgain() async throws {
    let handled = try await atHandler(Interceptor(RetryOnce()), .faults(.on(.any, call: 1, .emptyReply)))
    #expect(handled == (.body(FaultHTTPTests.body), 2))
    let sent = try await atTransport(Interceptor(RetryOnce()), .faults(.on(.any, call: 1, .offline)))
    #expect(sent == (.body(FaultHTTPTests.body), 1))
  }

  /// Catches a fault that is not the same when a plan injects it and when an interceptor throws it.
  @Test(arguments: Fault.all(of: .call))
  func aFaultThrownBeforeTheBaseIsAsIfInjected(_ fault: Fault) async throws {
    let handled = try await atHandler(Interceptor(Throwing(fault)))
    #expect(try await atHandler(.faults(.on(.any, fault))) == handled)
    #expect(handled.requests == (fault.reachesBase ? 1 : 0))
    let sent = try await atTransport(Interceptor(Throwing(fault)))
    #expect(try await atTransport(.faults(.on(.any, fault))) == sent)
    #expect(sent.requests == (fault.reachesBase ? 1 : 0))
  }

  /// Catches a base that is called twice for a fault of its answer.
  @Test(arguments: Fault.failures(of: .call))
  func aFaultThrownAfterTheBaseSpoilsItsAnswer(_ fault: Fault) async throws {
    let handled = try await atHandler(Interceptor(Throwing(fault, afterCalling: true)))
    #expect(handled == (.symptom(fault.symptom), 1))
    let sent = try await atTransport(Interceptor(Throwing(fault, afterCalling: true)))
    #expect(sent == (.symptom(fault.symptom), 1))
  }

  @Test func anErrorOfATransportIsThrownAsItIs() async throws {
    let error = TransportError(.untrusted, "No trust.")
    let transport = Intercepted(URLEcho(), by: Interceptor(Throwing(error)))
    let url = try #require(FaultHTTPTests.url)
    #expect(await code { _ = try await transport.send(HTTP.Request(.get, url)) } == .untrusted)
    struct Foreign: Error {}
    let foreign = Intercepted(URLEcho(), by: Interceptor(Throwing(Foreign())))
    let thrown = await #expect(throws: TransportError.self) {
      try await foreign.send(HTTP.Request(.get, url))
    }
    #expect(thrown?.cause is Foreign)
  }

  @Test func aHandshakeIsMadeAgainAndItsConnectionIsSpoiled() async throws {
    let url = try #require(URL(string: "ws://localhost/talk"))
    let again = Intercepted(
      InProcessTransport(to: WebSocketFaultTests.Speaker()), by: Interceptor(RetryOnce()),
      .faults(.on(.any, call: 1, .connectionLost)))
    #expect(try await again.connect(to: HTTP.Request(.get, url)).receive() == .text("one"))
    let spoiled = Intercepted(
      InProcessTransport(to: WebSocketFaultTests.Speaker()),
      by: Interceptor(Throwing(Fault.dropStream(afterEvents: 1), afterCalling: true)))
    let socket = try await spoiled.connect(to: HTTP.Request(.get, url))
    #expect(try await socket.receive() == .text("one"))
    #expect(await code { _ = try await socket.receive() } == .connectionLost)
  }
}
