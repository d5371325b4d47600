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
