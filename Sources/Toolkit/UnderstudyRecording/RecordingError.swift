public import Foundation
import UnderstudyText

/// An error in recording or replaying: a recording that is missing, invalid, interrupted, too old or cannot be written,
/// or a request and a recording that do not match.
public struct RecordingError: Error, Sendable, CustomStringConvertible {
  /// A kind of failure.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    private init(_ description: String) {
      self.description = description
    }

    /// The recording does not exist.
    public static let missing = Code("missing")
    /// The recorder was interrupted, so that the recording is incomplete.
    public static let incomplete = Code("incomplete")
    /// The recording is beyond its age limit.
    public static let tooOld = Code("too old")
    /// Another recorder is writing the recording.
    public static let inUse = Code("in use")
    /// A file or a folder cannot be read or written; see ``RecordingError/cause``.
    public static let inaccessible = Code("inaccessible")
    /// The recording was not written, because the test failed or sent no request.
    public static let notWritten = Code("not written")
    /// The recording could not answer a request.
    public static let unanswered = Code("unanswered")
    /// A recorded exchange was not requested, or a recorded message was not sent.
    public static let notRequested = Code("not requested")
    /// The recording is not JSON, violates HAR 1.2, or has a journal that is invalid; the message has the position.
    public static let invalidRecording = Code("invalid recording")
    /// The mode is not valid, or the function is not called in a test.
    public static let invalidUse = Code("invalid use")
  }

  /// The kind of failure; of several failures, that of the first.
  public let code: Code
  /// A message with the failure, the expected and the found values, and the remedy.
  public let message: String
  /// The file of the recording, if it is known.
  public let file: URL?
  /// The underlying error, if any.
  public let cause: (any Error)?
  /// The problem in the document; also that of a warning about an entry that violates HAR 1.2.
  package var violation: Violation?

  package init(_ code: Code, _ message: String, file: URL? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.file = file
    self.cause = cause
  }

  /// The message.
  public var description: String { message }

  /// - Parameters:
  ///   - message: The problem and its remedy, in sentences without the last full stop.
  ///   - file: The file of the recording, which precedes the message.
  init(_ code: Code, _ message: String, at file: URL, cause: (any Error)? = nil) {
    self.init(code, "\(file.path(percentEncoded: false)): \(message).", file: file, cause: cause)
  }

  /// Creates an error from the result of the last system call.
  static func system(_ what: String, _ file: URL) -> RecordingError {
    let number = errno
    return RecordingError(
      .inaccessible,
      "\(what.prefix(1).uppercased())\(what.dropFirst()): \(String(cString: strerror(number)))", at: file,
      cause: systemError(number))
  }

  /// The error with a number of `errno`.
  static func systemError(_ number: CInt) -> any Error {
    NSError(domain: NSPOSIXErrorDomain, code: Int(number))
  }

  /// Returns the error for a recording that was not found.
  static func missing(_ file: URL, command: String) -> RecordingError {
    RecordingError(
      .missing, "Recording not found: \(file.path(percentEncoded: false)). To record it: \(command)",
      file: file)
  }

  /// Returns one error for several failures; `nil` without any.
  static func joining(_ failures: [RecordingError]) -> RecordingError? {
    guard let first = failures.first, failures.count > 1 else { return failures.first }
    return RecordingError(
      first.code, failures.map(\.description).joined(separator: "\n"), file: first.file, cause: first.cause)
  }

  /// Returns the error for recorded exchanges that were not requested; `nil` without any.
  static func notRequested(
    _ entries: [(index: Int, entry: HTTPArchive.Entry)], of recording: String, file: URL? = nil,
    remedy: String
  ) -> RecordingError? {
    guard !entries.isEmpty else { return nil }
    let shown = entries.prefix(10).map {
      "  entry \($0.index): \($0.entry.request.method) \($0.entry.request.url)"
    }
    let rest = entries.count > shown.count ? ["  and \(entries.count - shown.count) more"] : []
    let verb = entries.count == 1 ? "was" : "were"
    let headline =
      "\(Words.count(entries.count, "recorded exchange")) of \(recording) \(verb) not requested:"
    return RecordingError(
      .notRequested, ([headline] + shown + rest + [remedy]).joined(separator: "\n"), file: file)
  }
}
