import Observation
import TestSupport
import Testing
import UnderstudyTesting
@testable import Understudy

/// What `run.act(_:)` and interruptions wait for: the tasks that a screen starts, wherever they are.
@Suite(.stallLimit()) struct ActionTasksTests {
  /// A screen that starts its work in a task, as most do.
  @MainActor @Observable final class Screen {
    private let service: any TodoService
    private(set) var isLoading = false
    private(set) var titles: [String] = []
    private(set) var message: String?

    init(_ service: any TodoService, loadsAtOnce: Bool = false) {
      self.service = service
      if loadsAtOnce { load() }
    }

    func load() {
      isLoading = true
      Task {
        // As on a busy machine, on which the task takes long to reach the service.
        for _ in 1...100 { await Task.detached {}.value }
        do throws(TodoError) { titles = try await service.titles() } catch { message = "\(error)" }
        isLoading = false
      }
    }
  }

  private static func scenario(
    loadsAtOnce: Bool = false, _ act: @escaping @MainActor (ScenarioRun, Screen) async -> Void
  ) -> Scenario {
    Scenario("loading", "A screen loads in a task of its own.") { run in
      let service = run.intercepted(InMemoryTodos(), as: "todos")
      let screen = await run.awaitingTasks { Screen(service, loadsAtOnce: loadsAtOnce) }
      if !loadsAtOnce { run.expect("loading.waits", run.record.points == [], "\(run.record.points)") }
      await act(run, screen)
      run.expect("loading.ends", !screen.isLoading, "the screen still loads")
      run.expect("loading.begins", !run.record.points.isEmpty, "the screen made no call")
    }
  }

  @Test func anActionHasEndedWithTheTasksThatItStarted() async throws {
    for _ in 1...20 {
      let outcome = try await Self.scenario { run, screen in await run.act { screen.load() } }.outcome()
      #expect(outcome.violations == [])
    }
  }

  @Test func aScreenThatLoadsInItsInitializerIsAwaited() async throws {
    for _ in 1...20 {
      #expect(try await Self.scenario(loadsAtOnce: true) { _, _ in }.outcome().violations == [])
    }
  }

  /// An interruption is over, and the call continues, before its own tasks could be.
  @Test func theTasksOfAnInterruptionAreAwaited() async throws {
    let scenario = Scenario("reloading", "A screen is reloaded while it loads.") { run in
      let screen = Screen(run.intercepted(InMemoryTodos(), as: "todos"))
      run.interruption("reload") { screen.load() }
      await run.act { screen.load() }
      run.expect("loading.ends", !screen.isLoading, "the screen still loads")
      run.expect("loading.twice", run.record.points.count == 2, "\(run.record.points)")
    }
    for _ in 1...20 {
      let outcome = try await scenario.outcome(
        under: [.interruption("reload", at: .answer, of: "todos.titles", call: 1)])
      #expect(outcome.violations == [])
    }
  }

  /// Catches a check while an interruption of the awaited tasks still goes on.
  @Test func anInterruptionOfAwaitedTasksIsAwaited() async throws {
    let scenario = Scenario("opening", "A screen that loads in its initializer is reloaded.") { run in
      let todos = run.intercepted(InMemoryTodos(), as: "todos")
      var hasReloaded = false
      run.interruption("reload") {
        _ = try? await todos.titles()
        hasReloaded = true
      }
      await run.awaitingTasks { Screen(todos, loadsAtOnce: true) }
      run.expect("reload.ends", hasReloaded, "it still reloads")
    }
    let outcome = try await scenario.outcome(under: [
      .interruption("reload", at: .request, of: "todos.titles", call: 1), .late("todos.titles", call: 2),
    ])
    #expect(outcome.violations == [])
  }

  /// Catches a wait for a task of an action that never ends, as that of a stream does not.
  @Test func aTaskThatFollowsAStreamIsNotAwaited() async throws {
    let scenario = Scenario("following", "A screen follows ticks, and loads.") { run in
      let ticker = run.intercepted(SentTicks(), as: "ticker")
      let screen = Screen(run.intercepted(InMemoryTodos(), as: "todos"))
      var following: Task<Void, Never>?
      await run.act {
        following = Task {
          do { for try await _ in try await ticker.ticks(upTo: 1) {} } catch {}
        }
      }
      await run.act { screen.load() }
      run.expect("loading.ends", !screen.isLoading, "the screen still loads")
      following?.cancel()
    }
    for _ in 1...20 { #expect(try await scenario.outcome().violations == []) }
  }

  /// Catches a check before a task has ended that an event started, and that has made no call yet.
  @Test(arguments: [true, false]) func theTaskOfAnEventIsAwaited(byReader: Bool) async throws {
    let scenario = Scenario("reacting", "A screen loads at each tick.") { run in
      let (sent, store) = (SentTicks(), InMemoryTodos())
      let (ticker, screen) = (
        run.intercepted(sent, as: "ticker"), Screen(run.intercepted(store, as: "todos"))
      )
      var following: Task<Void, Never>?
      await run.act {
        following = Task {
          do { for try await _ in try await ticker.ticks(upTo: 1) { screen.load() } } catch {}
        }
      }
      if byReader {
        sent.source.continuation.yield("tick")
        await run.waitForReader { false }
      } else {
        await run.act { sent.source.continuation.yield("tick") }
      }
      run.expect("loading.ends", !screen.isLoading, "the screen still loads")
      run.expect("loading.begins", run.record.points.count == 2, "\(run.record.points)")
      following?.cancel()
    }
    for _ in 1...20 { #expect(try await scenario.outcome().violations == []) }
  }

  private struct SentTicks: TickerService {
    let source = AsyncThrowingStream<String, any Error>.makeStream()

    func ticks(upTo count: Int) async throws(TodoError) -> AsyncThrowingStream<String, any Error> {
      source.stream
    }
  }

  /// A task that waits for a notification or a callback does not stop a run, and a violation names its action.
  @Test func aTaskThatWaitsForSomethingElseIsNamed() async throws {
    let monitor = StallMonitor()
    let notifications = AsyncStream<Void>.makeStream()
    let line = #line + 2
    let scenario = Scenario("notified", "A screen waits for a notification.") { run in
      await run.act { Task { for await _ in notifications.stream {} } }
      run.expect("notified", false, "nothing came")
    }
    let idle = ProcessMeter.Measurement(elapsed: .seconds(1), processorTime: .zero, startsTasks: true)
    let outcome = try await StallMonitor.$current.withValue(monitor) {
      let measuring = Task.detached {
        while !Task.isCancelled {
          monitor.take(idle)
          await Task.yield()
        }
      }
      defer { measuring.cancel() }
      return try await scenario.outcome(stallLimit: .seconds(1_000_000))
    }
    notifications.continuation.finish()
    let message = try #require(outcome.violations.first?.message)
    #expect(message.hasPrefix("nothing came (UnderstudyTests/ActionTasksTests.swift:"), "\(message)")
    #expect(
      message.hasSuffix(
        ", before any call, while a task that the action at UnderstudyTests/ActionTasksTests.swift:\(line) started waits for something outside of the run)"
      ), "\(message)")
  }

  /// Catches an action that waits for itself, and goes on only when the process is idle.
  @Test func anActionMayPauseFaults() async throws {
    let scenario = Scenario("pausing", "An action reads without faults.") { run in
      let screen = Screen(run.intercepted(InMemoryTodos(), as: "todos"))
      await run.act { await run.withoutFaults { screen.load() } }
      run.expect("loading.ends", !screen.isLoading, "the screen still loads")
    }
    // Nothing measures the process, so a wait for it to be idle would not end.
    let outcome = try await StallMonitor.$current.withValue(StallMonitor()) {
      try await scenario.outcome(stallLimit: .seconds(1_000_000))
    }
    #expect(outcome.violations == [])
  }
}
