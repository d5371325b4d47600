import Foundation
import Understudy
import UnderstudyHTTP

/// The output of a command.
package struct Console: Sendable {
  private let print: @Sendable (String) throws -> Void
  let writeError: @Sendable (String) -> Void
  /// A function that shows a line, which the next one replaces, if standard error is a terminal.
  let showProgress: @Sendable (String) -> Void
  /// The width of the terminal; `nil` if standard output is not a terminal, so that lines are not cut.
  let width: Int?

  /// Creates a console from two functions, each called with one or more whole lines.
  package init(
    write: @escaping @Sendable (String) -> Void, writeError: @escaping @Sendable (String) -> Void
  ) {
    self.init(write: write, writeError: writeError, width: nil)
  }

  /// Creates a console with the width of a terminal, or with progress.
  init(
    write: @escaping @Sendable (String) -> Void, writeError: @escaping @Sendable (String) -> Void,
    width: Int?,
    progress: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    print = write
    self.writeError = writeError
    self.width = width
    showProgress = progress
  }

  /// Creates a console that writes to files.
  ///
  /// `FileHandle.write(_:)` would trap if a file cannot be written.
  init(
    output: FileHandle, error: FileHandle = .standardError, width: Int? = nil,
    progress: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    print = { try output.write(contentsOf: Data(($0 + "\n").utf8)) }
    // An error of standard error cannot be reported.
    writeError = { try? error.write(contentsOf: Data(($0 + "\n").utf8)) }
    showProgress = progress
    self.width = width
  }

  /// Writes one or more whole lines to standard output.
  package func write(_ lines: String) throws(CommandError) {
    do {
      try print(lines)
    } catch {
      throw CommandError("Standard output cannot be written: \(error.localizedDescription)")
    }
  }

  /// Writes a value as a JSON document with sorted keys.
  func write(json value: some Encodable) throws(CommandError) {
    try write(try Self.json(value))
  }

  /// Returns a value as a JSON document with sorted keys.
  static func json(_ value: some Encodable) throws(CommandError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data: Data
    do {
      data = try encoder.encode(value)
    } catch {
      throw CommandError("The result cannot be written as JSON: \(error)")
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// The output of the process; progress is shown on standard error if it is a terminal.
  package static var standard: Console {
    let width = widthOfStandardOutput
    guard isatty(STDERR_FILENO) == 1 else { return Console(output: .standardOutput, width: width) }
    // Return to the start of the line, and clear it.
    return Console(output: .standardOutput, width: width) {
      try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\($0)".utf8))
    }
  }

  private static var widthOfStandardOutput: Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, .init(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

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
