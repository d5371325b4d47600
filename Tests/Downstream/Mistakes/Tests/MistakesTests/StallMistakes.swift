import Testing
import Understudy
import UnderstudyTesting

// Each test waits for something that does not happen. They would hang for ever; `UNDERSTUDY_STALL` makes them short.

@Suite struct StallMistakes {
  /// The code under test makes no call.
  ///
  /// Environment: UNDERSTUDY_STALL=1
  /// Red: Stalled while waiting for a call of add at a gate: no task was running
  /// Red: and nothing made progress for 1.0 seconds.
  /// Red: Found: the gate holds no call.
  @Test func aGateThatHoldsNoCall() async throws {
    let gate = Gate<InMemoryTodos>(.add)
    let todos = Intercepted(InMemoryTodos(), by: .gate(gate))
    _ = try await todos.titles()
    _ = try await gate.next(.add)
  }

  /// The code under test makes one call, not two.
  ///
  /// Environment: UNDERSTUDY_STALL=1
  /// Red: Stalled while waiting for 2 calls of add: no task was running and nothing made progress for 1.0 seconds.
  /// Red: Found: 1; all calls: add(Milk).
  @Test func aLogWithTooFewCalls() async throws {
    let log = CallLog<InMemoryTodos>()
    _ = try await Intercepted(InMemoryTodos(), by: .log(log)).add("Milk")
    try await log.wait(for: .add, calls: 2)
  }

  /// The screen never shows the state.
  ///
  /// Environment: UNDERSTUDY_STALL=1
  /// Red: Stalled while waiting for the state saved: no task was running
  /// Red: Found: the last state shown is saving.
  @MainActor @Test func aStateThatIsNotShown() async throws {
    let timeline = StateTimeline(of: InMemoryTodos(), startingWith: "idle") { _, record in record("saving") }
    try await timeline.wait(for: "saved")
  }

  /// Nothing sleeps on the clock of the test, because the client uses its own.
  ///
  /// Environment: UNDERSTUDY_STALL=1
  /// Red: Stalled while waiting for 1 sleeper on a test clock: no task was running
  @Test func aClockWithoutSleepers() async throws {
    try await TestClock().wait(forSleepers: 1)
  }

  /// The clause waits for an answer that never comes.
  ///
  /// Environment: UNDERSTUDY_STALL=1
  /// Red: The clause did not end: no task was running and nothing made progress for 1.0 seconds.
  @Test(
    arguments: Contract<any TodoService>("hanging") {
      Clause("hanging.add", "It ends.") { trial in
        for await _ in AsyncStream<Never>.makeStream().stream {}
        trial.expect(true, "ended")
      }
    }.checks(of: .inMemory))
  func aTrialThatDoesNotEnd(_ check: ContractCheck<any TodoService>) async throws {
    try await check.run()
  }

  /// The test waits for an event.
  ///
  /// Environment: UNDERSTUDY_STALL=1
  /// Red: aTestThatDoesNotEnd() stalled: no task was running and nothing made progress for 1.0 seconds.
  @Test(.stallLimit(.seconds(1))) func aTestThatDoesNotEnd() async {
    for await _ in AsyncStream<Never>.makeStream().stream {}
  }

  /// The test computes for ever.
  ///
  /// Red: aTestThatComputesForEver() stalled: it did not end within its share of processor time, 1.0 seconds.
  @Test(.stallLimit(.seconds(1))) func aTestThatComputesForEver() async {
    var count = 0
    while !Task.isCancelled { count &+= 1 }
  }
}
