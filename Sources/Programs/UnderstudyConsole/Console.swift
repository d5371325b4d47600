package import Foundation

/// The output of a command.
package struct Console: Sendable {
  private let print: @Sendable (String) throws -> Void
  package let writeError: @Sendable (String) -> Void
  /// A function that shows a line, which the next one replaces, if standard error is a terminal.
  package let showProgress: @Sendable (String) -> Void
  /// The width of the terminal; `nil` if standard output is not a terminal, so that lines are not cut.
  package let width: Int?

  /// Creates a console from functions, each called with one or more whole lines.
  ///
  /// - Parameters:
  ///   - width: The width of the terminal, if it is one.
  ///   - progress: A function that shows a line, which the next one replaces.
  package init(
    write: @escaping @Sendable (String) -> Void, writeError: @escaping @Sendable (String) -> Void,
    width: Int? = nil, progress: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    print = write
    self.writeError = writeError
    self.width = width
    showProgress = progress
  }

  /// Creates a console that writes to files.
  ///
  /// `FileHandle.write(_:)` would trap if a file cannot be written.
  package init(
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
  package func write(json value: some Encodable) throws(CommandError) {
    try write(try Self.json(value))
  }

  /// Returns a value as a JSON document with sorted keys.
  package static func json(_ value: some Encodable) throws(CommandError) -> String {
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
