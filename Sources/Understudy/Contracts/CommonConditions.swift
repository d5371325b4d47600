// The circumstances of every service that asks a server. `Condition` says what each is; what comes with it is its fixture.

extension Condition where Fixture == Void {
  /// Every call is answered with a failure of the server (500).
  public static var serverFails: Self { Condition("the server fails") }

  /// No call is ever answered.
  public static var doesNotAnswer: Self { Condition("the server does not answer") }

  /// The device has no network.
  public static var offline: Self { Condition("the device is offline") }

  /// The connection breaks before the server has read the request.
  public static var connectionBreaks: Self { Condition("the connection breaks") }

  /// The server does the work, and the connection breaks before the answer is there.
  public static var answerIsLost: Self { Condition("the answer is lost") }

  /// What comes back is not what the service speaks.
  public static var answerIsUnreadable: Self { Condition("the answer is unreadable") }
}

extension Condition where Fixture == Duration {
  /// The server takes no more calls for a while; with the delay that it names.
  public static var tooManyRequests: Self { Condition("there were too many requests") }
}

extension Condition where Fixture == HeldCalls {
  /// Every call is held before it reaches the server.
  public static var callsAreHeld: Self { Condition("calls are held on their way") }
}
/// Calls that wait on their way to the server.
public struct HeldCalls: Sendable {
  /// Returns when this many calls have been held since the condition began to hold.
  public let arrival: @Sendable (_ count: Int) async -> Void
  /// Lets the calls that are held go on, and later ones pass.
  public let release: @Sendable () async -> Void

  /// Calls that wait, with a way to learn of them and to let them go.
  public init(
    arrival: @escaping @Sendable (_ count: Int) async -> Void,
    release: @escaping @Sendable () async -> Void
  ) {
    self.arrival = arrival
    self.release = release
  }
}
