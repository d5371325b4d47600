public import Foundation

/// Whether a session goes to the network, and what becomes of the recording that is there.
///
/// A session replays unless the environment says otherwise:
///
/// ```sh
/// UNDERSTUDY_RECORD=once swift test
/// ```
///
/// Xcode hands a variable on to the tests on a device or in a simulator when it is called
/// `TEST_RUNNER_UNDERSTUDY_RECORD`.
public enum RecordingMode: String, Sendable, Hashable, CaseIterable {
  /// Every answer comes from the recording, which must be there. Nothing touches the network.
  case none
  /// Replays the recording; where there is none, it is made.
  case once
  /// Replays what is recorded, goes to the network with what is not, and adds it to the recording.
  ///
  /// A placeholder that a replayed answer hands out in place of a token opens no door: new exchanges of a client that
  /// signs in first need ``replace``.
  case newEntries = "new"
  /// Every answer comes from the network, and the recording becomes what was said now, and nothing else.
  case replace
  /// Every answer comes from the network and takes the place of the recorded ones to the same request; the others
  /// stay.
  case all

  /// The mode that the environment asks for in `UNDERSTUDY_RECORD`; ``none`` where it does not.
  ///
  /// - Throws: ``RecordingFailure`` for a word that is no mode.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    let word = environment["UNDERSTUDY_RECORD"] ?? ""
    guard let mode = word.isEmpty ? RecordingMode.none : RecordingMode(rawValue: word) else {
      let modes = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw RecordingFailure("UNDERSTUDY_RECORD must be one of \(modes), and it is \"\(word)\".")
    }
    self = mode
  }
}
