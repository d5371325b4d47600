import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

/// Streams of a service behind interceptors.
@Suite(.stallLimit()) struct InterceptedStreamTests {
  @Test func theCallPassesTheInterceptors() async throws {
    let log = CallLog<InMemoryTicker>()
    let service = Intercepted(
      InMemoryTicker(), by: .log(log), .faults(.on(.ticks, call: 2, .serverError)))
    var ticks: [String] = []
    for try await tick in try await service.ticks(upTo: 2) { ticks.append(tick) }
    #expect(ticks == ["1", "2"])
    await #expect(throws: TodoError.serverError) { try await service.ticks(upTo: 2) }
    #expect(log.description == "1. ticks(2) returned\n2. ticks(2) threw serverError")
    await #expect(throws: TodoError.full) { try await service.ticks(upTo: -1) }
  }

  @Test(arguments: WordTicker.table)
  func aServiceDeliversTheElementsAndTheError(_ fault: Fault, _ expected: ReadTicks) async {
    let manual = TestClock(.immediate)
    let rule = FaultPlan<WordTicker>.Rule.on(.ticks, fault)
      .optional(if: WordTicker.isUnchanged(fault, expected, atService: true))
    let service = Intercepted(WordTicker(), by: .faults(rule), time: manual.time)
    #expect(await ReadTicks(from: service) == expected)
    #expect(manual.elapsed == (expected.error == .timedOut ? .seconds(30) : .zero))
  }

  /// Catches a stream that reads ahead of its reader: it would pull all five elements.
  @Test(arguments: [
    (Fault.dropStream(afterEvents: 4), 2), (.duplicateEvent(2), 2), (.reorderEvent(2), 3),
    (Fault(.stream(.unterminated)), 3), (.latency(.zero), 2),
  ])
  func elementsArePulledOnRequest(_ fault: Fault, _ pulls: Int) async throws {
    // The reader stops before the effect of most of them.
    let service = Intercepted(
      InMemoryTicker(), by: .faults(.on(.ticks, fault).optional), time: TestClock(.immediate).time)
    var iterator = try await service.ticks(upTo: 5).makeAsyncIterator()
    #expect(service.base.pulls.withLock { $0 } == 0)
    _ = try await iterator.next()
    _ = try await iterator.next()
    #expect(service.base.pulls.withLock { $0 } == pulls)
  }

  /// Catches a base's stream that stays open after the fault, or after its reader has stopped.
  @Test(arguments: [1, 2])
  func theBaseIsClosedAfterTheFaultAndWhenTheReaderStops(_ reads: Int) async throws {
    let service = Intercepted(
      InMemoryTicker(),
      by: .faults(.on(.ticks, .dropStream(afterEvents: 1)).optional(if: reads == 1)))
    do {
      let stream = try await service.ticks(upTo: 5)
      var iterator = stream.makeAsyncIterator()
      #expect(try await iterator.next() == "1")
      #expect(service.base.closed.count.withLock { $0 } == 0)
      if reads == 2 {
        await #expect(throws: TodoError.connectionLost) { try await iterator.next() }
        #expect(service.base.closed.count.withLock { $0 } == 1)
        #expect(try await iterator.next() == nil)
      }
      withExtendedLifetime(stream) {}
    }
    #expect(service.base.closed.count.withLock { $0 } == 1)
  }

  /// Catches a stall that cancellation does not end, and one that then reports a timeout.
  @Test func cancellingEndsAStall() async throws {
    let manual = TestClock()
    let service = Intercepted(
      InMemoryTicker(), by: .faults(.on(.ticks, .stallStream(afterEvents: 1))), time: manual.time)
    let task = Task {
      var ticks: [String] = []
      do {
        for try await tick in try await service.ticks(upTo: 5) { ticks.append(tick) }
      } catch {
        return ReadTicks(ticks: ticks, error: error as? TodoError)
      }
      return ReadTicks(ticks: ticks)
    }
    try await manual.wait(forSleepers: 1)
    task.cancel()
    #expect(await task.value == ReadTicks(ticks: ["1"], error: .cancelled))
    #expect(service.base.closed.count.withLock { $0 } == 1)
  }

  /// Catches a stall that does not last for its timeout.
  @Test func aStallEndsAtItsTimeout() async throws {
    let manual = TestClock()
    let service = Intercepted(
      InMemoryTicker(), by: .faults(.on(.ticks, .stallStream(afterEvents: 0))), time: manual.time)
    let task = Task { await ReadTicks(from: service) }
    try await manual.wait(forSleepers: 1)
    manual.advance(by: .seconds(29))
    #expect(manual.sleeperCount == 1)
    manual.advance(by: .seconds(1))
    #expect(await task.value == ReadTicks(error: .timedOut))
  }

  /// Catches a stream that loses the elements before the base's own error.
  @Test(arguments: [Fault(.stream(.unterminated)), .reorderEvent(2), .duplicateEvent(9)])
  func elementsBeforeTheBasesOwnErrorAreDelivered(_ fault: Fault) async throws {
    struct Breaking: TickerService {
      func ticks(upTo count: Int) async throws(TodoError) -> AsyncThrowingStream<String, any Error> {
        let source = Source(Signals())
        return AsyncThrowingStream(unfolding: {
          let number = source.advance()
          if number > count { throw TodoError.full }
          return "\(number)"
        })
      }
    }
    // The stream fails before any of them takes effect.
    let service = Intercepted(Breaking(), by: .faults(.on(.ticks, fault).optional))
    var ticks: [String] = []
    await #expect(throws: TodoError.full) {
      for try await tick in try await service.ticks(upTo: 2) { ticks.append(tick) }
    }
    #expect(ticks == ["1", "2"])
  }
}
