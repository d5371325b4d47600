public import Foundation

/// A recording that cannot be kept where it should be.
public struct RecordingError: Error, Sendable, CustomStringConvertible {
  /// What is wrong and what to do, in sentences without the last full stop.
  public let message: String
  /// The file of the recording.
  public let file: URL

  init(_ message: String, _ file: URL) {
    self.message = message
    self.file = file
  }

  /// What the system says of the last call.
  static func system(_ what: String, _ file: URL) -> RecordingError {
    let reason = String(cString: strerror(errno))
    return RecordingError("\(what.prefix(1).uppercased())\(what.dropFirst()): \(reason)", file)
  }

  /// The file and what is wrong.
  public var description: String { "\(file.path(percentEncoded: false)): \(message)." }
}
