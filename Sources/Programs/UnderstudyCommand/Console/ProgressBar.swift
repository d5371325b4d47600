import Foundation
import Understudy
import UnderstudyConsole
import UnderstudyText

/// A progress bar, shown once a command has taken a second.
///
/// ```swift
/// let progress = ProgressBar("Comparing", of: entries.count, on: time, console: console)
/// defer { progress.end() }
/// for entry in entries {
///   progress.show("\(entry.request.url)")
///   …
///   progress.advance()
/// }
/// ```
final class ProgressBar: Sendable {
  private struct State: Sendable {
    var done = 0
    var isShown = false
    /// The time at which the bar was last drawn; it is drawn at most ten times a second.
    var drawn: Duration?
  }

  private static let cells = 24
  private let title: String
  private let total: Int
  private let console: Console
  private let time: Time
  private let elapsed: @Sendable () -> Duration
  private let state = Locked(State())

  /// Creates a bar that is not shown yet.
  ///
  /// - Parameters:
  ///   - title: The work, such as `Comparing`.
  ///   - total: The number of steps.
  ///   - time: The clock that measures the second.
  init(_ title: String, of total: Int, on time: Time, console: Console) {
    self.title = title
    self.total = total
    self.console = console
    self.time = time
    elapsed = Self.stopwatch(time.clock)
  }

  /// Shows the current step.
  func show(_ step: @autoclosure () -> String) {
    let now = elapsed()
    let line = state.withLock { state -> String? in
      guard now >= .seconds(1), now - (state.drawn ?? .zero) >= .milliseconds(100) else { return nil }
      state.isShown = true
      state.drawn = now
      return bar(state.done, step())
    }
    if let line { console.showProgress(line) }
  }

  /// Counts a step.
  func advance() { state.withLock { $0.done += 1 } }

  /// Shows a step while it runs, for work that shows no progress itself, and counts it.
  func during<Result>(
    _ step: String, _ work: () async throws(CommandError) -> Result
  ) async throws(CommandError) -> Result {
    let ticker = Task { [self] in
      while !Task.isCancelled {
        show(step)
        try await time.sleep(inBackgroundFor: .milliseconds(100))
      }
    }
    do throws(CommandError) {
      let result = try await work()
      await stop(ticker)
      advance()
      return result
    } catch {
      await stop(ticker)
      throw error
    }
  }

  /// Waits for the end of a task, so that nothing is shown after ``end()``.
  private func stop(_ ticker: Task<Void, any Error>) async {
    ticker.cancel()
    _ = await ticker.result
  }

  /// Removes the bar.
  func end() {
    let wasShown = state.withLock { state in
      defer { state.isShown = false }
      return state.isShown
    }
    if wasShown { console.showProgress("") }
  }

  private func bar(_ done: Int, _ step: String) -> String {
    let filled = total > 0 ? min(Self.cells, Self.cells * done / total) : 0
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.cells - filled)
    return "\(title)  \(bar)  \(done) of \(total)  \(step)".visible.cut(to: console.width ?? 100)
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
