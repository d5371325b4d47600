import Foundation
import UnderstudyText

/// The reason why a command has no result: invalid arguments, or a file or a service that cannot be used.
package struct CommandError: Error, Sendable, CustomStringConvertible {
  /// The message in one line, which is safe to show on a terminal.
  package let description: String
  /// The option that the command does not have, if this is the reason.
  private(set) var unknownOption: String?

  /// Creates an error from any text; its lines are joined and its control characters escaped, because it may quote a
  /// file.
  package init(_ description: String) {
    self.description =
      description.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ").visible
  }
}

extension CommandError {
  /// Creates an error for an option that a command does not have.
  ///
  /// - Parameter nearest: An option with almost the same name.
  init(unknownOption word: String, nearest: String?, of command: String) {
    let hint = nearest.map { " Did you mean \($0)?" } ?? ""
    self.init("Unknown option \"\(word)\".\(hint) See \(command) --help.")
    unknownOption = word
  }
}
