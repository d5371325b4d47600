import Foundation

/// An error in recording or replaying: a recording that is missing, interrupted, too old or cannot be written, or a
/// request and a recording that do not match.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A message with the failure, the expected and the found values, and the remedy.
  public let description: String

  package init(_ description: String) {
    self.description = description
  }

  /// - Parameters:
  ///   - message: The problem and its remedy, in sentences without the last full stop.
  ///   - file: The file of the recording.
  init(_ message: String, _ file: URL) {
    self.init("\(file.path(percentEncoded: false)): \(message).")
  }

  /// Creates an error from the result of the last system call.
  static func system(_ what: String, _ file: URL) -> RecordingError {
    let reason = String(cString: strerror(errno))
    return RecordingError("\(what.prefix(1).uppercased())\(what.dropFirst()): \(reason)", file)
  }

  /// Returns the error for a recording that was not found.
  static func missing(_ file: URL, command: String) -> RecordingError {
    RecordingError("Recording not found: \(file.path(percentEncoded: false)). To record it: \(command)")
  }
}
