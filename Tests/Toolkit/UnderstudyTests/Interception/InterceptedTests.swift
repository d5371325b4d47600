// Foundation is imported on purpose: it declares an `Operation` too, and `.on(.add, …)` must compile nevertheless.
import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct InterceptedTests {
  @Test func aCallThatNoRuleTouchesReachesTheBase() async throws {
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.titles, .conflict).optional))
    #expect(try await todos.add("Milk", priority: 1) == "Milk")
    #expect(todos.base.cached() == ["Milk"])
  }

  @Test func theErrorsOfTheBaseAreThrown() async {
    let todos = Intercepted(InMemoryTodos())
    await #expect(throws: TodoError.full) { try await todos.add("one too many", priority: 1) }
  }

  @Test(arguments: Fault.all(of: .call))
  func everyFaultHasItsSymptomAtTheService(_ fault: Fault) async {
    let todos = Intercepted(
      InMemoryTodos(), by: .faults(.on(.add, fault).optional(if: !fault.applies(to: .service))),
      time: TestClock(.immediate).time)
    let error: TodoError?
    do {
      _ = try await todos.add("Milk", priority: 1)
      error = nil
    } catch {
      #expect(error == TodoError(fault))
      #expect(fault.symptom != .delayed)
      #expect(todos.base.cached() == (fault.reachesBase ? ["Milk"] : []))
      return
    }
    #expect(error == nil && fault.symptom == .delayed)
    #expect(todos.base.cached() == ["Milk"])
  }

  @Test func aSynchronousCallIsLoggedAndForwarded() {
    let log = CallLog<InMemoryTodos>()
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.any, .conflict).optional), .log(log))
    #expect(todos.cached() == [])
    #expect(log.operations == [.cached])
  }

  @Test func anExistentialIsOpened() async {
    func failing(_ service: some TodoService, with fault: Fault) -> any TodoService {
      Intercepted(service, by: .faults(.on(.add, fault)))
    }
    let service: any TodoService = InMemoryTodos()
    let doomed = failing(service, with: .forbidden)
    await #expect(throws: TodoError.forbidden) { try await doomed.add("Milk", priority: 1) }
  }

  @Test @MainActor func aPlainThrowsServiceGetsItsErrorsAndCancellationError() async throws {
    let gate = Gate<InMemoryNotes>()
    let notes = Intercepted(InMemoryNotes(), by: .faults(.on(.save, call: 1, .conflict)), .gate(gate))
    await #expect(throws: TodoError.conflict) { try await notes.save("one") }
    let task = Task { try await notes.save("two") }
    _ = try await gate.next(.save)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(notes.base.notes == [])
  }

  @Test func interceptorsArePassedInTheirOrder() async throws {
    // The fault precedes the gate, so the call never reaches the gate and this cannot hang.
    let gate = Gate<InMemoryTodos>(isOptional: true)
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.add, .conflict)), .gate(gate))
    await #expect(throws: TodoError.conflict) { try await todos.add("Milk", priority: 1) }
    #expect(gate.heldCalls.isEmpty)
  }

  @Test func latencyTakesItsTimeAndThenForwards() async throws {
    let manual = TestClock()
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.any, .latency(.seconds(5)))), time: manual.time)
    async let added = todos.add("Milk", priority: 1)
    try await manual.wait(forSleepers: 1)
    manual.advance(by: .seconds(4))
    #expect(manual.sleeperCount == 1)
    #expect(todos.base.cached() == [])
    manual.advance(by: .seconds(1))
    #expect(try await added == "Milk")
  }

  @Test func seededLatenciesRepeatAndStayInTheirRange() async throws {
    func delays(seed: UInt64) async throws -> [Duration] {
      let manual = TestClock(.immediate)
      let range: ClosedRange<Duration> = .seconds(1) ... .seconds(2)
      let plan = FaultPlan<InMemoryTodos>(.on(.any, .latency(.uniform(range))), seed: seed)
      let todos = Intercepted(InMemoryTodos(), by: .faults(plan), time: manual.time)
      var (delays, before): ([Duration], Duration) = ([], .zero)
      for _ in 0..<20 {
        _ = try await todos.titles()
        delays.append(manual.elapsed - before)
        before = manual.elapsed
      }
      return delays
    }
    let first = try await delays(seed: 7)
    #expect(try await delays(seed: 7) == first)
    #expect(try await delays(seed: 8) != first)
    #expect(first.allSatisfy { $0 >= .seconds(1) && $0 <= .seconds(2) })
    #expect(Set(first).count > 10)
  }

  @Test func cancellingALatencyIsTheDomainsCancellation() async throws {
    let manual = TestClock()
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.any, .latency(.seconds(5)))), time: manual.time)
    let task = Task { () async throws -> String in try await todos.add("Milk", priority: 1) }
    try await manual.wait(forSleepers: 1)
    task.cancel()
    await #expect(throws: TodoError.cancelled) { try await task.value }
    #expect(todos.base.cached() == [])
  }
}
