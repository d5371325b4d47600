import Foundation
import Testing
import Understudy
import UnderstudyHTTP

@testable import UnderstudyTesting

/// An issue as a test shows it.
private struct Shown: Sendable {
  let line: Int
  let text: String
  let isFailure: Bool
}

/// The issues that a closure records, also where what it made is released.
private func issues(_ body: @Sendable () async throws -> Void) async throws -> [Shown] {
  let found = Locked<[Shown]>([])
  try await withKnownIssue(isIntermittent: true) {
    try await body()
  } matching: { issue in
    found.withLock { found in
      found.append(
        Shown(
          line: issue.sourceLocation?.line ?? 0, text: issue.comments.map(\.rawValue).joined(),
          isFailure: issue.failsTest))
    }
    return true
  }
  return found.withLock { $0 }
}

/// A double that checks nothing is an issue of its test, without a line in the test.
@Suite(.stallLimit()) struct TestIssueTests {
  typealias Rule = FaultPlan<Door>.Rule

  // MARK: - Rules

  @Test func aRuleThatNeverFiredIsAnIssueAtItsLine() async throws {
    let found = try await issues {
      let door = Intercepted(
        Door(),
        by: .faults(.on(.open, call: 2, .conflict), .on(.opem, .offline), .on(.open, call: 1, .timeout)))
      await door.open()
    }
    #expect(found.map(\.line) == [#line - 3, #line - 3])
    #expect(found.first?.text.contains("open, call 2: conflict") == true)
    #expect(found.first?.text.contains("it counted 1 call, none of which it selects") == true)
    #expect(found.last?.text.contains("opem: offline") == true)
    #expect(found.last?.text.contains("the nearest one is open") == true)
    #expect(found.last?.text.contains("calls that reached the plan: open, 1 time") == true)
    #expect(found.last?.text.contains(".optional") == true)
  }

  @Test(
    arguments: [
      (.on(.open, .conflict), nil),
      (.on(.close, .conflict).optional, nil),
      (.on(.close, .conflict), "no call matches its operation; the nearest one is"),
      (.on(.open, when: { _ in false }, .conflict), "its condition was false for each of 2 calls"),
      (.on(.look, .conflict), "the matching calls are synchronous"),
    ] as [(Rule, String?)])
  func theReasonIsInTheIssue(_ rule: Rule, _ reason: String?) async throws {
    let found = try await issues {
      let plan = FaultPlan<Door>()
      plan.add(rule)
      let door = Intercepted(Door(), by: .faults(plan))
      await door.open()
      await door.open()
      door.look()
    }
    #expect(found.count == (reason == nil ? 0 : 1))
    if let reason { #expect(found.first?.text.contains(reason) == true, "\(found)") }
  }

  @Test func aRuleBehindAnotherOneIsAnIssue() async throws {
    let found = try await issues {
      await Intercepted(Door(), by: .faults(.on(.any, .conflict), .on(.open, .offline))).open()
    }
    #expect(found.map(\.line) == [#line - 2])
    #expect(found.first?.text.contains("an earlier rule of the plan answered the calls") == true)
  }

  @Test func aRuleOfALaterPlanIsAnIssueOnlyIfItNeverFired() async throws {
    let found = try await issues {
      let plan = FaultPlan<Door>()
      let door = Intercepted(Door(), by: .faults(plan))
      await plan.during(.on(.open, .conflict)) { await door.open() }
      await plan.during(.on(.close, .conflict)) { await door.open() }
    }
    #expect(found.map(\.line) == [#line - 2])
  }

  /// The body of an exit test belongs to no test: its process may end before the calls that its doubles wait for.
  @Test func aProcessThatATestEndsHasNoReport() async {
    await #expect(processExitsWith: .success) {
      let door = Intercepted(Door(), by: .faults(.on(.open, .offline)))
      withExtendedLifetime(door) { exit(EXIT_SUCCESS) }
    }
  }

  /// An argument is made before the test that receives it.
  @Test(arguments: [FaultPlan<Door>(.on(.close, .conflict))])
  func aPlanMadeOutsideOfATestIsNotChecked(_ plan: FaultPlan<Door>) async throws {
    let found = try await issues { await Intercepted(Door(), by: .faults(plan)).open() }
    #expect(found.isEmpty)
  }

  /// Not every clause makes every call, and a fault changes which calls follow it.
  @Test func plansOfTrialsAndScenariosAreNotChecked() async throws {
    let faulty = Implementation<Intercepted<Door>>("faulty") { _ in
      Intercepted(Door(), by: .faults(.on(.open, every: 100, .conflict)))
    }
    let clause = Clause<Intercepted<Door>>("door.opens", "It opens.") { trial in
      await trial.subject.open()
      trial.expect(true, "")
    }
    let scenario = Scenario("opening", "A visitor opens the door.") { run in
      let inner = Intercepted(Door(), by: .faults(.on(.open, call: 2, .conflict)))
      await inner.open()
      await run.intercepted(Door(), as: "door").open()
      run.expect("door.opened", true, "")
    }
    let found = try await issues {
      for check in Contract("door", clauses: { clause }).checks(of: faulty) { try await check.run() }
      try await scenario.sweep(pairLimit: 0)
    }
    #expect(found.isEmpty, "\(found)")
  }

  // MARK: - Faults without an effect

  /// Three events come; a fault that needs another one tests nothing.
  @Test(
    arguments: [
      (.dropStream(afterEvents: 10), "its stream ended after 3 events; the fault needs event 11"),
      (.endStream(afterEvents: 3), "its stream ended after 3 events; the fault needs event 4"),
      (.stallStream(afterEvents: 4), "its stream ended after 3 events; the fault needs event 5"),
      (.corruptEvent(4), "its stream ended after 3 events; the fault needs event 4"),
      (
        .duplicateEvent(5),
        "its stream ended after 3 events; the fault needs event 5, and a reader that also reads its copy"
      ),
      (.reorderEvent(3), "its stream ended after 3 events; the fault needs events 3 and 4"),
      (.splitCharacters, "a service returns values, not bytes; inject the fault into its transport"),
      (.dribble(), "a service returns values, not bytes"),
      (.dropStream(afterEvents: 2), nil), (.endStream(afterEvents: 0), nil), (.corruptEvent(3), nil),
      (.duplicateEvent(3), nil), (.reorderEvent(2), nil), (.unterminatedEvent, nil), (.conflict, nil),
      (.truncatedBody(), nil),
    ] as [(Fault, String?)])
  func aFaultOfAStreamFiresOnlyIfItTakesEffect(_ fault: Fault, _ reason: String?) async throws {
    let found = try await issues {
      // The plan is released while the stream is read.
      do { for try await _ in Intercepted(Door(), by: .faults(.on(.rings, fault))).rings() {} } catch {}
    }
    #expect(found.map(\.line) == (reason == nil ? [] : [#line - 2]))
    guard let reason else { return }
    #expect(found.first?.text.contains("reason: the call was made, but \(reason)") == true, "\(found)")
    #expect(found.first?.text.contains("calls that reached the plan: rings, 1 time") == true)
  }

  @Test func aStreamThatIsNotReadAsFarAsItsFaultIsAnIssue() async throws {
    let unread = try await issues {
      _ = Intercepted(Door(), by: .faults(.on(.rings, .dropStream()))).rings()
    }
    #expect(unread.map(\.line) == [#line - 2])
    #expect(
      unread.first?.text.contains("the call was made, but its stream, or its body, was not read") == true)
    let stopped = try await issues {
      for try await ring in Intercepted(Door(), by: .faults(.on(.rings, .dropStream(afterEvents: 2)))).rings()
      where ring == 1 { break }
    }
    #expect(stopped.first?.text.contains("was read up to event 1; the fault needs event 3") == true)
    // The copy is not read.
    let uncopied = try await issues {
      for try await _ in Intercepted(Door(), by: .faults(.on(.rings, .duplicateEvent(1)))).rings() { break }
    }
    #expect(
      uncopied.first?.text.contains("read up to event 1; the fault needs event 1, and a reader") == true)
  }

  /// Catches a reader whose cancellation hides what it did not read.
  @Test func aCancelledReaderIsNoExcuse() async throws {
    let found = try await issues {
      let isReading = Signal<Void>()
      let task = Task {
        let door = Intercepted(Door(), by: .faults(.on(.rings, .dropStream(afterEvents: 1))))
        var rings = door.rings().makeAsyncIterator()
        _ = try? await rings.next()
        isReading.send(())
        try? await Signal<Void>().value()
      }
      try await isReading.value()
      task.cancel()
      await task.value
    }
    #expect(found.count == 1)
    #expect(found.first?.text.contains("was read up to event 1; the fault needs event 2") == true, "\(found)")
  }

  @Test(arguments: [Fault.duplicateEvent(), .reorderEvent()])
  func aFaultOfEventsOnACallIsAnIssue(_ fault: Fault) async throws {
    let found = try await issues { await Intercepted(Door(), by: .faults(.on(.open, fault))).open() }
    #expect(found.map(\.line) == [#line - 1])
    #expect(found.first?.text.contains("the method returns no stream, and the fault needs events") == true)
    #expect(found.first?.text.contains("such as .unreadableAnswer") == true)
    // A gate, or an interceptor, has no rule to report.
    let held = try await issues {
      let gate = Gate<Door>(.open)
      let door = Intercepted(Door(), by: .gate(gate))
      async let opened: Void = door.open()
      try await gate.next().fail(with: fault)
      await opened
    }
    #expect(held.count == 1)
    #expect(held.first?.text.hasPrefix("\(fault) had no effect: the method returns no stream") == true)
    // The others fail the call, as documented.
    let dropped = try await issues {
      await Intercepted(Door(), by: .faults(.on(.open, .dropStream()))).open()
    }
    #expect(dropped.isEmpty)
  }

  @Test func aFaultOfAMethodThatCannotThrowIsAnIssue() async throws {
    let found = try await issues {
      #expect(await Intercepted(Door(), by: .faults(.on(.count, .offline))).count() == 1)
      #expect(
        await Intercepted(
          Door(), by: .faults(.on(.count, .latency(.seconds(1)))), time: TestClock(.immediate).time
        ).count() == 1)
    }
    #expect(found.map(\.line) == [#line - 6])
    #expect(found.first?.text.contains("count cannot throw, so its call goes on to the base") == true)
  }

  @Test func aFaultOfACompletionHandlerWithoutAnErrorIsAnIssue() async throws {
    let found = try await issues {
      weak var released: Intercepted<Door>?
      do {
        let door = Intercepted(Door(), by: .faults(.on(.any, .offline)))
        released = door
        let isOpen = await withCheckedContinuation { answer in
          door.interceptCallback(
            Intercepted.Operation("isOpen"),
            completion: { (answered: Bool) in answer.resume(returning: answered) }
          ) { _, completion in completion(true) }
        }
        #expect(isOpen)
      }
      // The plan is checked when the task of the call has released it.
      while released != nil { await Task.yield() }
    }
    let obstacle = "isOpen cannot pass an error to its completion handler, so its call"
    #expect(found.first?.text.contains(obstacle) == true, "\(found)")
  }

  @Test func aFaultOfEventsOnAWholeAnswerIsAnIssue() async throws {
    struct Backend: HTTPHandler {
      func respond(to request: HTTP.Request) async throws -> HTTP.Response { .init(status: 200) }
    }
    let url = try #require(URL(string: "http://localhost/todos"))
    let found = try await issues {
      for fault in [Fault.duplicateEvent(), .reorderEvent(), .splitCharacters, .cancelled] {
        let handler = Intercepted(Backend(), by: .faults(.on(.get("/todos"), fault)))
        _ = try? await handler.respondOnWire(to: HTTP.Request(.get, url)).body.collect()
      }
    }
    #expect(found.count == 4)
    #expect(found[0].text.contains("the answer is not a stream of events; declare the framing of its body"))
    #expect(found[2].text.contains("the fault needs a character of several bytes"))
    #expect(
      found[3].text.contains("only a client can cancel its call, so the server reset the connection; inject"))
  }

  @Test func anEventWithoutANumberIsRefused() async throws {
    let found = try await issues {
      _ = Rule.on(.rings, .corruptEvent(0))
      _ = Rule.on(.rings, .duplicateEvent(-1))
      _ = Rule.on(.rings, .reorderEvent(0))
    }
    #expect(found.map(\.line) == [#line - 4, #line - 3, #line - 2])
    #expect(found.allSatisfy { $0.text.contains("Events are numbered from 1.") })
  }

  @Test func aStatusThatNoAnswerHasIsRefused() async throws {
    let found = try await issues {
      _ = Rule.on(.open, .status(99))
      _ = Rule.on(.open, .status(700, body: Data("{}".utf8)))
    }
    #expect(found.map(\.line) == [#line - 3, #line - 2])
    #expect(found.allSatisfy { $0.text.contains("An answer has a status from 200 to 599.") }, "\(found)")
  }

  @Test func aSweepInWhichNoCallCanFailFails() async throws {
    let scenario = Scenario("counting", "A visitor counts the rings.") { run in
      let count = await run.intercepted(Door(), as: "door").count()
      run.expect("count.right", count == 1, "")
    }
    let found = try await issues { try await scenario.sweep(pairLimit: 0) }
    #expect(found.count == 1)
    #expect(
      found.first?.text.contains("No call of the scenario can fail, so no fault was tried") == true,
      "\(found)")
    #expect(found.first?.text.contains("The calls are door.count.") == true)
  }

  @Test func aPlanThatATaskReleasesIsCheckedToo() async throws {
    let found = try await issues {
      let task = Task { await Intercepted(Door(), by: .faults(.on(.close, .conflict))).open() }
      await task.value
    }
    #expect(found.map(\.line) == [#line - 3])
  }

  // MARK: - Gates and logs

  @Test func aGateThatNeverHeldACallIsAnIssue() async throws {
    let found = try await issues {
      let gate = Gate<Door>(.close)
      await Intercepted(Door(), by: .gate(gate)).open()
      _ = Gate<Door>(.close, isOptional: true)
    }
    #expect(found.map(\.line) == [#line - 4])
    #expect(found.first?.text.contains("A gate for close never held a call") == true)
    #expect(found.first?.text.contains("calls that reached the gate: open, 1 time") == true)
  }

  @Test func aGateThatHeldACallIsNoIssue() async throws {
    let found = try await issues {
      let gate = Gate<Door>(.open)
      let door = Intercepted(Door(), by: .gate(gate))
      async let opened: Void = door.open()
      try await gate.next().proceed()
      await opened
    }
    #expect(found.isEmpty)
  }

  @Test func expectationsThatWereNeverAskedAreChecked() async throws {
    let found = try await issues {
      let log = CallLog<Door>(expecting: .exactly(1, .close))
      await Intercepted(Door(), by: .log(log)).open()
      await Intercepted(Door(), by: .log(CallLog(expecting: .exactly(1, .open)))).open()
    }
    #expect(found.map(\.line) == [#line - 4])
    #expect(found.first?.text.contains("close once, but it was called 0 times") == true)
    #expect(found.first?.text.contains("1. open() ") == true)
  }

  @Test func verifiedExpectationsAreNotReportedTwice() async throws {
    let found = try await issues {
      let log = CallLog<Door>(expecting: .exactly(1, .close))
      await Intercepted(Door(), by: .log(log)).open()
      #expect(throws: UnderstudyError.self) { try log.verify() }
    }
    #expect(found.isEmpty)
  }

  /// Catches a check that is never made again once it was made.
  @Test func callsAfterAVerificationAreChecked() async throws {
    let found = try await issues {
      let log = CallLog<Door>(expecting: .never(.open))
      let door = Intercepted(Door(), by: .log(log))
      try log.verify()
      await door.open()
    }
    #expect(found.map(\.line) == [#line - 5])
    #expect(found.first?.text.contains("open never, but it was called 1 time") == true)
  }

  /// Nothing is called on it, so that it would hold whatever the code does.
  @Test func aLogOfNoDoubleIsAnIssue() async throws {
    let found = try await issues {
      let log = CallLog<Door>(expecting: .never(.open))
      await Intercepted(Door()).open()
      withExtendedLifetime(log) {}
    }
    #expect(found.map(\.line) == [#line - 4])
    #expect(found.first?.text.contains("No double has this log, so its expectations check nothing") == true)
  }

  @Test func aVerifiedLogOfNoDoubleFails() async throws {
    let log = CallLog<Door>(expecting: .never(.open))
    await Intercepted(Door()).open()
    #expect {
      try log.verify()
    } throws: {
      "\($0)".hasPrefix("No double has this log, so its expectations check nothing.")
    }
  }

  /// Catches an issue about a log that is rightly verified only where nothing has failed.
  @Test func expectationsMayBeVerifiedInSomeRunsOnly() async throws {
    let found = try await issues {
      try await Scenario("opening", "A visitor opens the door.") { run in
        let log = CallLog<Door>(expecting: .exactly(1, .open))
        let failures = await run.failures {
          await Intercepted(Door(), by: .log(log)).open()
          await run.intercepted(Door(), as: "door").open()
        }
        if failures.isEmpty { try log.verify() }
        run.expect("door.opened", true, "")
      }.sweep(pairLimit: 0)
    }
    #expect(found.isEmpty, "\(found)")
  }

  /// Each run has its own log, and one issue says it.
  @Test func expectationsInAScenarioAreAnIssueUnlessTheyAreVerified() async throws {
    let found = try await issues {
      try await Scenario("opening", "A visitor opens the door.") { run in
        let log = CallLog<Door>(expecting: .never(.close))
        let verified = CallLog<Door>(expecting: .exactly(1, .open))
        await Intercepted(Door(), by: .log(log), .log(verified)).open()
        await run.intercepted(Door(), as: "door").open()
        try verified.verify()
        run.expect("door.opened", true, "")
      }.sweep(pairLimit: 0)
    }
    #expect(found.map(\.line) == [#line - 8])
    #expect(found.first?.text.contains("are not checked in a scenario") == true, "\(found)")
  }

  // MARK: - Expectations that come too late

  /// The issues of a clause whose task checks an expectation after the clause has ended.
  ///
  /// - Parameter body: The rest of the clause, once the task has begun.
  private func issuesOfALateExpectation(
    _ body: @escaping @Sendable (Trial<Door>, Task<Void, any Error>) async throws -> Void
  ) async throws -> [Shown] {
    let (goOn, isOver) = (Signal<Void>(), Signal<Void>())
    let clause = Clause<Door>("door.opens", "It opens.") { trial in
      let task = Task {
        try await goOn.value()
        trial.expect(false, "It is closed.")
        isOver.send(())
      }
      try await body(trial, task)
    }
    return try await issues {
      try await #require(
        Contract("door", clauses: { clause }).checks(of: Implementation("door") { _ in Door() }).first
      ).run()
      goOn.send(())
      try await isOver.value()
    }
  }

  @Test func anExpectationAfterTheEndOfItsClauseIsAnIssue() async throws {
    let found = try await issuesOfALateExpectation { trial, _ in trial.expect(true, "") }
    #expect(found.count == 1)
    #expect(found.first?.text.contains("was checked after its clause had ended") == true, "\(found)")
  }

  /// Catches an issue about a task whose clause awaits it, but which a violation ended before.
  @Test func anExpectationAfterAViolationIsNoFurtherIssue() async throws {
    let found = try await issuesOfALateExpectation { trial, task in
      _ = try trial.require(nil as Int?, "It has no lock.")
      try await task.value
    }
    #expect(found.count == 1)
    #expect(found.first?.text.contains("It has no lock.") == true, "\(found)")
  }

  @Test func anExpectationAfterTheEndOfItsRunIsAnIssue() async throws {
    let (goOn, isOver) = (Signal<Void>(), Signal<Void>())
    let scenario = Scenario("opening", "A visitor opens the door.") { run in
      run.expect("door.opened", true, "")
      Task {
        try await goOn.value()
        run.expect("door.closed", false, "It is open.")
        isOver.send(())
      }
    }
    let found = try await issues {
      try await scenario.run(under: [])
      goOn.send(())
      try await isOver.value()
    }
    #expect(found.count == 1)
    #expect(
      found.first?.text.contains("An expectation of door.closed was checked after its run had ended") == true,
      "\(found)")
  }

  @Test func anExpectationThatAlwaysHoldsIsRefused() async throws {
    let found = try await issues {
      _ = Intercepted(Door(), by: .log(CallLog(expecting: .atLeast(0, .open))))
      _ = Intercepted(Door(), by: .log(CallLog(expecting: .inOrder(), .othersAllowed)))
      _ = Intercepted(Door(), by: .log(CallLog(expecting: .atMost(0, .open))))
    }
    #expect(found.map(\.line) == [#line - 4, #line - 3])
    #expect(found.first?.text.contains("expect at least one") == true)
    #expect(found.last?.text.contains("at least two operations") == true)
  }

  // MARK: - Stubs

  @Test func anUnusedStubIsAnIssueIfUseIsRequired() async throws {
    let found = try await issues {
      let backend = StubBackend(requiringUse: true) {
        Stub(.get, "/todos") { _ in HTTP.Response(status: 204) }
        Stub(.get, "/todos/{id}") { _ in HTTP.Response(status: 204) }
        Stub(.post, "/todos", answers: HTTP.Response(status: 201))
      }
      let url = try #require(URL(string: "http://localhost/todos"))
      _ = try await backend.respond(to: HTTP.Request(.get, url))
    }
    #expect(found.map(\.line) == [#line - 6, #line - 5])
    #expect(found.first?.text.contains("A stub was never used: GET /todos/{id}") == true)
    #expect(found.first?.text.contains("nearest request: GET /todos") == true)
    let others = try await issues {
      _ = StubBackend { Stub(.get, "/todos") { _ in HTTP.Response(status: 204) } }
    }
    #expect(others.isEmpty)
  }

  @Test(
    arguments: [
      ("/todos/{id}", "/todos/today", true), ("/todos", "/todos", true), ("/*", "/todos/{id}", true),
      ("/todos/*", "/todos", true), ("/todos/today", "/todos/{id}", false), ("/todos", "/todos/*", false),
      ("/todos/{id}", "/todos/{id}/notes", false), ("/{list}/1", "/todos/{id}", false),
      ("/todos/{id}", "/todos/", false),
    ])
  func aStubBehindOneThatAnswersItsRequestsIsAnIssue(_ first: String, _ second: String, _ isHidden: Bool)
    async throws
  {
    let found = try await issues {
      _ = StubBackend {
        Stub(.get, first) { _ in HTTP.Response(status: 200) }
        Stub(.get, second) { _ in HTTP.Response(status: 404) }
        // Neither is hidden: of another method, and behind one with a condition.
        Stub(.put, second) { _ in HTTP.Response(status: 404) }
        Stub(.post, first, query: ["a": "b"]) { _ in HTTP.Response(status: 404) }
        Stub(.post, second) { _ in HTTP.Response(status: 404) }
      }
    }
    #expect(found.map(\.line) == (isHidden ? [#line - 7] : []), "\(found)")
    if isHidden {
      #expect(
        found[0].text.hasPrefix("The stub GET \(second) can never answer, because GET \(first) before it"))
    }
  }

  // MARK: - What can never match

  @Test(
    arguments: [
      ("door.open", "Write the base name of the method alone: open."),
      ("open(_:)", "Write the base name of the method alone: open."),
      (" open", "Write the base name of the method alone: open."),
      ("door.*", "or .any for all"), ("", "Write the base name of the method, such as add."),
      ("GET /doors", #".get("/todos/{id}")"#),
    ])
  func anOperationThatIsNoNameIsRefusedWhereItIsUsed(_ name: String, _ remedy: String) async throws {
    let operation = Intercepted<Door>.Operation(name)
    let found = try await issues {
      _ = Rule.on(operation, .conflict)
      _ = Gate<Door>(operation, isOptional: true)
      _ = Intercepted(Door(), by: .log(CallLog(expecting: .never(operation))))
    }
    #expect(found.map(\.line) == [#line - 4, #line - 3, #line - 2])
    #expect(found.allSatisfy { $0.text.contains(remedy) }, "\(found)")
  }

  @Test(
    arguments: [
      ("/todos?done=1", "write \"/todos\""), ("https://a.example/todos", "\"/todos\""),
      ("todos", "write \"/todos\""), ("/todos/:id", "write {id}"), ("/todos/*/done", "write {name}"),
    ])
  func aPathThatCanNeverMatchIsRefusedOnceWhereItIsWritten(_ path: String, _ remedy: String) async throws {
    let found = try await issues {
      let operation = Intercepted<InProcessTransport<StubBackend>>.Operation.get(path)
      let backend = StubBackend { Stub(.get, path, answers: HTTP.Response(status: 204)) }
      let log = CallLog<InProcessTransport<StubBackend>>()
      let transport = Intercepted(
        InProcessTransport(to: backend), by: .faults(.on(operation, .offline).optional), .log(log))
      let url = try #require(URL(string: "http://localhost/other"))
      #expect(try await transport.send(HTTP.Request(.get, url)).status == 404)
      #expect(log.count(of: operation) == 0)
    }
    #expect(found.map(\.line) == [#line - 9, #line - 8])
    #expect(found.allSatisfy { $0.text.hasPrefix("Invalid path pattern \"\(path)\": ") }, "\(found)")
    #expect(found.allSatisfy { $0.text.contains(remedy) }, "\(found)")
  }

  /// Catches a slash that makes all requests miss.
  @Test func onlyTheFirstSlashMayBeMissing() async throws {
    let found = try await issues {
      let backend = StubBackend { Stub(.get, "todos/{id}", answers: HTTP.Response(status: 204)) }
      let url = try #require(URL(string: "http://localhost/todos/7"))
      #expect(try await backend.respond(to: HTTP.Request(.get, url)).status == 204)
    }
    #expect(found.count == 1)
  }

  @Test func aMethodInSmallLettersIsRefusedWhereItIsWritten() async throws {
    let small = HTTP.Method(rawValue: "get")
    let found = try await issues {
      _ = Intercepted<InProcessTransport<StubBackend>>.Operation.request(small, "/todos")
      _ = StubBackend { Stub(small, "/todos", answers: HTTP.Response(status: 204)) }
      _ = Intercepted<StubBackend>.Operation.request(HTTP.Method(rawValue: ""), "/todos")
      // Another method may have any letters.
      _ = Intercepted<StubBackend>.Operation.request(HTTP.Method(rawValue: "purge"), "/todos")
    }
    #expect(found.map(\.line) == [#line - 6, #line - 5, #line - 4])
    #expect(found.prefix(2).allSatisfy { $0.text.contains("methods are case-sensitive; write \"GET\"") })
    #expect(found.last?.text.contains("a method is one word") == true)
  }

  @Test func anOperationThatNoCallHasIsNotCounted() async throws {
    let log = CallLog<Door>()
    await Intercepted(Door(), by: .log(log)).open()
    let found = try await issues {
      #expect(log.count(of: .init("door.open")) == 0)
      _ = try log.arguments(of: .init("open()"), as: Void.self)
      #expect(log.count(of: .close) == 0)
    }
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.text.contains("Write the base name of the method alone: open.") })
  }

  @Test func aScheduleThatSelectsNoCallIsRefused() async throws {
    let found = try await issues {
      let rules: [Rule] = [
        .on(.open, call: 0, .conflict), .on(.open, every: 0, .conflict), .on(.open, calls: 0..<1, .conflict),
        .on(.open, calls: ...0, .conflict), .on(.open, probability: 0, .conflict),
        .on(.open, calls: 0...1, .conflict), .on(.open, calls: 3..., .conflict),
        .on(.open, calls: ..<2, .conflict),
      ]
      _ = rules
    }
    #expect(found.map(\.line) == [#line - 7, #line - 7, #line - 7, #line - 6, #line - 6])
    #expect(found.prefix(4).allSatisfy { $0.text.contains("Calls are numbered from 1.") })
  }

  // MARK: - Mistakes that compile

  /// Catches a stall that takes real time because no clock was injected.
  @Test func aStallOnTheSystemsClockFailsAtOnce() async throws {
    let found = try await issues {
      let door = Intercepted(Door(), by: .faults(.on(.rings, .stallStream(afterEvents: 1))))
      var rings: [Int] = []
      await #expect(throws: Jammed.self) { for try await ring in door.rings() { rings.append(ring) } }
      #expect(rings == [1])
    }
    #expect(found.count == 1)
    #expect(found.first?.text.contains("stall-stream:1 would wait for 30.0 seconds of real time") == true)
    #expect(found.first?.text.contains("TestClock(.immediate).time") == true)
  }
}

/// A stream that is intercepted as a call, which compiles.
extension TestIssueTests {
  @Test func aStreamThatIsInterceptedAsACallIsAnIssue() async throws {
    let found = try await issues {
      let door = Intercepted(Door(), by: .faults(.on(.rings, call: 1, .dropStream()), .on(.rings, .conflict)))
      await #expect(throws: Jammed.self) { try await door.existentialRings() }
      // A fault of the call is one in any case.
      await #expect(throws: Jammed.self) { try await door.existentialRings() }
    }
    #expect(found.count == 1)
    #expect(found.first?.text.contains("drop-stream:1 failed a call that returns a stream") == true)
    #expect(found.first?.text.contains("Use interceptStream") == true)
    let scenario = Scenario("ringing", "A visitor listens.") { run in
      _ = try? await run.intercepted(Door(), as: "door").existentialRings()
      run.expect("door.rings", true, "")
    }
    let swept = try await issues { try await scenario.sweep(pairLimit: 0) }
    #expect(swept.count == 1)
    #expect(swept.first?.text.contains("door.rings call=1 returns a stream") == true)
  }
}

/// A name that no call has, because it is misspelled, makes an expectation hold whatever is called.
extension TestIssueTests {
  private static let slip = "Did you mean search? Declare each operation once"

  /// Calls the operations of a service one after another.
  private static func call(_ operations: Intercepted<Door>.Operation..., loggingTo log: CallLog<Door>) async {
    let door = Intercepted(Door(), by: .log(log))
    for operation in operations { await door.call(operation) }
  }

  // Before Swift 6.3, a warning is printed, and not an issue.
  #if compiler(>=6.3)
    @Test func aMisspelledNameThatIsNeverCalledIsAWarning() async throws {
      let found = try await issues {
        await Self.call(
          .init("search"), loggingTo: CallLog(expecting: .never(.init("serch")), .othersAllowed))
        await Self.call(
          .init("search"), .init("search"),
          loggingTo: CallLog(expecting: .atMost(1, .init("saerch")), .othersAllowed))
      }
      #expect(found.map(\.isFailure) == [false, false])
      #expect(found.map(\.line) == [#line - 6, #line - 3])
      #expect(found.allSatisfy { $0.text.contains(Self.slip) }, "\(found)")
      #expect(
        found.last?.text.hasPrefix(
          """
          The expectation "saerch at most once" is met, because no call of saerch was made, and search was called 2 times.
          """) == true, "\(found)")
    }

    @Test func aMisspelledNameIsAWarningOfAVerificationOnce() async throws {
      let found = try await issues {
        let log = CallLog<Door>(expecting: .never(.init("serch")), .othersAllowed)
        await Self.call(.init("search"), loggingTo: log)
        try log.verify()
        try log.verify()
      }
      #expect(found.map(\.isFailure) == [false])
      #expect(found.first?.text.contains(Self.slip) == true, "\(found)")
    }

    @Test func theCountOfAMisspelledNameIsAWarning() async throws {
      let found = try await issues {
        let log = CallLog<Door>()
        #expect(log.count(of: .init("serch")) == 0)
        await Self.call(.init("search"), loggingTo: log)
        for _ in 1...2 { #expect(log.count(of: .init("serch")) == 0) }
      }
      #expect(found.map(\.isFailure) == [false])
      #expect(
        found.first?.text.hasPrefix("No call of serch was made, and search was called 1 time. \(Self.slip)")
          == true,
        "\(found)")
    }

    /// A sweep makes the same mistake in each run.
    @Test func aMisspelledNameInAScenarioIsOneWarning() async throws {
      let found = try await issues {
        try await Scenario("opening", "A visitor opens the door.") { run in
          let log = CallLog<Door>()
          await Self.call(.init("search"), loggingTo: log)
          await run.intercepted(Door(), as: "door").open()
          run.expect("no.search", log.count(of: .init("saerch")) == 0, "")
        }.sweep(pairLimit: 0)
      }
      #expect(found.map(\.isFailure) == [false], "\(found)")
    }
  #endif

  /// Catches a warning about an operation that is rightly never called beside one with a similar name.
  @Test func anotherOperationWithASimilarNameIsNotReported() async throws {
    let found = try await issues {
      for (called, other) in [
        ("items", "item"), ("loads", "load"), ("remove", "removeAll"), ("removed", "remove"),
        ("unlock", "lock"),
        ("listItems", "lastItems"), ("delete", "select"), ("signIn", "signUp"), ("loadChart", "loadChat"),
      ] {
        for (called, other) in [(called, other), (other, called)] {
          let log = CallLog<Door>(expecting: .never(.init(other)), .atMost(0, .init(other)), .othersAllowed)
          await Self.call(.init(called), loggingTo: log)
          #expect(log.count(of: .init(other)) == 0)
        }
      }
      // Both names are expected, so both are right.
      await Self.call(
        .init("dinner"),
        loggingTo: CallLog(expecting: .never(.init("diner")), .exactly(1, .init("dinner"))))
    }
    #expect(found.isEmpty, "\(found)")
  }

  @Test func anUnmetExpectationNamesTheOperationThatItMayMean() async throws {
    for expectation: CallLog<Door>.Expectation in [
      .exactly(1, .init("serch")), .inOrder(.init("search"), .init("serch")),
    ] {
      let log = CallLog<Door>(expecting: expectation, .othersAllowed)
      await Self.call(.init("search"), .init("close"), loggingTo: log)
      #expect(log.failure?.contains("; did you mean search?") == true, "\(log.failure ?? "")")
    }
    let log = CallLog<Door>(expecting: .exactly(1, .close), .othersAllowed)
    await Self.call(.init("search"), loggingTo: log)
    #expect(log.failure?.contains("did you mean") == false)
  }
}

/// A service with a call of each kind.
struct Door: Sendable {}

struct Jammed: Error {}

extension Intercepted.Operation where Base == Door {
  static var open: Self { Self("open") }
  static var opem: Self { Self("opem") }
  static var close: Self { Self("close") }
  static var look: Self { Self("look") }
  static var rings: Self { Self("rings") }
  static var count: Self { Self("count") }
}

extension Intercepted where Base == Door {
  func open() async {
    try? await intercept(.open, failure: { _ in Jammed() }) { _ throws(Jammed) in }
  }

  func call(_ operation: Operation) async { await intercept(operation) { _ in } }

  func look() { forward(.look) { _ in } }

  func count() async -> Int { await intercept(.count) { _ in 1 } }

  func existentialRings() async throws -> any AsyncSequence & Sendable {
    try await intercept(.rings, failure: { _ in Jammed() }) { _ throws in
      AsyncStream<Int> { $0.finish() } as any AsyncSequence & Sendable
    }
  }

  func rings() -> AsyncThrowingStream<Int, any Error> {
    interceptStream(.rings, streamFailure: { _ in Jammed() }) { _ in
      AsyncThrowingStream { continuation in
        for ring in 1...3 { continuation.yield(ring) }
        continuation.finish()
      }
    }
  }
}
