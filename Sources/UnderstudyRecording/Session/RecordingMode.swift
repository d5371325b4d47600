public import Foundation

/// The source of a session's responses, and the way it updates its recording.
///
/// A session replays by default. The environment selects another mode:
///
/// ```sh
/// UNDERSTUDY_RECORD=once swift test
/// ```
///
/// Xcode passes a variable to tests on a device or in a simulator if its name is `TEST_RUNNER_UNDERSTUDY_RECORD`.
public enum RecordingMode: String, Sendable, Hashable, CaseIterable {
  /// Replays the recording, which must exist.
  ///
  /// The network is not used.
  case none
  /// Replays the recording; records it if it does not exist.
  case once
  /// Replays recorded exchanges, and adds new ones from the network to the recording.
  ///
  /// A service does not accept a placeholder in place of a token: to record new exchanges of a client that signs in
  /// first, use ``replace``.
  case newEntries = "new"
  /// Uses the network for all requests, and replaces the whole recording.
  case replace
  /// Uses the network for all requests, and replaces the recorded responses to the same requests; the others remain.
  case all

  /// Reads the mode from the environment variable `UNDERSTUDY_RECORD` (default: ``none``).
  ///
  /// - Throws: ``RecordingError`` if the value is not a valid mode.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    let word = environment["UNDERSTUDY_RECORD"] ?? ""
    guard let mode = word.isEmpty ? RecordingMode.none : RecordingMode(rawValue: word) else {
      let modes = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw RecordingError("Unknown value \"\(word)\" of UNDERSTUDY_RECORD. Valid values: \(modes).")
    }
    self = mode
  }
}
