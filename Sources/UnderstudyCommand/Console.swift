import Foundation

/// Where a command writes.
public struct Console: Sendable {
  private let print: @Sendable (String) throws -> Void
  let writeError: @Sendable (String) -> Void
  /// Shows one line that the next one replaces; nothing where nobody watches.
  let showProgress: @Sendable (String) -> Void

  /// A console made of two functions, each called with one or more whole lines.
  public init(
    write: @escaping @Sendable (String) -> Void, writeError: @escaping @Sendable (String) -> Void
  ) {
    print = write
    self.writeError = writeError
    showProgress = { _ in }
  }

  /// A console that writes to files; `FileHandle.write(_:)` would stop the process where one takes nothing.
  init(
    output: FileHandle, error: FileHandle = .standardError,
    progress: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    print = { try output.write(contentsOf: Data(($0 + "\n").utf8)) }
    // Where nothing can be said there is nobody to tell.
    writeError = { try? error.write(contentsOf: Data(($0 + "\n").utf8)) }
    showProgress = progress
  }

  /// Writes one or more whole lines to standard output.
  public func write(_ lines: String) throws(CommandError) {
    do {
      try print(lines)
    } catch {
      throw CommandError(
        "Standard output cannot be written, so there is no result: \(error.localizedDescription)")
    }
  }

  /// The process's own output; progress is shown on standard error when that is a terminal.
  public static var standard: Console {
    guard isatty(STDERR_FILENO) == 1 else { return Console(output: .standardOutput) }
    // Return to the start of the line, and clear what stands there.
    return Console(output: .standardOutput) {
      try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\($0)".utf8))
    }
  }
}
