import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

/// Each fault at the two injection points with HTTP.
@Suite(.stallLimit()) struct FaultHTTPTests {
  /// The result of a client that expects JSON.
  enum Seen: Hashable {
    case symptom(Fault.Symptom)
    case body(Data)
  }

  static let url = URL(string: "https://backend.example/rest/v1/todos")
  static let body = Data(#"[{"title":"Milk"}]"#.utf8)

  static func seen(through transport: some HTTPTransport, timeout: Duration? = .seconds(30)) async throws
    -> Seen
  {
    let request = HTTP.Request(.post, try #require(url), timeout: timeout)
    do {
      let (data, response) = try await transport.data(for: request)
      guard response.isSuccess else { return .symptom(Fault.Symptom(refusal: response)) }
      guard (try? JSONSerialization.jsonObject(with: data)) != nil else { return .symptom(.unreadable) }
      return .body(data)
    } catch {
      return .symptom(Fault.Symptom(error.code))
    }
  }

  @Test(arguments: Fault.all(of: .call))
  func aTransportShowsTheSymptom(_ fault: Fault) async throws {
    let backend = Backend()
    let manual = TestClock(.immediate)
    let transport = Intercepted(
      InProcessTransport(to: backend, time: manual.time),
      by: .faults(.on(.post("/rest/v1/todos"), fault)), time: manual.time)
    let seen = try await Self.seen(through: transport)
    #expect(seen == (fault.symptom == .delayed ? .body(Self.body) : .symptom(fault.symptom)))
    #expect(backend.requests == (fault.reachesBase ? 1 : 0))
    if fault.symptom == .timedOut { #expect(manual.elapsed == .seconds(30)) }
  }

  @Test(arguments: Fault.all(of: .call))
  func aHandlerShowsTheSameSymptom(_ fault: Fault) async throws {
    let manual = TestClock(.immediate)
    let handler = Intercepted(
      Backend(), by: .faults(.on(.post("/rest/v1/todos"), fault)), time: manual.time)
    let seen = try await Self.seen(through: InProcessTransport(to: handler, time: manual.time))
    #expect(seen == (fault.symptom == .delayed ? .body(Self.body) : .symptom(fault.symptom)))
    #expect(handler.base.requests == (fault.reachesBase ? 1 : 0))
  }

  @Test(arguments: [Fault.truncatedBody(), .timeoutInBody(), .emptyReply])
  func anAnswerWithoutABodyIsLostCompletely(_ fault: Fault) async throws {
    let manual = TestClock(.immediate)
    let handler = Intercepted(Backend(status: 204), by: .faults(.on(.any, fault)), time: manual.time)
    let seen = try await Self.seen(through: InProcessTransport(to: handler, time: manual.time))
    #expect(seen == .symptom(fault.symptom))
    #expect(handler.base.requests == 1)
  }

  @Test func theHeadAndTheFirstBytesPrecedeTheBreak() async throws {
    let transport = Intercepted(
      InProcessTransport(to: Backend()), by: .faults(.on(.any, .truncatedBody(afterBytes: 5))))
    let response = try await transport.send(HTTP.Request(.get, try #require(Self.url)))
    var bytes = Data()
    await #expect(throws: TransportError.self) {
      for try await chunk in response.body { bytes.append(chunk) }
    }
    #expect(bytes == Self.body.prefix(5))
  }

  @Test func aDribbledBodyIsTheSameInPiecesWithPauses() async throws {
    let manual = TestClock(.immediate)
    let transport = Intercepted(
      InProcessTransport(to: Backend(), time: manual.time),
      by: .faults(.on(.any, .dribble(bytes: 4, pause: .seconds(1)))), time: manual.time)
    let response = try await transport.send(HTTP.Request(.get, try #require(Self.url)))
    var chunks: [Data] = []
    for try await chunk in response.body { chunks.append(chunk) }
    #expect(chunks.map(\.count) == [4, 4, 4, 4, 2])
    #expect(chunks.reduce(Data(), +) == Self.body)
    #expect(manual.elapsed == .seconds(5))
  }

  @Test func aRequestWithoutATimeoutWaitsUntilItIsCancelled() async throws {
    let manual = TestClock()
    let transport = Intercepted(URLEcho(), by: .faults(.on(.any, .timeout)), time: manual.time)
    let task = Task { try await Self.seen(through: transport, timeout: nil) }
    try await manual.wait(forSleepers: 1)
    manual.advance(by: .seconds(1_000_000))
    #expect(manual.sleeperCount == 1)
    task.cancel()
    #expect(try await task.value == .symptom(.cancelled))
  }

  @Test func theCatalogueNamesEachFaultOnce() {
    let all = Fault.all(of: .call)
    #expect(Set(all).count == all.count)
    #expect(Set(all.map(\.description)).count == all.count)
    #expect(Fault.failures(of: .call).allSatisfy { $0.symptom != .delayed })
    #expect(all.filter { !$0.applies(to: .service) } == [.dribble()])
  }
}

/// A backend that answers every request, and counts them.
final class Backend: HTTPHandler {
  private let count = Locked(0)
  private let status: Int

  init(status: Int = 200) {
    self.status = status
  }

  var requests: Int { count.withLock { $0 } }

  func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    count.withLock { $0 += 1 }
    let body = status == 204 ? Data() : FaultHTTPTests.body
    return HTTP.Response(status: status, body: body, contentType: "application/json")
  }
}
