import Understudy
import UnderstudyHTTP

/// The bar of one scenario's sweep: one for the schedules with one fault, then one for those with two.
final class SweepProgressBar: Sendable {
  private let scenario: Scenario
  private let time: Time
  private let console: Console
  private let current = Locked<(faults: Int, bar: ProgressBar)?>(nil)

  init(_ scenario: Scenario, on time: Time, console: Console) {
    self.scenario = scenario
    self.time = time
    self.console = console
  }

  /// Says which schedule is run now.
  @Sendable func show(_ progress: SweepProgress) {
    let bar = current.withLock { current in
      if let current, current.faults == progress.faults {
        current.bar.advance()
        return current.bar
      }
      current?.bar.end()
      let kind = progress.faults == 2 ? "pairs" : "faults"
      let bar = ProgressBar("\(scenario), \(kind)", of: progress.total, on: time, console: console)
      current = (progress.faults, bar)
      return bar
    }
    bar.show("\(progress.schedule)")
  }

  /// Takes the bar away.
  func end() { current.withLock { $0?.bar.end() } }
}
