import Foundation
import UnderstudyText

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

  /// Returns the error for recorded exchanges that were not requested; `nil` without any.
  static func notRequested(
    _ entries: [(index: Int, entry: HTTPArchive.Entry)], of recording: String, remedy: String
  ) -> RecordingError? {
    guard !entries.isEmpty else { return nil }
    let shown = entries.prefix(10).map {
      "  entry \($0.index): \($0.entry.request.method) \($0.entry.request.url)"
    }
    let rest = entries.count > shown.count ? ["  and \(entries.count - shown.count) more"] : []
    let verb = entries.count == 1 ? "was" : "were"
    let headline =
      "\(Words.count(entries.count, "recorded exchange")) of \(recording) \(verb) not requested:"
    return RecordingError(([headline] + shown + rest + [remedy]).joined(separator: "\n"))
  }
}
