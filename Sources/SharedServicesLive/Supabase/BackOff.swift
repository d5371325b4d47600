/// How often a call is tried again, and how long is waited before each time.
public struct BackOff: Sendable, Hashable {
  /// The waits, in order; as many tries follow the first.
  public var delays: [Duration]

  /// A back-off with these waits; none is one try only.
  public init(delays: [Duration]) {
    self.delays = delays
  }

  /// 1, 2 and 4 seconds, as supabase-swift waits.
  public static let standard: BackOff = BackOff(delays: [.seconds(1), .seconds(2), .seconds(4)])

  /// One try only.
  public static let none: BackOff = BackOff(delays: [])
}
