import Observation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy

/// The methods by which a scenario waits for other tasks.
@Suite(.stallLimit()) struct ScenarioWaitTests {
  /// Work with many hops to other executors.
  private static func takeLong() async {
    for _ in 1...100 { await Task.detached {}.value }
  }

  /// A ticker whose ticks the test sends.
  private struct SentTicks: TickerService {
    let source = AsyncThrowingStream<String, any Error>.makeStream()

    func ticks(upTo count: Int) async throws(TodoError) -> AsyncThrowingStream<String, any Error> {
      source.stream
    }
  }

  @MainActor @Observable final class Shown {
    var ticks: [String] = []
    var hasFailed = false
  }

  /// A scenario whose outcome must be without violations each time.
  private static func expectNoViolations(
    of scenario: Scenario, under schedule: FaultSchedule = [], runs: Int
  ) async throws {
    for _ in 1...runs {
      let outcome = try await scenario.outcome(under: schedule)
      #expect(outcome.violations == [])
    }
  }

  private static let following = Scenario("following", "A user follows ticks on a slow screen.") { run in
    let ticker = SentTicks()
    let service = run.intercepted(ticker, as: "ticker")
    let shown = Shown()
    let screen = Task { @MainActor in
      do {
        for try await tick in try await service.ticks(upTo: 3) {
          await takeLong()
          shown.ticks.append(tick)
        }
      } catch {
        await takeLong()
        shown.hasFailed = true
      }
    }
    for number in 1...3 { ticker.source.continuation.yield("\(number)") }
    await run.waitForReader { shown.hasFailed }
    run.expect(
      "all.shown", shown.hasFailed || shown.ticks.count == 3, "only \(shown.ticks) were shown in time")
    screen.cancel()
    await screen.value
  }

  /// Catches a wait that ends while a reader handles an event or a failure, and one that waits for an ended reader.
  @Test(arguments: [[], [.at("ticker.ticks", call: 1, .dropStream(afterEvents: 2))]] as [FaultSchedule])
  func aReaderIsAwaitedUntilItHasNoEventsLeft(_ schedule: FaultSchedule) async throws {
    try await Self.expectNoViolations(of: Self.following, under: schedule, runs: 20)
  }

  private static let resting = Scenario("resting", "Ticks are sent to a reader that waits already.") { run in
    let ticker = SentTicks()
    let service = run.intercepted(ticker, as: "ticker")
    let shown = Shown()
    let screen = Task { @MainActor in
      for try await tick in try await service.ticks(upTo: 3) { shown.ticks.append(tick) }
    }
    for number in 1...3 {
      await run.waitForReader { false }
      run.expect("all.shown", shown.ticks.count == number - 1, "\(shown.ticks) were shown before \(number)")
      ticker.source.continuation.yield("\(number)")
    }
    await run.waitForReader { false }
    run.expect("all.shown", shown.ticks.count == 3, "only \(shown.ticks) were shown in time")
    screen.cancel()
    _ = await screen.result
  }

  /// Catches a wait that checks only the readers, and ends although a sent event is pending.
  @Test func aReaderWithAPendingEventIsNotWaiting() async throws {
    try await Self.expectNoViolations(of: Self.resting, runs: 200)
  }

  private static let beginning = Scenario("beginning", "Something begins a task that begins another.") {
    run in
    let shown = Shown()
    await run.awaitingTasks {
      Task {
        await takeLong()
        Task {
          await takeLong()
          shown.ticks.append("last")
        }
      }
    }
    run.expect("all.shown", shown.ticks == ["last"], "a task had not ended")
  }

  /// Catches a wait that ignores the tasks that are started last.
  @Test func tasksAreAwaitedWithTheTasksThatTheyStart() async throws {
    try await Self.expectNoViolations(of: Self.beginning, runs: 20)
  }

  // MARK: - Tasks that code under test starts

  /// Work of a service that belongs to no actor.
  private struct Work: Sendable {
    let isOnMainQueue = Locked<[Bool]>([])

    @concurrent func run() async { isOnMainQueue.withLock { $0.append(MainQueue.isCurrent) } }
  }

  /// Three tasks of a screen that call a service again and again.
  private static func takeTurns(noting order: Locked<[Int]>, _ work: Work) -> Scenario {
    Scenario("turns", "A screen starts tasks.") { run in
      let tasks = (1...3).map { number in
        Task {
          for _ in 1...5 {
            await work.run()
            order.withLock { $0.append(number) }
          }
        }
      }
      for task in tasks { await task.value }
    }
  }

  /// Catches tasks of a run that take turns as the threads of the machine happen to.
  @Test func tasksTakeTurnsOnTheMainQueueInAProcessThatOnlySweeps() async {
    await #expect(processExitsWith: .success) {
      GlobalExecutor.returnJobs()
      var orders: Set<[Int]> = []
      for _ in 1...100 {
        let (order, work) = (Locked<[Int]>([]), Work())
        let violations = try await Self.takeTurns(noting: order, work).outcome().violations
        #expect(violations == [])
        #expect(Set(work.isOnMainQueue.withLock(\.self)) == [true])
        orders.insert(order.withLock(\.self))
      }
      #expect(orders.count == 1)
      let outside = Work()
      await Task { @MainActor in await outside.run() }.value
      #expect(outside.isOnMainQueue.withLock(\.self) == [false])
    }
  }

  /// Catches a run that takes the tasks of other tests along.
  @Test func tasksKeepTheirThreadsBesideOtherTests() async throws {
    let work = Work()
    #expect(try await Self.takeTurns(noting: Locked([]), work).outcome().violations == [])
    #expect(Set(work.isOnMainQueue.withLock(\.self)) == [false])
  }

  // MARK: - Waiting for a condition

  private static let calling = Scenario("calling", "A condition depends on what a call does at its base.") {
    run in
    let base = InMemoryTodos()
    let todos = run.intercepted(base, as: "todos")
    let screen = Task { for number in 1...3 { _ = try? await todos.add("\(number)", priority: 1) } }
    await run.wait { base.cached().count == 3 }
    run.expect("all.added", base.cached().count == 3, "there is \(base.cached())")
    await screen.value
  }

  /// Only the calls trigger an evaluation.
  @Test func aConditionIsEvaluatedAfterEachCall() async throws {
    try await Self.expectNoViolations(of: Self.calling, runs: 200)
  }

  private static let observing = Scenario("observing", "A condition depends on what a model shows.") { run in
    let shown = Shown()
    let screen = Task { @MainActor in
      for number in 1...3 {
        await takeLong()
        shown.ticks.append("\(number)")
      }
    }
    await run.wait { shown.ticks.count == 3 }
    run.expect("all.shown", shown.ticks.count == 3, "only \(shown.ticks) were shown")
    await screen.value
  }

  /// The run makes no call, so only Observation triggers an evaluation.
  @Test func aConditionIsEvaluatedAfterEachObservedChange() async throws {
    try await Self.expectNoViolations(of: Self.observing, runs: 20)
  }

  /// Catches a wait that polls.
  @Test func aConditionIsNotEvaluatedWhileNothingChanges() async throws {
    let evaluations = Locked(0)
    let scenario = Scenario("idle", "A screen works long on its own before it shows something.") { run in
      let shown = Shown()
      let screen = Task { @MainActor in
        for _ in 1...20 { await Self.takeLong() }
        shown.hasFailed = true
      }
      await run.wait {
        evaluations.withLock { $0 += 1 }
        return shown.hasFailed
      }
      await screen.value
    }
    #expect(try await scenario.outcome().violations == [])
    #expect(evaluations.withLock { $0 } == 2)
  }

  /// Catches a wait with a limit of its own that is longer than that of the run, which says less about it.
  @Test func aWaitIsReportedBeforeTheRun() async throws {
    let (monitor, waiting) = (StallMonitor(), Signal<Void>())
    let scenario = Scenario("gated", "It waits for a call that is not made.") { run in
      let gate = Gate<InMemoryTodos>()
      waiting.send(())
      _ = try await gate.next()
    }
    let run = StallMonitor.$current.withValue(monitor) { Task { try await scenario.outcome() } }
    try await waiting.value()
    await MainTaskExecutor.runReadyJobs()
    monitor.takeIdle(for: StallMonitor.idleLimit - StallMonitor.interval)
    let violations = try await run.value.violations
    #expect(violations.map(\.invariant) == [Scenario.throwing])
    #expect(violations.first?.message.hasPrefix("Stalled while waiting for a call") == true, "\(violations)")
  }

  /// Catches a condition that is never met and that retains an abandoned run.
  @Test func aWaitEndsWhenTheRunIsAbandoned() async throws {
    let monitor = StallMonitor()
    let (waiting, ended) = (Signal<Void>(), Signal<Bool>())
    let scenario = Scenario("waiting", "It waits for what never comes.") { run in
      let isMet = await run.wait {
        waiting.send(())
        return false
      }
      ended.send(isMet)
    }
    let run = StallMonitor.$current.withValue(monitor) { Task { try await scenario.outcome() } }
    try await waiting.value()
    // The job that has arrived counts as progress until it suspends.
    await MainTaskExecutor.runReadyJobs()
    monitor.takeIdle(for: .seconds(60))
    let violations = try await run.value.violations.map(\.description)
    #expect(violations.count == 1)
    #expect(
      violations.first?.hasPrefix(
        "\(Scenario.stuck): The scenario did not end: no task was running and nothing made progress for \(StallMonitor.idleLimit) ("
      ) == true)
    #expect(try await ended.value() == false)
  }
}
