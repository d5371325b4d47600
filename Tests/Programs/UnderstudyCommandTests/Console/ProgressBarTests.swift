import Testing
import Understudy
import UnderstudyConsole
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct ProgressBarTests {
  private let manual = TestClock()
  private let shown = Locked<[String]>([])

  private func bar(of total: Int, width: Int? = nil) -> ProgressBar {
    let console = Console(
      write: { _ in }, writeError: { _ in }, width: width,
      progress: { [shown] line in shown.withLock { $0.append(line) } })
    return ProgressBar("Comparing", of: total, on: manual.time, console: console)
  }

  @Test func shortWorkShowsNoProgress() {
    let bar = bar(of: 2)
    bar.show("a")
    manual.advance(by: .milliseconds(999))
    bar.show("b")
    bar.end()
    #expect(shown.withLock { $0 } == [])
  }

  @Test func isShownAfterASecondAndRemovedAtTheEnd() {
    let bar = bar(of: 4)
    bar.advance()
    manual.advance(by: .seconds(1))
    bar.show("GET /a")
    bar.advance()
    bar.advance()
    manual.advance(by: .milliseconds(100))
    bar.show("GET /\u{1B}[2J")
    bar.end()
    bar.end()
    #expect(
      shown.withLock { $0 } == [
        "Comparing  ██████░░░░░░░░░░░░░░░░░░  1 of 4  GET /a",
        "Comparing  ██████████████████░░░░░░  3 of 4  GET /\\u{1b}[2J",
        "",
      ])
  }

  @Test func isDrawnTenTimesASecondAtMost() {
    let bar = bar(of: 1000)
    manual.advance(by: .seconds(1))
    for _ in 0..<100 {
      bar.show("a")
      manual.advance(by: .milliseconds(10))
    }
    #expect(shown.withLock { $0.count } == 10)
  }

  @Test func isCutAtTheWidthOfTheTerminal() {
    let bar = bar(of: 0, width: 20)
    manual.advance(by: .seconds(1))
    bar.show("a")
    #expect(shown.withLock { $0 } == ["Comparing  ░░░░░░░░…"])
  }

  @Test func workWithoutStepsIsShownWhileItRuns() async throws {
    let seen = Signal<String>()
    let console = Console(
      write: { _ in }, writeError: { _ in }, width: nil,
      progress: { [shown] line in
        shown.withLock { $0.append(line) }
        if !line.isEmpty { seen.send(line) }
      })
    let bar = ProgressBar("Redacting", of: 2, on: manual.time, console: console)
    let result = try await bar.during("searching") { () throws(CommandError) in
      // The work ends only after the bar was drawn.
      try? await manual.wait(forSleepers: 1)
      manual.advance(by: .seconds(1))
      _ = try? await seen.value()
      return 7
    }
    bar.end()
    #expect(result == 7)
    #expect(shown.withLock { $0 } == ["Redacting  ░░░░░░░░░░░░░░░░░░░░░░░░  0 of 2  searching", ""])
  }

  @Test func shortWorkWithoutStepsShowsNoProgress() async throws {
    let bar = bar(of: 1)
    await #expect(throws: CommandError.self) {
      try await bar.during("a") { () throws(CommandError) in throw CommandError("It failed.") }
    }
    bar.end()
    #expect(shown.withLock { $0 } == [])
  }
}
