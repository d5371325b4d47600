import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyTesting

/// A server whose requests a test logs, answers or makes fail.
@Suite(.stallLimit()) struct ServerInterceptionTests {
  static let router = StubBackend {
    Stub(.post, "/todos") { call in HTTP.Response(status: 201, body: HTTP.Body(call.request.body ?? Data())) }
    Stub(.get, "/todos/{id}") { call in try .json(call["id"]) }
  }

  func send(
    _ method: HTTP.Method, _ path: String, to server: MockServer<StubBackend>, body: String? = nil,
    over transport: some HTTPTransport = URLSessionTransport()
  ) async throws -> (status: Int, text: String) {
    let (data, response) = try await transport.data(
      for: HTTP.Request(method, server.url.appending(path: path), body: body.map { Data($0.utf8) }))
    return (response.status, String(decoding: data, as: UTF8.self))
  }

  @Test func everyRequestIsLoggedWithItsBody() async throws {
    let log = CallLog<StubBackend>(expecting: .inOrder(.post("/todos"), .get("/todos/7")), .exactly(2, .any))
    let server = try await MockServer(Self.router, by: .log(log))
    #expect(try await send(.post, "/todos", to: server, body: "Milk") == (201, "Milk"))
    #expect(try await send(.get, "/todos/7", to: server) == (200, #""7""#))
    try log.verify()
    #expect(log.calls.first?.request?.body == Data("Milk".utf8))
    await server.close()
  }

  @Test func aTestAnswersRequestsInAnyOrder() async throws {
    let gate = Gate<StubBackend>()
    let server = try await MockServer(Self.router, by: .gate(gate))
    async let first = send(.get, "/todos/1", to: server)
    let firstCall = try await gate.next()
    async let second = send(.get, "/todos/2", to: server)
    let secondCall = try await gate.next()
    secondCall.answer(with: try .json("second"))
    #expect(try await second == (200, #""second""#))
    firstCall.fail(with: .conflict)
    #expect(try await first.status == 409)
    await server.close()
  }

  /// Catches a server that keeps listening, one that does not resume, and a port that is lost meanwhile.
  @Test func aServerRefusesConnectionsWhileItsPlanDoes() async throws {
    let plan = FaultPlan<StubBackend>()
    let server = try await MockServer(Self.router, by: .faults(plan))
    let transport = URLSessionTransport()
    #expect(try await send(.get, "/todos/1", to: server, over: transport).status == 200)
    for _ in 1...3 {
      await plan.during(.on(.any, .connectionRefused)) {
        for transport in [transport, URLSessionTransport()] {
          let error = await #expect(throws: TransportError.self) {
            try await send(.get, "/todos/1", to: server, over: transport)
          }
          #expect(error?.code == .connectionRefused)
        }
      }
      #expect(try await send(.get, "/todos/1", to: server, over: transport).status == 200)
    }
    await server.close()
  }

  /// Catches a lost request that a client hides by repeating it on a new connection.
  @Test func aClientDoesNotHideAFaultByRepeatingTheRequest() async throws {
    let (plan, log) = (FaultPlan<StubBackend>(), CallLog<StubBackend>())
    let server = try await MockServer(Self.router, by: .log(log), .faults(plan))
    let transport = URLSessionTransport()
    #expect(try await send(.get, "/todos/1", to: server, over: transport).status == 200)
    for fault in [Fault.emptyReply, .connectionLost] {
      let rules = [
        plan.add(.on(.post("/todos"), call: 1, fault)), plan.add(.on(.get("/todos"), call: 1, fault)),
      ]
      // A client repeats a request only on a connection that was used before, and some only one that may be repeated.
      for (method, body) in [(HTTP.Method.post, "Milk"), (.get, nil)] {
        #expect(try await send(.get, "/todos/2", to: server, over: transport).status == 200)
        let error = await #expect(throws: TransportError.self) {
          try await send(method, "/todos", to: server, body: body, over: transport)
        }
        #expect(error?.code == .connectionLost)
      }
      for rule in rules { plan.remove(rule) }
    }
    #expect(log.count(of: .post("/todos")) == 2)
    #expect(log.count(of: .get("/todos")) == 2)
    await server.close()
  }

  /// Catches an error answer that has another style on a socket than in memory.
  @Test func aFaultUsesTheErrorStyleOfTheHandler() async throws {
    let server = try await MockServer(Self.router, faults: .on(.any, call: 1, .conflict))
    let (data, response) = try await URLSessionTransport().data(for: HTTP.Request(.get, server.url))
    #expect(response.status == 409)
    #expect(response.fields["Content-Type"] == "application/problem+json")
    #expect(String(decoding: data, as: UTF8.self) == #"{"title":"Conflict","status":409}"#)
    await server.close()
  }

  @Test func aCustomInterceptorRepeatsARequest() async throws {
    let asked = Locked(0)
    let router = StubBackend {
      Stub(.post, "/todos") { _ in
        asked.withLock { $0 += 1 }
        return HTTP.Response(status: 201)
      }
    }
    let server = try await MockServer(
      router, by: Interceptor(RetryOnce()), .faults(.on(.post("/todos"), call: 1, .emptyReply)))
    #expect(try await send(.post, "/todos", to: server, body: "Milk").status == 201)
    #expect(asked.withLock { $0 } == 2)
    await server.close()
  }

  /// Catches a fault without an effect on the socket, and a base that is called twice for a fault of its answer.
  @Test(
    arguments: [
      (Fault.conflict, 409, nil), (.emptyReply, nil, .connectionLost),
      (.truncatedBody(), nil, .connectionLost),
      (.garbage, nil, .unreadableResponse), (.brokenGzip, nil, .unreadableResponse),
    ] as [(Fault, Int?, TransportError.Code?)], [false, true])
  func aCustomInterceptorThrowsAFault(
    _ row: (fault: Fault, status: Int?, code: TransportError.Code?), _ isAfter: Bool
  ) async throws {
    let asked = Locked(0)
    let handler = Handler { _ in
      asked.withLock { $0 += 1 }
      return text("Milk")
    }
    let server = try await MockServer(
      handler, by: Interceptor(Throwing(row.fault, afterCalling: isAfter)))
    var (status, thrown) = (nil as Int?, nil as TransportError.Code?)
    do {
      status = try await URLSessionTransport().data(for: HTTP.Request(.post, server.url)).1.status
    } catch {
      thrown = error.code
    }
    #expect(status == row.status)
    #expect(thrown == row.code)
    #expect(asked.withLock { $0 } == (isAfter || row.fault.reachesBase ? 1 : 0))
    await server.close()
  }

  @Test func aRedirectLoopOfOneCallIsLoggedOnce() async throws {
    let log = CallLog<StubBackend>()
    let server = try await MockServer(
      Self.router, faults: .on(.post("/todos"), call: 1, .redirectLoop), by: .log(log))
    let error = await #expect(throws: TransportError.self) {
      try await send(.post, "/todos", to: server, body: "Milk")
    }
    #expect(error?.code == .tooManyRedirects)
    #expect(log.calls.count == 1)
    #expect(try await send(.post, "/todos", to: server, body: "Milk").status == 201)
    await server.close()
  }
}
