import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

/// The body behind a fault of a stream is still pulled, released and cancellable.
@Suite(.stallLimit()) struct StreamBodyTests {
  /// A stream of five events, one in each chunk.
  final class Backend: HTTPHandler {
    let pulls = Locked(0)
    let closed = Signals()

    func respond(to request: HTTP.Request) async throws -> HTTP.Response {
      let source = Source(closed)
      let body = HTTP.Body(unfolding: { [pulls] in
        let number = source.advance()
        guard number <= 5 else { return nil }
        pulls.withLock { $0 += 1 }
        return Data("data: \(number)\n\n".utf8)
      })
      return HTTP.Response(
        status: 200, fields: ["Content-Type": "text/event-stream", "Content-Length": "50"], body: body)
    }
  }

  static func response(_ handler: Intercepted<Backend>, timeout: Duration? = nil) async throws
    -> HTTP.Response
  {
    try await handler.respond(
      to: HTTP.Request(.get, try #require(FaultHTTPTests.url), timeout: timeout))
  }

  /// Catches a body that reads ahead, and one that announces a length that it no longer has.
  @Test(arguments: [
    (Fault.dropStream(afterEvents: 4), 2), (.duplicateEvent(2), 2), (.reorderEvent(2), 3),
    (.unterminatedEvent, 3), (.splitCharacters, 2), (.corruptEvent(2), 2),
  ])
  func aSlowReaderAppliesBackPressureToTheSource(_ fault: Fault, _ pulls: Int) async throws {
    // The reader stops before the effect of most of them.
    let handler = Intercepted(Backend(), by: .faults(.on(.any, fault).optional))
    let response = try await Self.response(handler)
    #expect(response.fields["Content-Length"] == nil)
    var iterator = response.body.makeAsyncIterator()
    #expect(handler.base.pulls.withLock { $0 } == 0)
    _ = try await iterator.next()
    _ = try await iterator.next()
    #expect(handler.base.pulls.withLock { $0 } == pulls)
  }

  /// Catches a source that stays open after the break, or after its reader has stopped.
  @Test(arguments: [Fault.dropStream(afterEvents: 2), .endStream(afterEvents: 2), .duplicateEvent(4)])
  func theSourceIsReleased(_ fault: Fault) async throws {
    let isCut = fault != .duplicateEvent(4)
    let handler = Intercepted(Backend(), by: .faults(.on(.any, fault).optional(if: !isCut)))
    do {
      var iterator = try await Self.response(handler).body.makeAsyncIterator()
      for _ in 1...2 { #expect(try await iterator.next() != nil) }
      #expect(handler.base.closed.count.withLock { $0 } == 0)
      if isCut {
        _ = try? await iterator.next()
        // The event that was not delivered, and none after it.
        #expect(handler.base.pulls.withLock { $0 } == 3)
        #expect(handler.base.closed.count.withLock { $0 } == 1)
      }
    }
    #expect(handler.base.closed.count.withLock { $0 } == 1)
  }

  /// Catches an early end that breaks the connection, and a last event that loses more than its blank line.
  @Test(arguments: [
    (Fault.endStream(afterEvents: 2), "data: 1\n\ndata: 2\n\n"), (.endStream(afterEvents: 0), ""),
    (.unterminatedEvent, "data: 1\n\ndata: 2\n\ndata: 3\n\ndata: 4\n\ndata: 5\n"),
  ])
  func anEarlyEndIsNotAnErrorOnTheWire(_ fault: Fault, _ expected: String) async throws {
    let handler = Intercepted(Backend(), by: .faults(.on(.any, fault)))
    let bytes = try await Self.response(handler).body.collect()
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }

  /// Catches a stall that outlives its reader: without a timeout, only cancellation ends it.
  @Test func cancellingEndsAStallWithoutATimeOut() async throws {
    let manual = TestClock()
    let handler = Intercepted(
      Backend(), by: .faults(.on(.any, .stallStream(afterEvents: 1))), time: manual.time)
    let task = Task { () async throws -> Data in
      try await Self.response(handler).body.collect()
    }
    try await manual.wait(forSleepers: 1)
    task.cancel()
    let error = await #expect(throws: TransportError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(handler.base.closed.count.withLock { $0 } == 1)
  }
}
