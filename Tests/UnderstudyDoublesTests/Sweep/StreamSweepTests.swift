import Testing
import UnderstudyDoubles

struct StreamSweepTests {
  /// Reads four ticks, and shows how far it came.
  @MainActor final class TickerModel {
    private(set) var ticks: [String] = []
    private(set) var message: String?

    func read(_ service: any TickerService) async {
      do {
        for try await tick in try await service.ticks(upTo: 4) { ticks.append(tick) }
      } catch {
        // What comes after the third tick is thought to be unimportant.
        if ticks.count != 3 { message = "\(error)" }
      }
    }
  }

  static let reading = Scenario("reading", "Somebody reads four ticks.") { run in
    let model = TickerModel()
    let failures = await run.failures {
      await model.read(run.intercepted(InMemoryTicker(), as: "ticker"))
    }
    run.expect("errors.shown", failures.isEmpty == (model.message == nil), "\(failures) is not shown")
  }

  /// The catalogue has a stream dropped after its first event alone.
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
        [.at("ticker.ticks", call: 1, .unterminatedEvent)],
      ])
  }
}
