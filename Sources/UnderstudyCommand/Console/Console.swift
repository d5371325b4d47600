import Foundation

/// Where a command writes.
public struct Console: Sendable {
  private let print: @Sendable (String) throws -> Void
  let writeError: @Sendable (String) -> Void
  /// Shows one line that the next one replaces; nothing where nobody watches.
  let showProgress: @Sendable (String) -> Void
  /// How many characters a line of standard output holds; `nil` where it is no terminal, and nothing is cut.
  let width: Int?

  /// A console made of two functions, each called with one or more whole lines.
  public init(
    write: @escaping @Sendable (String) -> Void, writeError: @escaping @Sendable (String) -> Void
  ) {
    self.init(write: write, writeError: writeError, width: nil)
  }

  /// A console that is a terminal of a width, or shows progress.
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

  /// A console that writes to files; `FileHandle.write(_:)` would stop the process where one takes nothing.
  init(
    output: FileHandle, error: FileHandle = .standardError, width: Int? = nil,
    progress: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    print = { try output.write(contentsOf: Data(($0 + "\n").utf8)) }
    // Where nothing can be said there is nobody to tell.
    writeError = { try? error.write(contentsOf: Data(($0 + "\n").utf8)) }
    showProgress = progress
    self.width = width
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

  /// Writes a value as a JSON document, its members in the order of the alphabet.
  func write(json value: some Encodable) throws(CommandError) {
    try write(try Self.json(value))
  }

  /// A value as a JSON document, its members in the order of the alphabet.
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

  /// The process's own output; progress is shown on standard error when that is a terminal.
  public static var standard: Console {
    let width = widthOfStandardOutput
    guard isatty(STDERR_FILENO) == 1 else { return Console(output: .standardOutput, width: width) }
    // Return to the start of the line, and clear what stands there.
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
