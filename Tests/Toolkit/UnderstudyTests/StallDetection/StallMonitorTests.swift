import TestSupport
import Testing
import UnderstudyTesting

@testable import Understudy

/// The tests feed measurements to a monitor of their own, so no test waits for real time.
@Suite(.stallLimit()) struct StallMonitorTests {
  let monitor = StallMonitor()

  /// Reports of a watch.
  private func watch(
    for limit: Duration = .seconds(1), isCharged: Bool = true, progress: @escaping @Sendable () -> Int = { 0 }
  ) -> (StallMonitor.Watch, Locked<[Stall]>) {
    let stalls = Locked<[Stall]>([])
    let watch = monitor.watch(for: limit, isCharged: isCharged, progress: progress) { stall in
      stalls.withLock { $0.append(stall) }
    }
    return (watch, stalls)
  }

  /// Catches a limit that begins with the process, and one that is reported more than once.
  @Test func anIdleProcessStallsAtTheLimit() {
    monitor.takeIdle(for: .seconds(5))
    let (_, stalls) = watch()
    monitor.takeIdle(for: .milliseconds(900))
    #expect(stalls.withLock(\.self) == [])
    monitor.takeIdle(for: .seconds(5))
    #expect(stalls.withLock(\.self) == [.idle(.seconds(1))])
  }

  /// Catches a limit on the wall clock: on a busy machine, measurements take long and the process computes.
  @Test func aBusyProcessDoesNotCountAsIdle() {
    let (_, stalls) = watch(isCharged: false)
    for _ in 0..<1_000 { monitor.take(.busy) }
    #expect(stalls.withLock(\.self) == [])
  }

  @Test func progressStartsTheLimitAgain() {
    let calls = Locked(0)
    let (_, stalls) = watch(progress: { calls.withLock(\.self) })
    for _ in 0..<10 {
      monitor.takeIdle(for: .milliseconds(900))
      calls.withLock { $0 += 1 }
    }
    #expect(stalls.withLock(\.self) == [])
    monitor.takeIdle(for: .seconds(1) + StallMonitor.interval)
    #expect(stalls.withLock(\.self) == [.idle(.seconds(1))])
  }

  /// Catches an endless loop that makes calls: it makes progress for ever.
  @Test func aShareOfProcessorTimeIsLimited() {
    let calls = Locked(0)
    let (_, first) = watch(progress: {
      calls.withLock {
        $0 += 1; return $0
      }
    })
    let (other, second) = watch(for: .seconds(60))
    for _ in 0..<19 { monitor.take(.busy) }
    #expect(first.withLock(\.self) == [])
    monitor.take(.busy)
    #expect(first.withLock(\.self) == [.processorTime(.seconds(1))])
    #expect(second.withLock(\.self) == [])
    other.end()
  }

  /// Catches a run of a scenario that is stuck because other tests compute.
  @Test func aShorterLimitOfIdleTimeLeavesThatOfProcessorTime() {
    let stalls = Locked<[Stall]>([])
    let watch = { [monitor] in
      monitor.watch(for: .seconds(2), idle: .seconds(1), isCharged: true) { stall in
        stalls.withLock { $0.append(stall) }
      }
    }
    let busy = watch()
    for _ in 0..<19 { monitor.take(.busy) }
    #expect(stalls.withLock(\.self) == [])
    monitor.take(.busy)
    #expect(stalls.withLock(\.self) == [.processorTime(.seconds(2))])
    busy.end()
    let idle = watch()
    monitor.takeIdle(for: .seconds(1))
    #expect(stalls.withLock(\.self).last == .idle(.seconds(1)))
    idle.end()
  }

  /// Catches a charge for time in which thousands of tests wait for two threads.
  @Test func timeWithoutAFreeThreadIsNotCharged() {
    let (_, stalls) = watch()
    for _ in 0..<1_000 {
      monitor.take(
        ProcessMeter.Measurement(elapsed: .seconds(1), processorTime: .seconds(2), startsTasks: false))
    }
    #expect(stalls.withLock(\.self) == [])
  }

  /// Catches a wait that is given up because a test blocks the main queue, or because the process was idle now and then.
  @Test func anUninterruptedLimitBeginsAgain() {
    let stalls = Locked<[Stall]>([])
    let watch = monitor.watch(for: .seconds(1), isCharged: false, isUninterrupted: true) { stall in
      stalls.withLock { $0.append(stall) }
    }
    let blocked = ProcessMeter.Measurement(
      elapsed: StallMonitor.interval, processorTime: .zero, startsTasks: true, runsJobs: false)
    for interruption in [.busy, blocked] {
      for _ in 0..<100 {
        monitor.takeIdle(for: .milliseconds(900))
        monitor.take(interruption)
      }
      for _ in 0..<100 { monitor.take(interruption) }
    }
    #expect(stalls.withLock(\.self) == [])
    monitor.takeIdle(for: .seconds(1))
    #expect(stalls.withLock(\.self) == [.idle(.seconds(1))])
    watch.end()
  }

  /// Catches a process that counts as idle because a busy machine gives it no processor.
  @Test func aProcessThatWaitsForAProcessorIsNotIdle() {
    let (_, stalls) = watch()
    for _ in 0..<1_000 {
      monitor.take(
        ProcessMeter.Measurement(
          elapsed: .seconds(1), processorTime: .zero, startsTasks: false, hasReadyThread: true))
    }
    #expect(stalls.withLock(\.self) == [])
  }

  #if os(Linux) || (canImport(Darwin) && !os(watchOS))
    /// Catches a state that is read from the wrong field.
    @Test func aThreadThatComputesIsReady() async {
      let isOver = Locked(false)
      let computing = Task.detached { while !isOver.withLock(\.self) {} }
      while !ProcessThreads.isOneReady { await Task.yield() }
      isOver.withLock { $0 = true }
      await computing.value
    }
  #endif

  /// Catches a limit of a test that is used up by the many trials inside it.
  @Test func anInnerOperationIsChargedInPlaceOfTheOuterOne() {
    let (outer, stalls) = watch()
    for _ in 0..<20 {
      let inner = StallMonitor.$enclosing.withValue(outer) { watch().0 }
      for _ in 0..<9 { monitor.take(.busy) }
      inner.end()
    }
    #expect(stalls.withLock(\.self) == [])
    for _ in 0..<10 { monitor.take(.busy) }
    #expect(stalls.withLock(\.self) == [.processorTime(.seconds(1))])
  }

  @Test func anEndedWatchIsNotReported() {
    let (watch, stalls) = watch()
    watch.end()
    monitor.takeIdle(for: .seconds(5))
    #expect(stalls.withLock(\.self) == [])
  }

  @Test func theLimitComesFromTheEnvironment() {
    #expect(StallMonitor.limit(in: ["UNDERSTUDY_STALL": "2"]) == .seconds(2))
    for invalid in ["", "0", "-1", "x"] {
      #expect(StallMonitor.limit(in: ["UNDERSTUDY_STALL": invalid]) == nil)
    }
  }

  /// Catches a measurement that counts neither processor time nor tasks.
  ///
  /// It needs a real thread, and no particular time.
  @Test func theProcessIsMeasured() async {
    var meter = ProcessMeter()
    _ = meter.measure()
    var sum = 0
    var isStarted = false
    var used: Duration = .zero
    while !isStarted || used < .milliseconds(1) {
      for number in 0..<10_000 { sum &+= number }
      await Task.detached {}.value
      let measurement = meter.measure()
      used += measurement.processorTime
      isStarted = isStarted || measurement.startsTasks
    }
    #expect(sum != 0)
  }
}

@Suite(.stallLimit()) struct StallLimitTests {
  let monitor = StallMonitor()

  /// Runs an operation that waits for ever, and lets the process stall once `isWaiting` is sent.
  private func stalled<Value: Sendable>(
    _ isWaiting: Signal<Void>, for limit: Duration = .seconds(60),
    _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = StallMonitor.$current.withValue(monitor) { Task(operation: operation) }
    try await isWaiting.value()
    monitor.takeIdle(for: limit + StallMonitor.interval)
    return try await task.value
  }

  @Test func aTrialThatNeverEndsIsReportedWithItsCalls() async throws {
    let isWaiting = Signal<Void>()
    let implementation = Implementation<Intercepted<InMemoryTodos>>("held") { trial in
      let todos = trial.intercept(InMemoryTodos())
      trial.holdCalls(of: todos)
      return todos
    }
    let contract = Contract("todos") {
      Clause<Intercepted<InMemoryTodos>>("todos.held", "It holds.") { trial in
        let held = try await trial.given(.callsAreHeld)
        async let title = trial.subject.add("Milk", priority: 1)
        await held.wait(forCalls: 1)
        isWaiting.send(())
        trial.expect(try await title == "Milk", "reached")
      }
    }
    let outcome = try await stalled(isWaiting) { [check = contract.checks(of: implementation)[0]] in
      await check.outcome()
    }
    #expect(
      outcome.messages == [
        """
        The clause did not end: no task was running and nothing made progress for 30.0 seconds.
        The trial waits: add("Milk", 1) has not returned. If it needs longer, raise UNDERSTUDY_STALL, in seconds.
        """
      ])
  }

  /// Catches a replay whose explanation is lost because the clause does not end, or cannot begin.
  @Test(arguments: ["stalls", "is cancelled", "is not set up"])
  func anExplanationIsFirstHoweverACheckEnds(_ end: String) async throws {
    let isWaiting = Signal<Void>()
    let hasEnded = Locked(false)
    let implementation = Implementation<Int>("replayed") { given in
      // A replay runs in another environment than the given one.
      TrialEnvironment(contract: given.contract, clause: given.clause, seed: given.seed)
    } make: { trial in
      trial.explainFailures { ["No recorded response matches."] }
      trial.atEnd { hasEnded.withLock { $0 = true } }
      if end == "is not set up" { throw TodoError.offline }
      return 1
    }
    let check = Contract("replayed") {
      Clause<Int>("replayed.it", "It ends.") { _ in
        isWaiting.send(())
        _ = try await Signal<Void>().value()
      }
    }.checks(of: implementation)[0]
    let outcome: Outcome
    switch end {
    case "stalls": outcome = try await stalled(isWaiting) { await check.outcome() }
    case "is cancelled":
      let task = Task { await check.outcome() }
      try await isWaiting.value()
      task.cancel()
      outcome = await task.value
    default:
      outcome = await check.outcome()
      #expect(hasEnded.withLock { $0 })
    }
    #expect(outcome.messages.count == 2, "\(outcome.messages)")
    #expect(outcome.messages.first == "No recorded response matches.")
    #expect(
      outcome.messages.last?.contains(
        end == "stalls" ? "did not end" : end == "is cancelled" ? "was cancelled" : "could not be set up")
        == true)
  }

  @Test func aCallOfAnExplorationThatNeverEndsIsNamed() async throws {
    let tally = Tally(.hangs)
    let program = ExplorationProgram<TallyCommand>(before: [.number, .receive])
    let error = await #expect(throws: ExplorationError.self) {
      _ = try await stalled(tally.isHanging) {
        try await Exploration.tally.run(ProgramFeed(program), on: Implementation("hangs") { _ in tally })
      }
    }
    #expect(error?.description.hasSuffix("never ended: .number, .receive") == true)
  }

  @Test func aCancelledTaskEndsTheOperation() async throws {
    let (isWaiting, ends) = (Signal<Void>(), Locked<CheckedContinuation<Void, Never>?>(nil))
    let task = Task {
      await withStallLimit(.seconds(60), stalled: { _ in "stalled" }, cancelled: { "cancelled" }) {
        // Ignores its cancellation.
        await withCheckedContinuation { continuation in
          ends.withLock { $0 = continuation }
          isWaiting.send(())
        }
        return "ended"
      }
    }
    try await isWaiting.value()
    task.cancel()
    #expect(await task.value == "cancelled")
    ends.withLock { $0?.resume() }
  }

  // MARK: - Waits

  @Test func aWaitForACallAtAGateEndsWithWhatTheGateHolds() async throws {
    let gate = Gate<InMemoryTodos>()
    let todos = Intercepted(InMemoryTodos(), by: .gate(gate))
    let held = Task { try await todos.add("Milk", priority: 1) }
    _ = try await gate.next(.add)
    let message = await message(of: .seconds(20)) { _ = try await gate.next(.add) }
    #expect(
      message == """
        Stalled while waiting for a call of add at a gate: no task was running and nothing made progress for 20.0 \
        seconds. Found: the gate holds add("Milk", 1). Check that the code under test gets that far, and that what it \
        waits for happens, such as an answer to a held call or an advance of a test clock.
        """)
    gate.open()
    _ = try await held.value
  }

  @Test func aWaitForALogEndsWithTheCallsThatWereMade() async throws {
    let log = CallLog<InMemoryTodos>()
    let todos = Intercepted(InMemoryTodos(), by: .log(log))
    _ = try await todos.add("Milk", priority: 1)
    let message = await message(of: .seconds(20)) { try await log.wait(for: .add, calls: 2) }
    #expect(message.hasPrefix("Stalled while waiting for 2 calls of add: "))
    #expect(message.contains("Found: 1; all calls: add(\"Milk\", 1). "))
  }

  @Test func aWaitForSleepersEndsWithTheirNumber() async throws {
    let clock = TestClock()
    let message = await message(of: .seconds(20)) { try await clock.wait(forSleepers: 2) }
    #expect(message.hasPrefix("Stalled while waiting for 2 sleepers on a test clock: "))
    #expect(message.contains("Found: 0. "))
  }

  @MainActor @Test func aWaitForAStateEndsWithTheStateThatIsShown() async throws {
    var record: (@MainActor (Int) -> Void)?
    let timeline = StateTimeline(of: self, startingWith: 1) { _, write in record = write }
    record?(2)
    let message = await message(of: .seconds(20)) { try await timeline.wait(for: 3) }
    #expect(message.hasPrefix("Stalled while waiting for the state 3: "))
    #expect(message.contains("Found: the last state shown is 2. "))
  }

  /// The message of a wait that stalls.
  nonisolated(nonsending) private func message(
    of limit: Duration, _ wait: @escaping @Sendable () async throws -> Void
  ) async -> String {
    let task = StallMonitor.$current.withValue(monitor) { Task(operation: wait) }
    await monitor.isWatching()
    monitor.takeIdle(for: limit)
    do {
      try await task.value
      return "no error"
    } catch {
      #expect((error as? UnderstudyError)?.code == .stalled)
      return "\(error)"
    }
  }
}

@MainActor @Suite(.stallLimit()) struct AdmissionTests {
  @Test(arguments: [1, 3]) func atMostTheWidthRunAtOnceInTheOrderInWhichTheyAsk(_ width: Int) async throws {
    let admission = Admission(width: width)
    let order = Locked<[Int]>([])
    let running = Locked((now: 0, most: 0))
    let tasks = (0..<20).map { number in
      // On the main actor, tasks ask in the order in which they are made.
      Task { @MainActor in
        try await admission.run {
          order.withLock { $0.append(number) }
          running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
          await Task.yield()
          running.withLock { $0.now -= 1 }
        }
      }
    }
    for task in tasks { try await task.value }
    // Two that are admitted at the same time may start in either order.
    let started = order.withLock(\.self)
    #expect((width == 1 ? started : started.sorted()) == Array(0..<20))
    #expect(running.withLock(\.most) == width)
  }

  @Test func aSeedGivesARandomOrder() async throws {
    func order(_ seed: Int) async throws -> [Int] {
      let admission = Admission(width: 1, order: seed)
      let (order, end) = (Locked<[Int]>([]), Signal<Void>())
      let first = Task { @MainActor in try await admission.run { try await end.value() } }
      let tasks = (0..<20).map { number in
        Task { @MainActor in try await admission.run { order.withLock { $0.append(number) } } }
      }
      // Runs when all of them have asked.
      _ = await Task { @MainActor in end.send(()) }.value
      try await first.value
      for task in tasks { try await task.value }
      return order.withLock(\.self)
    }
    let orders = [try await order(1), try await order(1), try await order(2)]
    #expect(orders.allSatisfy { $0.sorted() == Array(0..<20) && $0 != Array(0..<20) })
    #expect(orders[0] == orders[1] && orders[1] != orders[2])
  }

  /// Catches a deadlock: the inner operation would wait for the outer one, which waits for it.
  @Test func whatIsInsideAnAdmittedOperationIsAdmitted() async throws {
    let admission = Admission(width: 1)
    let value = try await admission.run { try await admission.run { await Task { 7 }.value } }
    #expect(value == 7)
  }

  /// Catches a place that a cancelled wait takes with it.
  @Test func aCancelledWaitGivesItsPlaceUp() async throws {
    let admission = Admission(width: 1)
    let end = Signal<Void>()
    let first = Task { @MainActor in try await admission.run { try await end.value() } }
    let cancelled = Task { @MainActor in try await admission.run {} }
    let last = Task { @MainActor in try await admission.run { 3 } }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    end.send(())
    try await first.value
    #expect(try await last.value == 3)
  }

  /// Catches a cancelled wait that gives up a place which it never had.
  @Test func aCancelledWaitDoesNotGiveThePlaceOfAnotherUp() async throws {
    let admission = Admission(width: 1)
    let (end, hasRun) = (Signal<Void>(), Locked(false))
    let first = Task { @MainActor in try await admission.run { try await end.value() } }
    let cancelled = Task { @MainActor in try await admission.run {} }
    // Runs when both have asked.
    await Task { @MainActor in }.value
    cancelled.cancel()
    // Before the cancelled task continues.
    admission.admitOneMore()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let last = Task { @MainActor in try await admission.run { hasRun.withLock { $0 = true } } }
    await Task { @MainActor in }.value
    #expect(hasRun.withLock { !$0 })
    end.send(())
    try await first.value
    try await last.value
  }

  /// Catches a deadlock of an admitted test that waits for a detached task, which asks for a place of its own.
  @Test func anIdleProcessAdmitsOneMore() async throws {
    let admission = Admission(width: 1)
    let hasAsked = Signal<Void>()
    let outer = Task { @MainActor in
      try await admission.run {
        let inner = Task.detached { @MainActor in
          defer { hasAsked.send(()) }
          return Task { @MainActor in try await admission.run { 7 } }
        }
        return try await inner.value.value
      }
    }
    try await hasAsked.value()
    await Task { @MainActor in }.value
    admission.admitOneMore()
    #expect(try await outer.value == 7)
  }

  @Test func theWidthComesFromTheEnvironment() {
    #expect(Admission.width(in: ["UNDERSTUDY_WIDTH": "3"]) == 3)
    for invalid in ["", "0", "-1", "x"] { #expect(Admission.width(in: ["UNDERSTUDY_WIDTH": invalid]) >= 4) }
  }
}

extension StallMonitor {
  /// Charges an idle process for a duration.
  func takeIdle(for duration: Duration) {
    for _ in 0..<Int(duration / Self.interval) {
      take(ProcessMeter.Measurement(elapsed: Self.interval, processorTime: .zero, startsTasks: true))
    }
  }

  /// Waits until an operation is watched.
  func isWatching() async {
    await withCheckedContinuation { continuation in whenWatching { continuation.resume() } }
  }
}

extension ProcessMeter.Measurement {
  /// A process that uses two cores for an interval.
  static let busy = Self(
    elapsed: StallMonitor.interval, processorTime: StallMonitor.interval * 2, startsTasks: true)
}
