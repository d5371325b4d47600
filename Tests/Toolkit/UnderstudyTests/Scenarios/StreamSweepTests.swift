import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

@Suite(.stallLimit()) struct StreamSweepTests {
  /// Reads four ticks, and shows how far it came.
  @MainActor final class TickerModel {
    private(set) var ticks: [String] = []
    private(set) var message: String?

    func read(_ service: any TickerService) async {
      do {
        for try await tick in try await service.ticks(upTo: 4) { ticks.append(tick) }
      } catch {
        // The planted bug: a failure after the third tick is ignored.
        if ticks.count != 3 { message = "\(error)" }
      }
    }
  }

  static let reading = Scenario("reading", "A user reads four ticks.") { run in
    let model = TickerModel()
    let failures = await run.failures {
      await model.read(run.intercepted(InMemoryTicker(), as: "ticker"))
    }
    run.expect("errors.shown", failures.isEmpty == (model.message == nil), "\(failures) is not shown")
  }

  /// The catalogue drops a stream only after its first event.
  @Test func everyEventOfAStreamIsTried() async throws {
    let report = try await Self.reading.report()
    #expect(report.points.map(\.interaction) == ["stream"])
    let schedules = report.violations.flatMap { [$0.schedule] + $0.others }
    #expect(
      Set(schedules) == [
        [.at("ticker.ticks", call: 1, .dropStream(afterEvents: 3))],
        [.at("ticker.ticks", call: 1, .endStream(afterEvents: 3))],
        [.at("ticker.ticks", call: 1, .stallStream(afterEvents: 3))],
        [.at("ticker.ticks", call: 1, .corruptEvent(4))],
        [.at("ticker.ticks", call: 1, Fault(.stream(.unterminated)))],
      ])
  }

  /// Catches a kept line whose fault lies beyond the end of the stream, and so tests nothing any more.
  @Test(
    arguments: [
      (.dropStream(afterEvents: 4), "its stream ended after 4 events; the fault needs event 5"),
      (.splitCharacters, "a service returns values, not bytes"), (.duplicateEvent(4), nil),
      (.dropStream(afterEvents: 2), nil), (.latency(.mobileNetwork), nil), (.conflict, nil),
    ] as [(Fault, String?)])
  func aFaultWithoutAnEffectBreaksItsSchedule(_ fault: Fault, _ reason: String?) async throws {
    let outcome = try await Self.reading.outcome(under: [.at("ticker.ticks", call: 1, fault)])
    #expect(outcome.violations.map(\.invariant) == (reason == nil ? [] : [Scenario.unmet]))
    guard let reason else { return }
    let message = try #require(outcome.violations.first?.message)
    #expect(
      message.hasPrefix("Call 1 of ticker.ticks was made, but \(fault) had no effect: \(reason)"),
      "\(message)")
  }

  @Test func theSecondFaultOfACallBreaksItsSchedule() async throws {
    let outcome = try await Self.reading.outcome(under: [
      .at("ticker.ticks", call: 1, .conflict), .at("ticker.ticks", call: 1, .offline),
    ])
    #expect(
      outcome.violations.map(\.message) == [
        "Call 1 of ticker.ticks was made, but offline had no effect: an earlier entry of the schedule has the same "
          + "call."
      ])
  }

  /// A screen that adds an item for each event, while its user adds items too.
  static let asking = Scenario("asking", "A user adds items, and so does the screen at each tick.") { run in
    let ticker = run.intercepted(InMemoryTicker(), as: "ticker")
    let todos = run.intercepted(InMemoryTodos(), as: "todos")
    let screen = Task {
      do {
        for try await tick in try await ticker.ticks(upTo: 3) {
          _ = try? await todos.add("tick \(tick)", priority: 1)
        }
      } catch {}
    }
    await run.holdingEvents {
      for number in 1...3 { _ = try? await todos.add("ask \(number)", priority: 1) }
    }
    await screen.value
    let titles = todos.cached()
    run.expect(
      "asked.first", titles.filter { $0.hasPrefix("ask") } + titles.filter { $0.hasPrefix("tick") } == titles,
      "the calls came as \(titles)")
  }

  @Test func heldEventsAreDeliveredOneByOne() async throws {
    for _ in 1...20 {
      let outcome = try await Self.asking.outcome()
      #expect(outcome.violations == [])
      #expect(outcome.points.count { $0.operation == "todos.add" } == 6)
    }
  }

  /// Calls without faults are not numbered, and receive no fault.
  @Test func callsWithoutFaultsAreNotPoints() async throws {
    let scenario = Scenario("apart", "A user adds, and a check adds without faults.") { run in
      let todos = run.intercepted(InMemoryTodos(), as: "todos")
      try await run.withoutFaults { _ = try await todos.add("1", priority: 1) }
      _ = try? await todos.add("2", priority: 1)
      run.expect("check.added", todos.cached().first == "1", "there is \(todos.cached())")
    }
    let report = try await scenario.report()
    #expect(report.violations == [])
    #expect(report.points.map(\.point) == [FaultPoint("todos.add", call: 1)])
  }
}
