import Observation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy

/// When the sleeps of a screen end in a run, and what a sweep tries before they do.
@Suite(.stallLimit()) struct TimerTests {
  // MARK: - Leaving before a timer fires

  /// A note that is saved a second after the latest change.
  @MainActor @Observable final class Note {
    private(set) var message: String?
    private var text = ""
    @ObservationIgnored private var saving: Task<Void, Never>?
    @ObservationIgnored private let service: any TodoService
    @ObservationIgnored private let clock: any Clock<Duration>
    @ObservationIgnored private let savesWhenLeft: Bool

    init(_ service: any TodoService, clock: any Clock<Duration>, savesWhenLeft: Bool) {
      self.service = service
      self.clock = clock
      self.savesWhenLeft = savesWhenLeft
    }

    func type(_ text: String) {
      self.text = text
      saving?.cancel()
      saving = Task {
        do { try await clock.sleep(for: .seconds(1)) } catch { return }
        await save()
      }
    }

    func leave() async {
      guard let saving else { return }
      saving.cancel()
      if savesWhenLeft { await save() }
    }

    private func save() async {
      saving = nil
      message = nil
      do throws(TodoError) { _ = try await service.add(text, priority: 1) } catch {
        if error != .cancelled { message = "\(error)" }
      }
    }
  }

  private static func writing(savesWhenLeft: Bool) -> Scenario {
    Scenario("writing", "A user writes a note.") { run in
      let store = InMemoryTodos()
      let note = Note(
        run.intercepted(store, as: "notes"), clock: run.time.clock, savesWhenLeft: savesWhenLeft)
      run.interruption("leave") { await note.leave() }
      let failures = await run.failures { await run.act { note.type("Milk") } }
      run.expect(
        "errors.shown", failures.match(isShown: note.message != nil),
        "the message is \(note.message ?? "missing") after \(failures)")
      run.expect(
        "nothing.lost", store.cached().contains("Milk") || !failures.isEmpty,
        "the store has \(store.cached())")
    }
  }

  @Test func aSweepFindsWhatIsLostByLeavingBeforeATimerFires() async throws {
    let report = try await Self.writing(savesWhenLeft: false).report()
    let violation = try #require(report.violations.first)
    #expect(violation.invariant == "nothing.lost")
    #expect(violation.schedule == [.interruption("leave", at: .request, of: "time.sleep", call: 1)])
    #expect(report.coverage.hasPrefix("1 call, 0 events, 1 timer, "))
  }

  /// Catches an interruption that time passes during, so that the timer fires in spite of it.
  @Test func aScreenThatSavesWhenItIsLeftIsRight() async throws {
    let report = try await Self.writing(savesWhenLeft: true).report()
    #expect(report.violations == [])
  }

  // MARK: - Calls and timers

  /// A screen that says after three seconds that loading takes long.
  @MainActor @Observable final class Patient {
    private(set) var titles: [String] = []
    private(set) var hasHinted = false
    @ObservationIgnored private let service: any TodoService
    @ObservationIgnored private let clock: any Clock<Duration>

    init(_ service: any TodoService, clock: any Clock<Duration>) {
      self.service = service
      self.clock = clock
    }

    func load() async {
      let hint = Task {
        try await clock.sleep(for: .seconds(3))
        hasHinted = true
      }
      defer { hint.cancel() }
      titles = (try? await service.titles()) ?? []
    }
  }

  private static let hinting = Scenario("hinting", "A user loads a list.") { run in
    let screen = Patient(run.intercepted(InMemoryTodos(), as: "todos"), clock: run.time.clock)
    await run.act { await screen.load() }
    run.expect("hint.hidden", !screen.hasHinted, "it says that loading takes long")
    run.expect(
      "calls", run.record.points.map(\.point.operation).contains("todos.titles"), "\(run.record.points)")
  }

  @Test func aCallEndsBeforeATimerFires() async throws {
    for _ in 1...20 { #expect(try await Self.hinting.outcome().violations == []) }
  }

  @Test func aTimerFiresDuringACallWhoseAnswerIsLate() async throws {
    let outcome = try await Self.hinting.outcome(under: [.late("todos.titles", call: 1)])
    #expect(outcome.violations.map(\.invariant) == ["hint.hidden"])
  }

  // MARK: - How long timers go on

  /// A screen that asks again and again in a task of its own.
  @MainActor @Observable final class Poller {
    private(set) var answers = 0
    @ObservationIgnored private let service: any TodoService
    @ObservationIgnored private let clock: any Clock<Duration>

    init(_ service: any TodoService, clock: any Clock<Duration>) {
      self.service = service
      self.clock = clock
    }

    func start(every interval: Duration) {
      Task {
        while true {
          _ = try? await service.titles()
          answers += 1
          // It ignores its cancellation, as many do.
          try? await clock.sleep(for: interval)
        }
      }
    }
  }

  @Test func pollingGoesOnForAMinuteAfterEachAction() async throws {
    let scenario = Scenario("polling", "A screen asks every five seconds.") { run in
      let screen = Poller(run.intercepted(InMemoryTodos(), as: "todos"), clock: run.time.clock)
      await run.act { screen.start(every: .seconds(5)) }
      run.expect("first.minute", screen.answers == 13, "\(screen.answers) answers")
      await run.act {}
      run.expect("second.minute", screen.answers == 25, "\(screen.answers) answers")
      await run.withoutFaults {}
      run.expect("no.action", screen.answers == 25, "\(screen.answers) answers")
      // The scenario waits for it, so the time advances.
      await run.wait { screen.answers == 100 }
    }
    #expect(try await scenario.outcome().violations == [])
  }

  /// Catches a limit that stops an action which itself sleeps.
  @Test func anActionThatSleepsForHoursEnds() async throws {
    let scenario = Scenario("sleeping", "An action sleeps.") { run in
      await run.act { for _ in 1...3 { try? await run.time.sleep(for: .seconds(3600)) } }
      let passed = run.record.sleepers.now
      run.expect("duration", passed == .seconds(3 * 3600), "\(passed)")
    }
    let outcome = try await scenario.outcome()
    #expect(outcome.violations == [])
    #expect(outcome.points.count == 3)
  }

  /// Catches a run that only the limit of processor time ends, and that does not say why.
  @Test func anActionThatSleepsWithoutAnEndIsNamed() async throws {
    let (monitor, record) = (StallMonitor(), Locked<RunRecord?>(nil))
    let line = #line + 4
    let scenario = Scenario("polling", "An action polls.") { run in
      record.withLock { $0 = run.record }
      run.expect("polling.begins", true, "")
      await run.act {
        while !Task.isCancelled { try? await run.time.sleep(for: .milliseconds(1)) }
      }
    }
    let idle = ProcessMeter.Measurement(elapsed: .seconds(1), processorTime: .zero, startsTasks: true)
    let outcome = try await StallMonitor.$current.withValue(monitor) {
      // The process is idle once the action sleeps for good.
      let measuring = Task.detached {
        while !Task.isCancelled {
          let hint = record.withLock { $0?.hint(for: .idle(.zero)) }
          if hint?.contains("has slept") == true { monitor.take(idle) }
          await Task.yield()
        }
      }
      defer { measuring.cancel() }
      return try await RunRecord.$timerLimit.withValue(100) { try await scenario.outcome() }
    }
    #expect(outcome.violations.map(\.invariant) == [Scenario.stuck])
    let message = try #require(outcome.violations.first?.message)
    #expect(
      message.contains(
        "A task of the action at UnderstudyTests/TimerTests.swift:\(line) has slept 100 times."), "\(message)"
    )
  }

  /// A screen that tries five times, with longer and longer pauses, in a task of its own.
  @Test func attemptsWithPausesAreAwaited() async throws {
    let scenario = Scenario("retrying", "A screen tries five times.") { run in
      let service = run.intercepted(InMemoryTodos(), as: "todos")
      var attempts = 0
      await run.act {
        Task {
          for pause in [1, 2, 4, 8, 16] {
            attempts += 1
            if (try? await service.titles()) != nil { return }
            try? await run.time.sleep(for: .seconds(pause))
          }
        }
      }
      run.expect("attempts", attempts == 5, "\(attempts) attempts")
    }
    let failing = FaultSchedule((1...4).map { .at("todos.titles", call: $0, .serverError) })
    #expect(try await scenario.outcome(under: failing).violations == [])
  }

  /// Catches a timer that nothing is due for, but that fires again and again before a late answer.
  @Test func aLateAnswerArrivesBesideTimersWithoutEnd() async throws {
    let scenario = Scenario("carousel", "A screen turns pages while it loads.") { run in
      let service = run.intercepted(InMemoryTodos(), as: "todos")
      await run.act {
        let pages = Task { while true { try await run.time.sleep(for: .seconds(61)) } }
        _ = try? await service.titles()
        pages.cancel()
      }
      run.expect("loaded", true, "")
    }
    #expect(try await scenario.outcome(under: [.late("todos.titles", call: 1)]).violations == [])
  }

  /// Catches an action that is started again, but has only the rest of the minute.
  @Test func anActionThatIsStartedAgainHasAMinute() async throws {
    let scenario = Scenario("hiding", "A note is hidden after a while.") { run in
      let service = run.intercepted(InMemoryTodos(), as: "todos")
      var (isShown, hiding) = (false, Task<Void, any Error>?.none)
      await run.act {
        isShown = true
        hiding?.cancel()
        hiding = Task {
          try await run.time.sleep(for: .seconds(40))
          isShown = false
        }
        try? await run.time.sleep(for: .seconds(30))
        _ = try? await service.titles()
      }
      run.expect("hidden", !isShown, "it is still shown")
    }
    for point in ["todos.titles", "time.sleep"] {
      let outcome = try await scenario.outcome(
        under: [.interruption("restart", at: .request, of: point, call: point == "time.sleep" ? 2 : 1)])
      #expect(outcome.violations == [])
    }
  }

  /// Catches an interruption of a call that waits for time to pass, within one before a timer, when no time passes.
  @Test func anInterruptionBeforeATimerMayBeInterrupted() async throws {
    let scenario = Scenario("again", "An action sleeps.") { run in
      let service = run.intercepted(InMemoryTodos(), as: "todos")
      run.interruption("again") {
        _ = try? await service.titles()
        try? await run.time.sleep(for: .seconds(2))
      }
      await run.act { try? await run.time.sleep(for: .seconds(2)) }
      run.expect("slept", true, "")
    }
    for moment in [FaultSchedule.Moment.request, .answer] {
      let outcome = try await scenario.outcome(under: [
        .interruption("again", at: .request, of: "time.sleep", call: 1),
        .interruption("again", at: moment, of: "todos.titles", call: 1),
      ])
      #expect(outcome.violations == [])
    }
  }

  // MARK: - What is a timer

  /// A service that waits in tasks of its own, as one with a pause between attempts does.
  private struct Slow: TodoService {
    let base = InMemoryTodos()
    let time: Time

    func add(_ title: String, priority: Int) async throws(TodoError) -> String {
      try await base.add(title, priority: priority)
    }

    func titles() async throws(TodoError) -> [String] {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { try? await time.sleep(for: .seconds(5)) }
        group.addTask { await Task { try? await time.sleep(for: .seconds(90)) }.value }
      }
      return try await base.titles()
    }

    func cached() -> [String] { base.cached() }
  }

  @Test func theSleepsOfACallAreAPartOfIt() async throws {
    let scenario = Scenario("slow", "A service takes its time.") { run in
      let service = run.intercepted(Slow(time: run.time), as: "todos")
      await run.act { _ = try? await service.titles() }
      run.expect("calls", run.record.points.map(\.point) == [FaultPoint("todos.titles", call: 1)], "")
    }
    #expect(try await scenario.outcome().violations == [])
    #expect(
      try await scenario.outcome(under: [.at("todos.titles", call: 1, .latency(.seconds(2)))]).violations
        == [])
  }

  /// An interruption begins within a call, but is an action of its own.
  @Test func anInterruptionMaySleep() async throws {
    let scenario = Scenario("napping", "A screen sleeps while it loads.") { run in
      let service = run.intercepted(InMemoryTodos(), as: "todos")
      run.interruption("nap") { try? await run.time.sleep(for: .seconds(2)) }
      await run.act { _ = try? await service.titles() }
      run.expect("loaded", true, "")
    }
    let outcome = try await scenario.outcome(
      under: [.interruption("nap", at: .request, of: "todos.titles", call: 1)])
    #expect(outcome.violations == [])
    #expect(outcome.points.map(\.operation) == ["todos.titles", "time.sleep"])
  }

  @Test func theReaderOfAStreamMaySleep() async throws {
    let scenario = Scenario("reading", "A screen rests after each event.") { run in
      let ticker = run.intercepted(InMemoryTicker(), as: "ticker")
      var count = 0
      await run.act {
        do {
          for try await _ in try await ticker.ticks(upTo: 3) {
            try await run.time.sleep(for: .seconds(1))
            count += 1
          }
        } catch {}
      }
      run.expect("events", count == 3, "\(count)")
    }
    let report = try await scenario.report(SweepOptions(pairLimit: 0, combinationLimit: 0))
    #expect(report.violations.allSatisfy { $0.invariant == "events" && !$0.schedule.entries.isEmpty })
    #expect(report.points.map(\.interaction).prefix(4) == ["stream", "timer", "timer", "timer"])
  }

  @Test func cancellingAnActionEndsItsSleep() async throws {
    let scenario = Scenario("cancelled", "An action sleeps.") { run in
      var error: (any Error)?
      await run.act {
        do { try await run.time.sleep(for: .seconds(1)) } catch let failure { error = failure }
      }
      run.expect("sleep.ends", error == nil, "\(String(describing: error))")
    }
    let outcome = try await scenario.outcome(
      under: [.interruption("cancel", at: .request, of: "time.sleep", call: 1)])
    #expect(outcome.violations.map(\.message).first?.hasPrefix("Optional(Swift.CancellationError()") == true)
    #expect(outcome.violations.count == 1)
  }
}
