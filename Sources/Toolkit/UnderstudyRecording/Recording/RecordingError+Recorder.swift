import Foundation
import UnderstudyHTTP
import UnderstudyText

// What a recorder cannot record.

extension RecordingError {
  /// The reason of the system, such as `No space left on device`; otherwise the message.
  private var reason: String {
    guard let cause = cause as? NSError, cause.domain == NSPOSIXErrorDomain else { return message }
    return String(cString: strerror(CInt(cause.code)))
  }

  /// Returns the error for an exchange that could not be written to the journal.
  func notWritten(_ request: String) -> RecordingError {
    RecordingError(
      .notWritten,
      "\(request) was not written: \(reason). It is kept in memory, and written with a later exchange if possible.",
      file: file, cause: cause)
  }

  /// Returns the error for exchanges that could not be written until the end.
  ///
  /// - Parameters:
  ///   - requests: The requests of these exchanges.
  ///   - count: The number of all exchanges.
  func notWritten(_ requests: [String], of count: Int, journal: URL) -> RecordingError {
    let verb = requests.count == 1 ? "was" : "were"
    let shown = requests.prefix(10).map { "  \($0)" }
    let rest = requests.count > shown.count ? ["  and \(requests.count - shown.count) more"] : []
    let others = count - requests.count
    let remedy =
      others == 0
      ? "Free space, and record again."
      : "\(journal.path(percentEncoded: false)) has the others, \(others) of them."
    let headline =
      "\(requests.count) of \(Words.count(count, "exchange")) \(verb) not written: \(reason)."
    return RecordingError(
      code, ([headline] + shown + rest + [remedy]).joined(separator: "\n"), file: file, cause: cause)
  }

  /// Returns the error for a recording that could not be written, whose exchanges are still in the journal.
  func keeping(_ count: Int, in journal: URL) -> RecordingError {
    let them = count == 1 ? "The exchange is" : "The \(count) exchanges are"
    return RecordingError(
      code,
      "\(message) \(them) in \(journal.path(percentEncoded: false)), and the next recorder of this file adds them.",
      file: file, cause: cause)
  }

  /// Returns the warning about a body that was cut off.
  static func cutOff(_ request: String, at limit: Int) -> RecordingError {
    RecordingError(
      .incomplete,
      """
      \(request) was cut off at the limit of \(Words.bytes(limit)) for a recorded body; its client receives all of it. \
      To record more: RecordingOptions(bodyLimit:), or record --body-limit.
      """)
  }

  /// Returns the warning about a body with a coding that is not decoded.
  static func notSearched(_ request: String, _ coding: String) -> RecordingError {
    RecordingError(
      .incomplete,
      """
      \(request) has a body encoded with \(coding), though none was requested. Such bodies are recorded as they are, \
      and not searched for secrets.
      """)
  }
}
