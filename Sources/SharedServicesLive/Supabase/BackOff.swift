/// The number of retries of a call and the delays before them.
public struct BackOff: Sendable, Hashable {
  /// The delays in order, one for each retry.
  public var delays: [Duration]

  /// Creates a back-off with delays; an empty list means a single attempt.
  public init(delays: [Duration]) {
    self.delays = delays
  }

  /// A back-off of 1, 2 and 4 seconds, as in supabase-swift.
  public static let standard: BackOff = BackOff(delays: [.seconds(1), .seconds(2), .seconds(4)])

  /// A single attempt.
  public static let none: BackOff = BackOff(delays: [])
}
