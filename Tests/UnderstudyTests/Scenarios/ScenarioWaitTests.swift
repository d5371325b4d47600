import TestSupport
import Testing
import Understudy

/// What a scenario waits with until others have done their work.
struct ScenarioWaitTests {
  /// More turns than a wait gives to what it does not know of.
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

  @MainActor private final class Shown {
    var ticks: [String] = []
    var hasFailed = false
  }

  private static let following = Scenario("following", "Somebody follows ticks on a slow screen.") { run in
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

  /// A wait that takes a reader to wait while it works on an event, or while it has failed, ends too early; one that
  /// waits for a reader that has gone never ends.
  @Test(arguments: [[], [.at("ticker.ticks", call: 1, .dropStream(afterEvents: 2))]] as [FaultSchedule])
  func aReaderIsWaitedForUntilItHasNothingLeft(_ schedule: FaultSchedule) async throws {
    for _ in 1...5 {
      #expect(try await Self.following.outcome(under: schedule).violations == [])
    }
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

  /// The task that is begun last is the one that is easily forgotten.
  @Test func tasksAreAwaitedWithThoseThatTheyBegin() async throws {
    #expect(try await Self.beginning.outcome().violations == [])
  }
}
