import Foundation
import Observation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

// Each test injects or expects something that never happens, so it would pass whatever the code under test does.

@Suite struct FaultMistakes {
  // MARK: - Rules of a plan

  /// The operation has a typing error.
  ///
  /// Red: A rule of a fault plan never fired: titels: offline
  /// Red: reason: no call matches its operation; the nearest one is titles
  /// Red: calls that reached the plan: titles, 1 time
  /// Red: Correct the rule or remove it; if it may or may not fire, append .optional to it.
  @Test func aRuleOfAnOperationThatDoesNotExist() async throws {
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.init("titels"), .offline)))
    #expect(try await todos.titles() == [])
  }

  /// The code under test does not try again.
  ///
  /// Red: A rule of a fault plan never fired: add, call 2: offline
  /// Red: reason: it counted 1 call, none of which it selects
  @Test func aRuleOfACallThatIsNotMade() async throws {
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.add, call: 2, .offline)))
    #expect(try await todos.add("Milk") == 1)
  }

  /// The condition looks at another value.
  ///
  /// Red: A rule of a fault plan never fired: add, on a condition: offline
  /// Red: reason: its condition was false for each of 1 call
  @Test func aRuleWithAConditionThatIsNeverTrue() async throws {
    let isBread: @Sendable (Intercepted<InMemoryTodos>.Call) -> Bool = { $0.description.contains("Bread") }
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.add, when: isBread, .offline)))
    #expect(try await todos.add("Milk") == 1)
  }

  /// The first rule answers every call.
  ///
  /// Red: A rule of a fault plan never fired: add: timeout
  /// Red: reason: an earlier rule of the plan answered the calls that it selects
  @Test func aRuleBehindAnotherRule() async throws {
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.any, .offline), .on(.add, .timeout)))
    await #expect(throws: TodoError.offline) { try await todos.add("Milk") }
  }

  /// No call has the number 0.
  ///
  /// Red: A rule can never fire: add, call 0. Calls are numbered from 1.
  @Test func aRuleThatSelectsNoCall() async throws {
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.add, call: 0, .offline)))
    #expect(try await todos.add("Milk") == 1)
  }

  /// Operations have the base names of methods.
  ///
  /// Red: A gate can never hold a call: add(_:). Write the base name of the method alone: add.
  /// Red: A rule can never fire: todos.add. Write the base name of the method alone: add.
  @Test func anOperationThatIsNotTheNameOfAMethod() async throws {
    let gate = Gate<InMemoryTodos>(.init("add(_:)"), isOptional: true)
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.init("todos.add"), .offline)), .gate(gate))
    #expect(try await todos.add("Milk") == 1)
  }

  // MARK: - Faults without an effect

  /// The stream has fewer events than the fault lets pass.
  ///
  /// Red: A rule of a fault plan never fired: changes: drop-stream:10
  /// Red: reason: the call was made, but its stream ended after 2 events; the fault needs event 11
  /// Red: calls that reached the plan: changes, 1 time
  @Test func aFaultBeyondTheEndOfItsStream() async throws {
    let base = InMemoryTodos()
    for title in ["Milk", "Bread"] { _ = try await base.add(title) }
    let todos = Intercepted(base, by: .faults(.on(.changes, .dropStream(afterEvents: 10))))
    for try await _ in todos.changes() {}
  }

  /// The code under test stops at the first event.
  ///
  /// Red: reason: the call was made, but its stream was read up to event 1; the fault needs event 2
  @Test func aFaultBehindTheLastEventThatIsRead() async throws {
    let base = InMemoryTodos()
    for title in ["Milk", "Bread"] { _ = try await base.add(title) }
    let todos = Intercepted(base, by: .faults(.on(.changes, .corruptEvent(2))))
    for try await title in todos.changes() where title == "Milk" { break }
  }

  /// The code under test makes the call, and does not read the stream.
  ///
  /// Red: reason: the call was made, but its stream, or its body, was not read
  @Test func aFaultOfAStreamWithoutAReader() async throws {
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.changes, .dropStream())))
    _ = todos.changes()
  }

  /// The method returns no stream.
  ///
  /// Red: A rule of a fault plan never fired: add: duplicate-event:1
  /// Red: reason: the call was made, but the method returns no stream, and the fault needs events
  /// Red: or use a fault of a call, such as .unreadableAnswer
  @Test func aFaultOfEventsOnACall() async throws {
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.add, .duplicateEvent())))
    #expect(try await todos.add("Milk") == 1)
  }

  /// The answer is one JSON value.
  ///
  /// Red: reason: the call was made, but the answer is not a stream of events; declare the framing of its body
  @Test func aFaultOfEventsOnAWholeAnswer() async throws {
    let backend = StubBackend { Stub(.get, "/todos") { _ in try .json(["Milk"]) } }
    let transport = Intercepted(
      InProcessTransport(to: backend), by: .faults(.on(.get("/todos"), .reorderEvent())))
    let url = try #require(URL(string: "https://api.example/todos"))
    #expect(try await transport.data(for: HTTP.Request(.get, url)).0 == Data(#"["Milk"]"#.utf8))
  }

  /// A service has no bytes.
  ///
  /// Red: reason: the call was made, but a service returns values, not bytes; inject the fault into its transport or its handler
  @Test func aFaultOfBytesAtAService() async throws {
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.changes, .splitCharacters)))
    for try await _ in todos.changes() {}
  }

  /// The method cannot report the failure.
  ///
  /// Red: A rule of a fault plan never fired: count: offline
  /// Red: reason: the call was made, but count cannot throw, so its call goes on to the base
  @Test func aFaultOfAMethodThatCannotThrow() async throws {
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.count, .offline)))
    #expect(await todos.count() == 0)
  }

  /// Events are numbered from 1.
  ///
  /// Red: A rule can never fire: changes: corrupt-event:0. Events are numbered from 1.
  @Test func aFaultOfAnEventThatDoesNotExist() async throws {
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.changes, .corruptEvent(0))))
    for try await _ in todos.changes() {}
  }

  // MARK: - Patterns of requests

  /// Each pattern matches no request.
  ///
  /// Red: Invalid path pattern "/todos?done=true": a path has no query and no fragment; write "/todos".
  /// Red: Invalid path pattern "https://api.example/todos": write the path alone, without scheme and host: "/todos".
  /// Red: Invalid path pattern "/todos/:id": write {id} for a parameter.
  @Test func aPathThatMatchesNoRequest() async throws {
    let log = CallLog<InProcessTransport<StubBackend>>()
    #expect(log.count(of: .get("/todos?done=true")) == 0)
    #expect(log.count(of: .get("https://api.example/todos")) == 0)
    _ = StubBackend { Stub(.get, "/todos/:id") { _ in try .json("Milk") } }
  }

  /// A path begins with a slash.
  ///
  /// Red: Invalid path pattern "todos": a path begins with a slash; write "/todos".
  @Test func aPathWithoutASlash() async throws {
    let log = CallLog<InProcessTransport<StubBackend>>()
    #expect(log.count(of: .post("todos")) == 0)
  }

  /// Methods are case-sensitive.
  ///
  /// Red: The method "get" can never match: methods are case-sensitive; write "GET".
  @Test func aMethodInSmallLetters() async throws {
    let log = CallLog<InProcessTransport<StubBackend>>()
    #expect(log.count(of: .request(HTTP.Method(rawValue: "get"), "/todos")) == 0)
  }

  // MARK: - Gates, logs and stubs

  /// A closure that is set and never called may be part of a setup; the expectation says that it is not.
  ///
  /// Red: - add at least once, but it was called 0 times
  @Test func aClosureThatIsNeverCalled() async throws {
    var double = UnimplementedTodos()
    double.onAdd = { title in
      #expect(title == "Milk")
      return 1
    }
    double.onTitles = { [] }
    let todos = Intercepted(double, by: .log(CallLog(expecting: .atLeast(1, .add), .othersAllowed)))
    #expect(try await todos.titles() == [])
  }

  /// The operation is counted under another name than it has.
  ///
  /// Red: No call can match todos.add. Write the base name of the method alone: add.
  @Test func aCountOfAnOperationThatDoesNotExist() async throws {
    let log = CallLog<InMemoryTodos>()
    _ = try await Intercepted(InMemoryTodos(), by: .log(log)).add("Milk")
    #expect(log.count(of: .init("todos.add")) == 0)
  }

  /// The code under test makes another call.
  ///
  /// Red: A gate for add never held a call.
  /// Red: reason: no call matches its operation; the nearest one is titles
  /// Red: calls that reached the gate: titles, 1 time
  @Test func aGateThatNeverHoldsACall() async throws {
    let gate = Gate<InMemoryTodos>(.add)
    #expect(try await Intercepted(InMemoryTodos(), by: .gate(gate)).titles() == [])
  }

  /// The test does not call `verify()`.
  ///
  /// Red: - add once, but it was called 0 times
  /// Red: - no call of titles, but found titles()
  @Test func anExpectationThatIsNeverVerified() async throws {
    let log = CallLog<InMemoryTodos>(expecting: .exactly(1, .add))
    #expect(try await Intercepted(InMemoryTodos(), by: .log(log)).titles() == [])
  }

  /// A task of the code under test still has the double when the test ends, as that of a screen which follows changes.
  ///
  /// End: error: 1 check of doubles could not be made before the end of the tests:
  /// End: Test aDoubleThatATaskRetains() in MistakesTests/FaultMistakes.swift
  /// End: A rule of a fault plan never fired: add: offline
  /// End: These were retained beyond the end of their tests: by a task that still runs
  @Test func aDoubleThatATaskRetains() async throws {
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.add, .offline)))
    Task {
      try await Task.sleep(for: .seconds(3_600))
      _ = await todos.count()
    }
    #expect(try await todos.titles() == [])
  }

  /// The log is made, and not passed to the double.
  ///
  /// Red: No double has this log, so its expectations check nothing.
  @Test func aLogOfNoDouble() async throws {
    let log = CallLog<InMemoryTodos>(expecting: .never(.add))
    _ = try await Intercepted(InMemoryTodos()).add("Milk")
    withExtendedLifetime(log) {}
  }

  /// Each run of the sweep makes a log, and none checks it.
  ///
  /// Red: The expectations of a log are not checked in a scenario, a clause or an exploration
  @Test func anExpectationOfALogInAScenario() async throws {
    let scenario = Scenario("logged", "A user adds an item.") { run in
      let todos = run.intercepted(InMemoryTodos(), as: "todos")
      let log = CallLog<Intercepted<InMemoryTodos>>(expecting: .never(.add))
      _ = try? await Intercepted(todos, by: .log(log)).add("Milk")
      run.expect("item.added", true, "")
    }
    try await scenario.sweep(pairLimit: 0)
  }

  /// Any number of calls is at least 0.
  ///
  /// Red: Any number of calls meets it: expect at least one.
  @Test func anExpectationThatAlwaysHolds() async throws {
    let log = CallLog<InMemoryTodos>(expecting: .atLeast(0, .add))
    _ = try await Intercepted(InMemoryTodos(), by: .log(log)).add("Milk")
    try log.verify()
  }

  /// The client requests the list, and not an item.
  ///
  /// Red: A stub was never used: GET /todos/{id}
  /// Red: nearest request: GET /todos
  @Test func aStubThatIsNeverUsed() async throws {
    let backend = StubBackend(requiringUse: true) {
      Stub(.get, "/todos") { _ in try .json(["Milk"]) }
      Stub(.get, "/todos/{id}") { _ in try .json("Milk") }
    }
    let url = try #require(URL(string: "https://api.example/todos"))
    let answer = try await InProcessTransport(to: backend).data(for: HTTP.Request(.get, url)).0
    #expect(answer == Data(#"["Milk"]"#.utf8))
  }

  // MARK: - Errors

  enum Wire { enum Failure: Error, Hashable { case offline } }
  enum Screen { enum Failure: Error, Hashable { case offline } }

  /// Two types have the same name, and their values print alike.
  ///
  /// Red: Expected the call to throw offline (MistakesTests.FaultMistakes.Wire.Failure), but it threw offline
  /// Red: They print alike but have different types: expect a MistakesTests.FaultMistakes.Screen.Failure, or convert it
  @Test(
    arguments: Contract<any TodoService>("alike") {
      Clause("alike.offline", "An item cannot be added while offline.") { trial in
        await trial.expect(throws: Wire.Failure.offline) { throw Screen.Failure.offline }
      }
    }.checks(of: .inMemory))
  func anErrorOfAnotherTypeThatPrintsAlike(_ check: ContractCheck<any TodoService>) async throws {
    try await check.run()
  }

  // MARK: - Streams

  /// A stream that is intercepted as a call fails as a call, before its first element.
  ///
  /// Red: drop-stream:1 failed a call that returns a stream, instead of the stream
  /// Red: Use interceptStream for it.
  @Test func aFaultOfAStreamThatIsInterceptedAsACall() async throws {
    let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.changes, .dropStream(afterEvents: 1))))
    await #expect(throws: TodoError.self) { _ = try await todos.changesAsCall() }
  }

  /// The same in a sweep, which would try no fault of the stream.
  ///
  /// Red: todos.changes call=1 returns a stream, but is intercepted as a call
  /// Red: Use interceptStream for it.
  @Test func aSweepOfAStreamThatIsInterceptedAsACall() async throws {
    let scenario = Scenario("following", "A user follows the changes.") { run in
      _ = try? await run.intercepted(InMemoryTodos(), as: "todos").changesAsCall()
      run.expect("changes.shown", true, "")
    }
    try await scenario.sweep(pairLimit: 0)
  }

  /// The double has the clock of the system, so the stall would take real time.
  ///
  /// Red: stall-stream:1 would wait for 30.0 seconds of real time: the Intercepted has the system's clock.
  /// Red: Inject a clock, for instance Intercepted(base, by: …, time: TestClock(.immediate).time).
  @Test func aStallOnTheClockOfTheSystem() async throws {
    let base = InMemoryTodos()
    for title in ["Milk", "Bread"] { _ = try await base.add(title) }
    let todos = Intercepted(base, by: .faults(.on(.changes, .stallStream(afterEvents: 1))))
    await #expect(throws: TodoError.self) { for try await _ in todos.changes() {} }
  }

  // MARK: - Scenarios

  /// The services are not made with `run.intercepted`.
  ///
  /// Red: breaks sweep.covers: The scenario made no call into which a fault can be injected (
  /// Red: Make its services with run.intercepted(_:as:)
  /// Red: Covered: 0 calls
  @Test func aSweepWithoutCalls() async throws {
    let scenario = Scenario("unconnected", "A user adds an item.") { run in
      let count = try await InMemoryTodos().add("Milk")
      run.expect("item.added", count == 1, "\(count) items")
    }
    try await scenario.sweep(pairLimit: 0)
  }

  /// Nothing is checked, under any fault.
  ///
  /// Red: breaks sweep.checks: The scenario checked no invariant under any schedule (
  /// Red: Check one with run.expect(_:_:_:) or run.always(_:_:_:).
  @Test func aSweepWithoutInvariants() async throws {
    let scenario = Scenario("mute", "A user adds an item.") { run in
      _ = try? await run.intercepted(InMemoryTodos(), as: "todos").add("Milk")
    }
    try await scenario.sweep(pairLimit: 0)
  }

  /// The scenario returns where the screen shows a failure, so that only a cancelled call is checked.
  ///
  /// Red: breaks sweep.checks:
  /// Red: no invariant was checked after that in any run
  @Test func aSweepThatReturnsAtAMessage() async throws {
    let scenario = Scenario("messages", "A user adds an item.") { run in
      let failures = await run.failures {
        _ = try? await run.intercepted(InMemoryTodos(), as: "todos").add("Milk")
      }
      if failures.contains(where: { !$0.isCancellation }) { return }
      run.expect("item.added", true, "")
    }
    try await scenario.sweep(pairLimit: 0)
  }

  /// The scenario returns where a call fails, so that only its successes are checked.
  ///
  /// Red: breaks sweep.checks:
  /// Red: no invariant was checked after that in any run
  /// Red: Does the scenario return where a call fails
  @Test func aSweepThatReturnsEarly() async throws {
    let scenario = Scenario("early", "A user adds an item.") { run in
      let todos = run.intercepted(InMemoryTodos(), as: "todos")
      guard let count = try? await todos.add("Milk") else { return }
      run.expect("item.added", count == 1, "\(count) items")
    }
    try await scenario.sweep(pairLimit: 0)
  }

  /// A store outlives the runs, so that only the first run adds to it.
  ///
  /// Red: breaks sweep.covers: todos.add call=1 was made in the run without a fault, but in none of the runs
  /// Red: Is data left over from earlier runs
  @Test func aSweepOverAStoreThatOutlivesItsRuns() async throws {
    let store = InMemoryTodos()
    let scenario = Scenario("kept", "A user adds the first item.") { run in
      let todos = run.intercepted(store, as: "todos")
      if await store.count() == 0 { _ = try? await todos.add("Milk") }
      _ = try? await todos.titles()
      run.expect("items.shown", true, "")
    }
    try await scenario.sweep(pairLimit: 0)
  }

  /// The double does not implement what the screen calls, which looks like a service that always fails.
  ///
  /// Red: breaks double.implements: todos.add is not implemented by this double. Write this method by hand
  @Test func aSweepOverADoubleThatImplementsNothing() async throws {
    struct NoTodos: Sendable {
      func add(_ title: String) async throws -> Int { throw TodoError(.unimplemented("todos.add")) }
    }
    let scenario = Scenario("bare", "A user adds an item.") { run in
      let todos = run.intercepted(NoTodos(), as: "todos")
      _ = try? await todos.intercept(.init("add"), failure: { TodoError($0) as any Error }) {
        try await $0.add("Milk")
      }
      run.expect("saving.ends", true, "")
    }
    try await scenario.sweep(pairLimit: 0)
  }

  /// The same in a single run.
  ///
  /// Red: checked no invariant. Check one with run.expect(_:_:_:) or run.always(_:_:_:).
  @Test func aRunWithoutInvariants() async throws {
    let scenario = Scenario("mute", "A user adds an item.") { run in
      _ = try? await run.intercepted(InMemoryTodos(), as: "todos").add("Milk")
    }
    try await scenario.run(under: [.at("todos.add", call: 1, .offline)])
  }

  /// The schedule has a call that is not made any more.
  ///
  /// Red: breaks schedule.met
  /// Red: Nearest: todos.add.
  @Test func aScheduleOfACallThatIsNotMade() async throws {
    let scenario = Scenario("adding", "A user adds an item.") { run in
      _ = try? await run.intercepted(InMemoryTodos(), as: "todos").add("Milk")
      run.expect("item.added", true, "")
    }
    try await scenario.run(under: [.at("todos.ad", call: 1, .offline)])
  }

  /// The schedule has a fault beyond the end of the stream.
  ///
  /// Red: breaks schedule.met
  /// Red: had no effect: its stream ended after 0 events; the fault needs event 3
  @Test func aScheduleOfAFaultWithoutAnEffect() async throws {
    let scenario = Scenario("following", "A user follows the changes.") { run in
      for try await _ in run.intercepted(InMemoryTodos(), as: "todos").changes() {}
      run.expect("changes.shown", true, "")
    }
    try await scenario.run(under: [.at("todos.changes", call: 1, .dropStream(afterEvents: 2))])
  }

  /// None of the calls can fail.
  ///
  /// Red: breaks sweep.covers: No call of the scenario can fail, so no fault was tried (
  /// Red: The calls are todos.count.
  @Test func aSweepOfCallsThatCannotFail() async throws {
    let scenario = Scenario("counting", "A user counts.") { run in
      let count = await run.intercepted(InMemoryTodos(), as: "todos").count()
      run.expect("items.none", count == 0, "\(count) items")
    }
    try await scenario.sweep(pairLimit: 0)
  }

  // MARK: - States

  @MainActor @Observable final class SaveModel {
    var state = "idle"

    /// Does not suspend, so that no screen shows the first state.
    func save() {
      state = "saving"
      state = "saved"
    }
  }

  /// The state is overwritten before the main actor becomes free.
  ///
  /// Environment: UNDERSTUDY_STALL=1
  /// Red: The state that was waited for was never shown: saving
  /// Red: It was written, and overwritten before the main actor became free, so no screen would have shown it.
  /// Red: Shown: idle → saved
  @MainActor @Test func aStateThatIsOverwritten() async throws {
    let timeline = StateTimeline(of: SaveModel()) { $0.state }
    Task { @MainActor in timeline.subject.save() }
    try await timeline.wait(for: "saving")
  }
}

extension Intercepted where Base == InMemoryTodos {
  /// The changes, intercepted by the wrong method, which compiles.
  fileprivate func changesAsCall() async throws -> any AsyncSequence & Sendable {
    try await intercept(.changes, failure: { TodoError($0) as any Error }) {
      $0.changes() as any AsyncSequence & Sendable
    }
  }
}
