import Foundation
public import Understudy
public import UnderstudyHTTP

/// The options of a recording session.
public struct RecordingOptions: Sendable {
  /// The recording mode (default: the environment's).
  package var mode: RecordingMode?
  /// The rules for matching requests.
  package var matching: RequestMatching
  /// The order in which requests are expected.
  package var order: ReplayingTransport.Order
  /// The behaviour for a request that occurs more often than it was recorded.
  package var repetition: ReplayingTransport.Repetition
  /// The rules for secrets.
  package var redaction: Redaction
  /// The clock for recorded pauses; `nil` skips them.
  package var pauses: Time?
  /// Whether a recorded exchange that was not requested is a failure.
  package var failsOnUnusedEntries: Bool
  /// The maximum age of a recording; `nil` for no limit.
  package var ageLimit: RecordingAgeLimit?
  /// The date and the clock; a replay freezes the date at the beginning of the recording.
  package var time: Time
  /// The hosts to which sessions of the app send requests themselves, in lower case.
  package var passthroughHosts: Set<String>
  /// The length in bytes at which a body, or the messages of a WebSocket, are cut off.
  package var bodyLimit: Int
  /// Changes an exchange before it is written, or leaves it out.
  package var beforeWriting: ExchangeEdit?
  /// Changes a recorded response before it is returned.
  package var beforeReplaying: ResponseEdit?

  /// The default of ``bodyLimit``.
  ///
  /// In base64 it is less than the 100 MB that hosts of repositories accept as a file.
  package static let defaultBodyLimit = 64_000_000

  /// A closure that changes an exchange; it returns whether the exchange is written.
  package typealias ExchangeEdit =
    @Sendable (_ request: inout HTTP.Request, _ response: inout HTTP.Response?) -> Bool
  /// A closure that changes the recorded response to a request.
  package typealias ResponseEdit =
    @Sendable (_ request: HTTP.Request, _ response: inout HTTP.Response) async throws -> Void

  /// Creates options (default: the environment's mode, strict, redacted and without pauses).
  ///
  /// - Parameters:
  ///   - mode: The recording mode (default: that of `UNDERSTUDY_RECORD`).
  ///   - matching: The rules for matching requests.
  ///   - order: The order in which requests are expected.
  ///   - repetition: The behaviour for a request that occurs more often than it was recorded.
  ///   - redaction: The rules for secrets.
  ///   - pauses: The clock for recorded pauses; `nil` skips them.
  ///   - failsOnUnusedEntries: Whether a recorded exchange that was not requested is a failure.
  ///   - ageLimit: The maximum age of a recording; `nil` for no limit.
  ///   - time: The date and the clock; a replay freezes the date at the beginning of the recording.
  ///   - passthroughHosts: The hosts to which `URLSession.shared`, and sessions that the app makes itself, send requests
  ///     past the recording (default: the recording answers or records all of them).
  ///   - bodyLimit: The length in bytes at which the recorded body of a response, or the messages of a WebSocket, are cut
  ///     off, with a warning (default: 64 MB). The client receives all of it; a replay fails if it is read further.
  ///   - beforeWriting: Changes an exchange before it is written, or returns `false` to leave it out. Secrets are
  ///     replaced afterwards. The response has all `bytes` of its body, and is `nil` after a failure. Of a WebSocket,
  ///     the closure receives the handshake. It is called for one exchange at a time, and must not use the session.
  ///   - beforeReplaying: Changes the recorded response to a request, for example its dates. A token that it puts in
  ///     place of a placeholder is accepted in later requests. An error that it throws fails the request. It is not
  ///     called for WebSockets.
  public init(
    mode: RecordingMode? = nil, matching: RequestMatching = RequestMatching(),
    order: ReplayingTransport.Order = .unordered, repetition: ReplayingTransport.Repetition = .fails,
    redaction: Redaction = .standard, pauses: Time? = nil, failsOnUnusedEntries: Bool = true,
    ageLimit: RecordingAgeLimit? = nil, time: Time = .system, passthroughHosts: Set<String> = [],
    bodyLimit: Int = 64_000_000,
    beforeWriting: (@Sendable (inout HTTP.Request, inout HTTP.Response?) -> Bool)? = nil,
    beforeReplaying: (@Sendable (HTTP.Request, inout HTTP.Response) async throws -> Void)? = nil
  ) {
    self.mode = mode
    self.matching = matching
    self.order = order
    self.repetition = repetition
    self.redaction = redaction
    self.pauses = pauses
    self.failsOnUnusedEntries = failsOnUnusedEntries
    self.ageLimit = ageLimit
    self.time = time
    self.passthroughHosts = Set(passthroughHosts.map { $0.lowercased() })
    self.bodyLimit = bodyLimit
    self.beforeWriting = beforeWriting
    self.beforeReplaying = beforeReplaying
  }
}

/// The maximum age of a recording, because services change.
public struct RecordingAgeLimit: Sendable, Hashable {
  /// The consequence for an older recording.
  public enum Consequence: Sendable, Hashable {
    /// The recording is used, with a warning.
    case warns
    /// The recording is not used.
    case fails
    /// The mode ``RecordingMode/once`` records it again; the other modes use it, with a warning.
    case recordsAgain
  }

  /// The age in days of 24 hours, since the beginning of the recording.
  package var days: Int
  /// The consequence for an older recording.
  package var consequence: Consequence

  /// Creates an age limit.
  public static func days(_ days: Int, _ consequence: Consequence) -> RecordingAgeLimit {
    RecordingAgeLimit(days: days, consequence: consequence)
  }
}

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
  case replayOnly = "none"
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
  /// Uses the network for all requests, and neither reads nor writes recordings.
  ///
  /// This runs the tests against the service of today.
  case off

  /// Reads the mode from the environment variable `UNDERSTUDY_RECORD` (default: ``replayOnly``).
  ///
  /// - Throws: ``RecordingError`` if the value is not a valid mode.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    let word = environment["UNDERSTUDY_RECORD"] ?? ""
    guard let mode = word.isEmpty ? RecordingMode.replayOnly : RecordingMode(rawValue: word) else {
      let modes = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw RecordingError(
        .invalidUse, "Unknown value \"\(word)\" of UNDERSTUDY_RECORD. Valid values: \(modes).")
    }
    self = mode
  }
}
