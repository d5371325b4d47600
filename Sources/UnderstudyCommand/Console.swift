import Foundation

/// Where a command writes.
public struct Console: Sendable {
  /// Writes one or more whole lines to standard output.
  public let write: @Sendable (String) -> Void
  let writeError: @Sendable (String) -> Void
  /// Shows one line that the next one replaces; nothing where nobody watches.
  let showProgress: @Sendable (String) -> Void

  /// A console made of two functions, each called with one or more whole lines.
  public init(
    write: @escaping @Sendable (String) -> Void, writeError: @escaping @Sendable (String) -> Void
  ) {
    self.write = write
    self.writeError = writeError
    showProgress = { _ in }
  }

  private init(progress: @escaping @Sendable (String) -> Void) {
    write = { FileHandle.standardOutput.write(Data(($0 + "\n").utf8)) }
    writeError = { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
    showProgress = progress
  }

  /// The process's own output; progress is shown on standard error when that is a terminal.
  public static var standard: Console {
    guard isatty(STDERR_FILENO) == 1 else { return Console { _ in } }
    // Return to the start of the line, and clear what stands there.
    return Console { FileHandle.standardError.write(Data("\r\u{1B}[K\($0)".utf8)) }
  }
}
