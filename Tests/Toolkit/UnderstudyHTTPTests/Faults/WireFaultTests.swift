import Foundation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy
@testable import UnderstudyHTTP

/// The effect of each fault on the socket of a server.
@Suite(.stallLimit()) struct WireFaultTests {
  /// Written by hand: the bytes that are sent first, and how the exchange is then broken.
  static let table: [(fault: Fault, status: Int?, bytes: String, end: ConnectionBreak?)] = [
    (.connectionLost, nil, "", .reset), (.timeout, nil, "", .silence), (.answerLost, nil, "", .silence),
    (.emptyReply, nil, "", .close), (.timeoutInBody(afterBytes: 3), 200, "[{\"", .silence),
    (.truncatedBody(afterBytes: 3), 200, "[{\"", .close),
    (.truncatedChunk(afterBytes: 3), 200, "[{\"", .truncatedChunk),
    (.resetInBody(afterBytes: 3), 200, "[{\"", .reset),
    (.malformedChunk(afterBytes: 3), 200, "[{\"", .malformedChunk),
    (.conflict, 409, "", nil), (.latency(.zero), 200, #"[{"title":"Milk"}]"#, nil),
    // Faults that a server cannot cause: the client does not receive an answer.
    (.offline, nil, "", .reset), (.hostNotFound, nil, "", .reset), (.cancelled, nil, "", .reset),
  ]

  func request(_ method: HTTP.Method = .post) throws -> HTTP.Request {
    HTTP.Request(method, try #require(FaultHTTPTests.url), timeout: .seconds(30))
  }

  @Test(arguments: table)
  func theFaultDefinesWhatTheServerSends(
    _ row: (fault: Fault, status: Int?, bytes: String, end: ConnectionBreak?)
  ) async throws {
    let handler = Intercepted(
      Backend(), by: .faults(.on(.any, row.fault).optional(if: row.fault == .cancelled)),
      time: TestClock(.immediate).time)
    var (status, bytes, end) = (nil as Int?, Data(), nil as ConnectionBreak?)
    do {
      let response = try await handler.respondOnWire(to: request())
      status = response.status
      let next = response.body.makeReader()
      while let chunk = try await next() { bytes.append(chunk) }
    } catch let error as ConnectionBreak {
      end = error
    }
    #expect(status == row.status)
    if row.fault != .conflict { #expect(String(decoding: bytes, as: UTF8.self) == row.bytes) }
    #expect(end == row.end)
  }

  @Test func aTruncatedBodyAnnouncesItsFullLength() async throws {
    let whole = Intercepted(Backend(), by: .faults(.on(.any, .truncatedBody()).optional))
    #expect(
      try await whole.respondOnWire(to: request()).fields["Content-Length"] == "\(FaultHTTPTests.body.count)")
    let chunked = Intercepted(Backend(), by: .faults(.on(.any, .truncatedChunk()).optional))
    #expect(try await chunked.respondOnWire(to: request()).fields["Content-Length"] == nil)
  }

  @Test func garbageIsNotValidHTTP() async throws {
    let handler = Intercepted(Backend(), by: .faults(.on(.any, .garbage)))
    do {
      _ = try await handler.respondOnWire(to: request())
      Issue.record("nothing was thrown")
    } catch ConnectionBreak.bytes(let bytes) {
      #expect(bytes.count > 16 && !bytes.starts(with: Data("HTTP".utf8)))
    }
    #expect(handler.base.requests == 1)
  }

  @Test func theRedirectTargetsItself() async throws {
    let handler = Intercepted(Backend(), by: .faults(.on(.any, .redirectLoop)))
    let response = try await handler.respondOnWire(to: request())
    #expect(response.status == 307)
    #expect(response.fields["Location"] == Fault.redirectLoopPath)
    #expect(handler.base.requests == 0)
  }

  @Test func aPlanReportsWhatAServerNeedsBeforeARequest() {
    let plan = FaultPlan<Backend>()
    let told = Locked(0)
    let observation = plan.core.observe { told.withLock { $0 += 1 } }
    #expect(!plan.core.refusesConnections && !plan.core.endsConnectionsWithoutAnswer)
    for fault in [Fault.connectionRefused, .offline, .hostNotFound] {
      let refusal = plan.add(.on(.any, fault).optional)
      #expect(plan.core.refusesConnections)
      plan.remove(refusal)
    }
    plan.add(.on(.any, .connectionLost).optional)
    plan.add(.on(.any, call: 2, .connectionRefused).optional)
    plan.add(.on(.get("/todos"), .connectionRefused).optional)
    #expect(!plan.core.refusesConnections)
    let reply = FaultPlan<Backend>(.on(.get("/todos"), call: 2, .emptyReply).optional)
    #expect(reply.core.endsConnectionsWithoutAnswer)
    #expect(!FaultPlan<Backend>(.on(.any, .conflict).optional).core.endsConnectionsWithoutAnswer)
    #expect(told.withLock { $0 } == 9)
    plan.core.stopObserving(observation)
    plan.add(.on(.any, .conflict).optional)
    #expect(told.withLock { $0 } == 9)
  }

  /// Catches a distribution with another tail than documented, and delays that do not depend on the seed.
  @Test func drawnLatenciesFollowTheirDistributionAndSeed() async throws {
    func delays(seed: UInt64) async throws -> [Duration] {
      let manual = TestClock(.immediate)
      let plan = FaultPlan<Backend>(.on(.any, .latency(.mobileNetwork)), seed: seed)
      let handler = Intercepted(Backend(), by: .faults(plan), time: manual.time)
      var (delays, before) = ([Duration](), Duration.zero)
      for _ in 0..<2000 {
        _ = try await handler.respond(to: request())
        delays.append(manual.elapsed - before)
        before = manual.elapsed
      }
      return delays
    }
    let first = try await delays(seed: 7)
    #expect(try await delays(seed: 7) == first)
    #expect(try await delays(seed: 8) != first)
    let slow = first.count { $0 > .milliseconds(600) }
    let aboveMedian = first.count { $0 > .milliseconds(80) }
    #expect((5...45).contains(slow) && (900...1100).contains(aboveMedian))
  }
}
