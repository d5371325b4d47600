import Understudy

/// Why a command has no result, in one line that says what would help.
///
/// Most often its arguments cannot be understood.
public struct CommandError: Error, Sendable, CustomStringConvertible {
  /// The line.
  public let description: String

  init(_ description: String) {
    self.description = description
  }

  /// Another error, its lines in one, as a terminal can show it: it may quote a file.
  ///
  /// - Parameter what: What comes before it.
  init(_ what: String = "", inOneLine error: any Error) {
    self.init((what + "\(error)".split(separator: "\n").joined(separator: " ")).visible)
  }
}
