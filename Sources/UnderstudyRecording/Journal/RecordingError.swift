public import Foundation

/// An error in writing a recording.
public struct RecordingError: Error, Sendable, CustomStringConvertible {
  /// The problem and its remedy, in sentences without the last full stop.
  public let message: String
  /// The file of the recording.
  public let file: URL

  init(_ message: String, _ file: URL) {
    self.message = message
    self.file = file
  }

  /// Creates an error from the result of the last system call.
  static func system(_ what: String, _ file: URL) -> RecordingError {
    let reason = String(cString: strerror(errno))
    return RecordingError("\(what.prefix(1).uppercased())\(what.dropFirst()): \(reason)", file)
  }

  /// The file and the problem.
  public var description: String { "\(file.path(percentEncoded: false)): \(message)." }
}
