import Foundation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy

/// Counts to three, in a stream that it returns at once.
private final class Numbers: Sendable {
  let subscriptions = Locked(0)

  func numbers() -> AsyncThrowingStream<Int, any Error> {
    subscriptions.withLock { $0 += 1 }
    return AsyncThrowingStream { continuation in
      for number in 1...3 { continuation.yield(number) }
      continuation.finish()
    }
  }

  func eventualNumbers() async -> AsyncThrowingStream<Int, any Error> { numbers() }
}

extension Intercepted where Base == Numbers {
  fileprivate func numbers() -> AsyncThrowingStream<Int, any Error> {
    interceptStream(.numbers, streamFailure: { TodoError($0) }) { base in base.numbers() }
  }

  fileprivate func eventualNumbers() async -> AsyncThrowingStream<Int, any Error> {
    await interceptStream(.numbers, streamFailure: { TodoError($0) }) { base in
      await base.eventualNumbers()
    }
  }

  fileprivate func count() async -> Int {
    await intercept(.count) { base in
      base.subscriptions.withLock { $0 += 1 }
      return 3
    }
  }
}

extension Intercepted.Operation where Base == Numbers {
  fileprivate static var numbers: Self { Self("numbers") }
  fileprivate static var count: Self { Self("count") }
}

/// The elements of a stream, and its error.
private func read(_ stream: AsyncThrowingStream<Int, any Error>) async -> ([Int], TodoError?) {
  var numbers: [Int] = []
  do {
    for try await number in stream { numbers.append(number) }
    return (numbers, nil)
  } catch {
    return (numbers, error as? TodoError)
  }
}

@Suite(.stallLimit()) struct StreamOnlyTests {
  // Catches a fault that is ignored because the call cannot throw, and one that calls the base nevertheless.
  @Test(arguments: [false, true])
  func aFaultOfTheCallFailsTheStreamBeforeTheBase(_ isEventual: Bool) async {
    let counter = Numbers()
    let service = Intercepted(counter, by: .faults(.on(.numbers, .conflict)))
    let stream = isEventual ? await service.eventualNumbers() : service.numbers()
    let (numbers, error) = await read(stream)
    #expect(numbers == [])
    #expect(error == .conflict)
    #expect(counter.subscriptions.withLock { $0 } == 0)
  }

  @Test(arguments: [false, true])
  func aFaultOfTheStreamComesAfterItsElements(_ isEventual: Bool) async {
    let service = Intercepted(Numbers(), by: .faults(.on(.numbers, .dropStream(afterEvents: 2))))
    let stream = isEventual ? await service.eventualNumbers() : service.numbers()
    let (numbers, error) = await read(stream)
    #expect(numbers == [1, 2])
    #expect(error == .connectionLost)
  }

  // Catches a subscription that begins with its first reader, and therefore misses earlier events.
  @Test func aLatencyHoldsTheFirstElementAndNotTheSubscription() async throws {
    let time = TestClock()
    let counter = Numbers()
    let log = CallLog<Numbers>()
    let service = Intercepted(
      counter, by: .log(log), .faults(.on(.any, .latency(.seconds(2)))), time: time.time)
    let stream = service.numbers()
    #expect(counter.subscriptions.withLock { $0 } == 1)
    #expect(log.description.contains("numbers() returned"))
    async let result = read(stream)
    try await time.wait(forSleepers: 1)
    time.advance(by: .seconds(2))
    let (numbers, error) = await result
    #expect(numbers == [1, 2, 3])
    #expect(error == nil)
  }

  @Test func aFaultInjectedByAGateFailsTheStream() async throws {
    let gate = Gate<Numbers>()
    let service = Intercepted(Numbers(), by: .gate(gate))
    async let result = read(service.numbers())
    try await gate.next().fail(with: .offline)
    let (numbers, error) = await result
    #expect(numbers == [])
    #expect(error == .offline)
  }

  @Test func withoutInterceptionTheStreamIsThatOfTheBase() async {
    let (numbers, error) = await read(Intercepted(Numbers()).numbers())
    #expect(numbers == [1, 2, 3])
    #expect(error == nil)
  }

  // Catches a fault that keeps the call from the base, although the call cannot report it.
  @Test func aNonThrowingCallIgnoresFaultsAndWaitsAtAGate() async throws {
    let counter = Numbers()
    let gate = Gate<Numbers>()
    let log = CallLog<Numbers>()
    let service = Intercepted(
      counter, by: .log(log), .faults(.on(.count, call: 1, .timeout).optional), .gate(gate))
    #expect(await service.count() == 3)
    async let second = service.count()
    let held = try await gate.next()
    #expect(counter.subscriptions.withLock { $0 } == 1)
    held.proceed()
    #expect(await second == 3)
    #expect(log.description.components(separatedBy: "count() returned").count == 3)
  }
}
