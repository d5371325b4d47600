public import Understudy
import UnderstudyHTTP

/// How a session records and replays.
public struct RecordingOptions: Sendable {
  /// Whether it goes to the network; `nil` asks the environment.
  public var mode: RecordingMode?
  /// What must be the same for a recorded answer to be found.
  public var matching: RequestMatching
  /// Whether requests must come in the recorded order.
  public var order: ReplayingTransport.Order
  /// What happens when a request comes more often than it was recorded.
  public var repetition: ReplayingTransport.Repetition
  /// What is a secret.
  public var redaction: Redaction
  /// The time on which recorded pauses pass again; `nil` leaves them out.
  public var pauses: Time?
  /// Whether it is a failure when a recorded exchange was not asked for.
  public var failsOnUnusedEntries: Bool
  /// How old a recording may be; `nil` is as old as it likes.
  public var ageLimit: RecordingAgeLimit?
  /// The date, which a replay freezes at the beginning of the recording, and the clock.
  public var time: Time

  /// Options; what is left out is as the environment says, strict, redacted and without pauses.
  public init(
    mode: RecordingMode? = nil, matching: RequestMatching = RequestMatching(),
    order: ReplayingTransport.Order = .unordered, repetition: ReplayingTransport.Repetition = .fails,
    redaction: Redaction = .standard, pauses: Time? = nil, failsOnUnusedEntries: Bool = true,
    ageLimit: RecordingAgeLimit? = nil, time: Time = .system
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
  }
}

/// How old a recording may be, since services change.
public struct RecordingAgeLimit: Sendable, Hashable {
  /// What happens to one that is older.
  public enum Consequence: Sendable, Hashable {
    /// It is used, and a warning says so.
    case warns
    /// It is not used.
    case fails
  }

  /// The age in days of 24 hours, from the beginning of the recording.
  public var days: Int
  /// What happens beyond it.
  public var consequence: Consequence

  /// A limit.
  public static func days(_ days: Int, _ consequence: Consequence) -> RecordingAgeLimit {
    RecordingAgeLimit(days: days, consequence: consequence)
  }
}
